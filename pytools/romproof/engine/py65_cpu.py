"""py65's NMOS 6502, corrected where it is wrong; it refuses what it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from py65.devices.mpu6502 import MPU

from romproof.engine.faults import CpuFault, brk, jam, overflow, set_above, underflow
from romproof.engine.protocol import FaultKind
from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant

DEC_ABS = 0xCE
"""py65 1.2.0 gives this row 3 cycles; the chip takes 6 (transistor-level simulation)."""

BRK = 0x00
TXS = 0x9A
_TXS_ROW = load("mos6502")[TXS]
NO_BOTTOM, NO_TOP = -1, 0x100
"""Stack pointers that are never reached: the check is off."""


class Py65Cpu(MPU):  # type: ignore[misc]  # py65 has no type information
    """py65's processor with tables of its own; py65's class stays as it is.

    ``cycletime[0xCE]`` is corrected. Undocumented opcodes, one-byte no-ops in
    py65, raise CpuFault. The stack pointer is checked where it changes:
    pushing at ``bottom`` and pulling from ``top`` on raise CpuFault, and
    ``lowest`` keeps its lowest value.
    """

    instruct: ClassVar[list[Callable[[Any], None]]] = list(MPU.instruct)
    cycletime: ClassVar[list[int]] = list(MPU.cycletime)
    extracycles: ClassVar[list[int]] = list(MPU.extracycles)
    cycletime[DEC_ABS] = 6

    sp: int
    bottom = NO_BOTTOM
    top = NO_TOP
    lowest = 0xFF
    brk_allowed = True

    def WordAt(self, addr: int) -> int:  # noqa: N802  # py65's name
        """The word at ``addr``; unlike py65's it wraps after $FFFF."""
        memory = self.memory
        word: int = memory[addr & 0xFFFF] | memory[(addr + 1) & 0xFFFF] << 8
        return word

    def stPush(self, z: int) -> None:  # noqa: N802
        """Push the low byte of ``z``."""
        sp: int = self.sp
        if sp == self.bottom:
            raise overflow()
        self.memory[sp + 0x100] = z & 0xFF
        sp = (sp - 1) & 0xFF
        self.sp = sp
        if sp < self.lowest:
            self.lowest = sp

    def stPop(self) -> int:  # noqa: N802
        """Pull a byte."""
        sp: int = self.sp
        if sp >= self.top:
            raise underflow(self.top)
        sp = (sp + 1) & 0xFF
        self.sp = sp
        byte: int = self.memory[sp + 0x100]
        return byte


def _refuse(opcode: Opcode) -> Callable[[Py65Cpu], None]:
    """An entry of the instruction table for an opcode py65 does not know."""

    def refuse(cpu: Py65Cpu) -> None:
        if opcode.variant is OpcodeVariant.JAM:
            raise jam(opcode)
        raise CpuFault(
            FaultKind.UNDOCUMENTED,
            f"opcode ${opcode.byte:02X} '{opcode.syntax}' at {{at}} is undocumented "
            f"({opcode.variant.value}); py65 does not support undocumented opcodes: use another "
            f"engine, or check that data is not executed",
        )

    return refuse


def _brk(cpu: Py65Cpu) -> None:
    if not cpu.brk_allowed:
        raise brk()
    MPU.instruct[BRK](cpu)


def _txs(cpu: Py65Cpu) -> None:
    if cpu.x > cpu.top:
        raise set_above(_TXS_ROW, cpu.x, cpu.top)
    cpu.sp = cpu.x
    if cpu.sp < cpu.lowest:
        cpu.lowest = cpu.sp


def _complete_tables() -> None:
    for opcode in load("mos6502"):
        if opcode.variant is not OpcodeVariant.DOCUMENTED:
            Py65Cpu.instruct[opcode.byte] = _refuse(opcode)
    Py65Cpu.instruct[BRK] = _brk
    Py65Cpu.instruct[TXS] = _txs


_complete_tables()
