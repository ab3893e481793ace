"""Calling routines: what can be asked of a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from romproof.engine.protocol import Observer
from romproof.engine.registers import RegisterFile
from romproof.harness.state.result import Result
from romproof.harness.state.stage import NOWHERE, Homes
from romproof.harness.state.values import Target, Value

LIMIT = 1_000_000
"""Cycles a call may take by default: one second at 1 MHz."""

Check = bool | Literal["deep"]
"""True: guards and the contract of the called routine. "deep": also those of
all routines it calls. False: neither contracts nor writes to ROM are checked."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call as it was asked for; see Routines.call()."""

    routine: Target
    registers: Mapping[str, int | None]
    flags: Mapping[str, int] | None
    mem: Mapping[Target, Value] | None
    limit: int
    check: Check
    allow_brk: bool
    observer: Observer | None
    uninitialised: bool | None
    checks: Mapping[str, str] | None
    interrupt: bool = False
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """Where a run leads: from ``target``, with the registers ``start``, until one of the addresses
    ``until`` comes next, in the banks of ``homes``, in ``limit`` cycles at most. ``allow_brk``: a
    software interrupt on the way is no fault."""

    target: Target
    start: RegisterFile
    until: tuple[int, ...]
    limit: int
    allow_brk: bool = False
    homes: Homes = field(default_factory=lambda: NOWHERE)


class Routines(ABC):
    """What has routines that can be called: a Rom, whose memory is freshly loaded for each call,
    or a Machine, whose memory persists."""

    def call(
        self,
        routine: Target,
        *,
        flags: Mapping[str, int] | None = None,
        mem: Mapping[Target, Value] | None = None,
        limit: int = LIMIT,
        check: Check = True,
        allow_brk: bool = False,
        observer: Observer | None = None,
        uninitialised: bool | None = None,
        checks: Mapping[str, str] | None = None,
        interrupt: bool = False,
        bank: int | None = None,
        **registers: int | None,
    ) -> Result:
        """Call a routine (its name or address) and run until it returns.

        ``registers`` are those of the CPU: ``a=1, x=2``, on the SM83 also pairs: ``hl=0xC000``.
        Flags are set among them by the names that contracts have for them, ``c=1`` on the 6502 and
        ``cf=1`` on the SM83, whose C is a register; or by their letters: ``flags={"c": 1}``.
        ``mem`` is written first. Registers and flags that are not given have values that are always
        the same, never 0: a routine that relies on a register its contract does not name is noticed
        this way. ``limit`` is in cycles. ``observer`` is notified of every instruction. The stack
        lies where the program has nothing (see romproof.harness.checks.stack).

        ``uninitialised`` is about the program's uninitialised variables. True: reading
        one ends the call. None: on a machine that has called nothing yet, what its contract says
        comes out must not depend on one, unless it is listed under ``in:``. False: no check.

        ``checks`` has levels ("off", "warn", "error") of romproof.engine.checks for this call.
        With ``check=False`` all others are off.

        Raises RequirementBroken when the contract does not allow such a call, ContractViolation,
        Runaway, CallFault, UninitialisedRead, Unsupported, UnknownSymbol, BadValue, BoardError, and
        BuildFailed when the routine's contract is malformed.
        """
        return self._carry_out(
            CallRequest(
                routine,
                registers,
                flags,
                mem,
                limit,
                check,
                allow_brk,
                observer,
                uninitialised,
                checks,
                interrupt,
                bank,
            )
        )

    @abstractmethod
    def _carry_out(self, call: CallRequest) -> Result:
        """Make a call. Raises as call() does."""
