"""A CPU as a whole: its registers and the microcode of everything it can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from romproof.isa.algebra import Op
from romproof.isa.microcode import Microcode
from romproof.isa.model import Opcode


@dataclass(frozen=True, slots=True)
class Cpu:
    """A CPU. ``registers`` gives the width of each in bits, flags one by one. ``table`` names its
    instruction table, which it shares with others that have the same instructions and registers.

    ``prologue`` is what every instruction starts with: the fetch of its opcode, and the choice
    of the microcode that goes on. Of ``microcode`` the first len(opcodes) belong to the opcodes;
    the rest are what happens without one (interrupts, reset), by number in ``sequences``.
    ``software_interrupt`` is the opcode that calls an interrupt handler, if the CPU has one.
    ``special`` names the register that is 0 unless the next instruction starts out of the
    ordinary (an interrupt, a halted CPU), ``stack`` the stack pointer.
    """

    name: str
    table: str
    registers: Mapping[str, int]
    opcodes: tuple[Opcode, ...]
    prologue: Microcode
    microcode: Sequence[Microcode]
    sequences: Mapping[str, int]
    special: str
    stack: str
    software_interrupt: int | None = None

    def stays_ordinary(self, microcode: Microcode) -> bool:
        """Whether the next instruction starts like any other, whatever the values."""
        value = microcode.result(self.special)
        return value is None or (value.op is Op.CONST and value.number == 0)
