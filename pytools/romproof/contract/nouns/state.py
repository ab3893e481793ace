"""What a call starts from and ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from romproof.engine.registers import RegisterFile
from romproof.isa.abi import MOS6502, Abi


class Executing(Protocol):
    """What executes code, as far as contracts look at it: an engine with flat memory, or a machine
    around one. ``memory`` has the byte that the CPU sees at each address."""

    @property
    def registers(self) -> Any:
        """The registers now."""

    @property
    def memory(self) -> bytes | bytearray:
        """The memory now."""

    @property
    def cycles(self) -> int:
        """The cycles so far."""


@dataclass(frozen=True, slots=True)
class State:
    """Registers and the 64 KiB of memory at one moment.

    ``pages`` says for each 256 bytes which memory is in sight there, by a number; nothing where
    that is always the same and no memory is to be seen twice.
    """

    registers: RegisterFile
    memory: bytes = field(repr=False)
    pages: Sequence[int] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """What a call did: from its first instruction until after its return.

    The stack pointer of ``before`` is that with the return address pushed;
    ``lowest_s`` its lowest value on the way. ``cycles`` are those of the CPU
    that ``abi`` belongs to, the returning instruction included.
    """

    before: State
    after: State
    cycles: int
    lowest_s: int
    abi: Abi = MOS6502
