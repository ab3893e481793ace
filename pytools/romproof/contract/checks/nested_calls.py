"""Checks the contracts of the routines that a routine calls, while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.contract.checks.check import Violation, check
from romproof.contract.checks.requirements import find_unmet
from romproof.contract.checks.view import StateView
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.contract.nouns.state import Call, Executing, State
from romproof.contract.reading.pointers import at_entry
from romproof.isa.abi import MOS6502, Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers


@dataclass(frozen=True, slots=True)
class InnerViolation:
    """A broken promise of a routine called at ``site``."""

    contract: Contract
    site: int
    violation: Violation


@dataclass(slots=True)
class _NestedCall:
    contract: Contract
    site: int
    back: int
    before: State
    cycles: int
    level: int
    lowest_s: int


@dataclass(slots=True)
class ContractWatcher:
    """An observer that checks every call of an address in ``contracts``.

    A routine entered by a jump belongs to its caller; a handler is looked at when its vector leads
    right to it. A routine that never returns to
    its call site (it pulled its return address) is not checked, nor is one whose caller breaks
    what it requires: that is a violation of its own. The first
    violations of each routine are kept in ``violations``. A stack pointer below ``floor``
    is none: the program uses the register for something else. ``pages``: see State.
    """

    engine: Executing
    contracts: Mapping[int, Contract]
    describe: Callable[[int], str]
    abi: Abi = MOS6502
    floor: int = 0
    pages: Callable[[], Sequence[int]] = tuple
    violations: list[InnerViolation] = field(default_factory=list)
    _frames: list[_NestedCall] = field(default_factory=list)
    _failed: set[str] = field(default_factory=set)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        frames = self._frames
        if frames and self.floor <= s < frames[-1].lowest_s:
            frames[-1].lowest_s = s
        while frames and s > frames[-1].level:
            frame = frames.pop()
            if frames:
                frames[-1].lowest_s = min(frames[-1].lowest_s, frame.lowest_s)
            if next_pc == frame.back:
                self._check_return(frame)
        if next_pc not in self.contracts:
            return
        table, contract = transfers(self.abi.cpu), self.contracts[next_pc]
        by_interrupt = contract.kind == INTERRUPT
        if byte < 0 if by_interrupt else table.find_flow(byte, cycles) is Flow.CALL:
            state = self._state()
            back = pc if by_interrupt else (pc + table.sizes[byte]) & 0xFFFF
            frames.append(_NestedCall(contract, pc, back, state, self.engine.cycles, s, s))
            self._check_entry(frames[-1])

    def _check_entry(self, frame: _NestedCall) -> None:
        if frame.contract.name in self._failed:
            return
        for one in find_unmet(frame.contract, frame.before, self.abi):
            self._failed.add(frame.contract.name)
            who = "the caller"
            if frame.contract.kind == INTERRUPT:
                who = "the interrupted code"
            sentence = f"{who} violates requires: {one.sentence}"
            violation = Violation(sentence, one.span)
            self.violations.append(InnerViolation(frame.contract, frame.site, violation))
        if frame.contract.name not in self._failed:
            view = StateView(self.abi, frame.before, frame.before)
            frame.contract = at_entry(frame.contract, view)

    def _check_return(self, frame: _NestedCall) -> None:
        if frame.contract.name in self._failed:
            return
        used = self.engine.cycles - frame.cycles
        call = Call(frame.before, self._state(), used, frame.lowest_s, self.abi)
        for violation in check(frame.contract, call, self.describe):
            self._failed.add(frame.contract.name)
            self.violations.append(InnerViolation(frame.contract, frame.site, violation))

    def _state(self) -> State:
        engine = self.engine
        return State(engine.registers.copy(), bytes(engine.memory), self.pages())
