"""py65's NMOS 6502, corrected where it is wrong and told to refuse what it cannot do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from py65.devices.mpu6502 import MPU

from romproof.engine.protocol import FaultKind
from romproof.isa.load import load
from romproof.isa.model import Opcode, Variant

DEC_ABS = 0xCE
"""py65 1.2.0 gives this row 3 cycles; the chip takes 6 (transistor-level simulation)."""

BRK = 0x00
TXS = 0x9A
NEVER = -1
"""A stack pointer that is never reached: the check is off."""


class CpuFault(Exception):
    """Inside an instruction: what is wrong. The engine adds where."""

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        self.kind = kind
        self.sentence = sentence
        super().__init__(sentence)


class Memory(bytearray):
    """64 KiB of which parts can be protected: writing there raises CpuFault.

    ``protected`` has one byte for each address, nonzero where writes are
    faults; None switches the check off.
    """

    protected: bytes | None = None

    def __setitem__(self, key: Any, value: Any, _store: Any = bytearray.__setitem__) -> None:
        protected = self.protected
        if protected is not None and protected[key]:
            raise CpuFault(
                FaultKind.ROM_WRITE,
                f"the instruction at {{at}} writes ${value:02X} to ${key:04X}, which is read-only",
            )
        _store(self, key, value)


class Cpu(MPU):  # type: ignore[misc]  # py65 has no type information
    """py65's processor with tables of its own; py65's class stays as it is.

    ``cycletime[0xCE]`` is corrected. Undocumented opcodes, one-byte no-ops in
    py65, raise CpuFault. The stack pointer is checked where it changes:
    pushing at ``bottom`` and pulling at ``top`` raise CpuFault, and ``lowest``
    keeps its lowest value.
    """

    instruct: ClassVar[list[Callable[[Any], None]]] = list(MPU.instruct)
    cycletime: ClassVar[list[int]] = list(MPU.cycletime)
    extracycles: ClassVar[list[int]] = list(MPU.extracycles)
    cycletime[DEC_ABS] = 6

    sp: int
    bottom = NEVER
    top = NEVER
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
            raise CpuFault(
                FaultKind.STACK_OVERFLOW,
                "the stack overflows at {at}: 256 bytes are in use and S would wrap to $FF",
            )
        self.memory[sp + 0x100] = z & 0xFF
        sp = (sp - 1) & 0xFF
        self.sp = sp
        if sp < self.lowest:
            self.lowest = sp

    def stPop(self) -> int:  # noqa: N802
        """Pull a byte."""
        sp: int = self.sp
        if sp == self.top:
            raise CpuFault(
                FaultKind.STACK_UNDERFLOW,
                f"the instruction at {{at}} pulls more than was pushed: "
                f"S is ${sp:02X}, its value before the call",
            )
        sp = (sp + 1) & 0xFF
        self.sp = sp
        byte: int = self.memory[sp + 0x100]
        return byte


def _refuse(opcode: Opcode) -> Callable[[Cpu], None]:
    """An entry of the instruction table for an opcode py65 does not know."""
    jam = opcode.variant is Variant.JAM
    kind = FaultKind.JAM if jam else FaultKind.UNDOCUMENTED
    what = "stops the processor" if jam else f"is undocumented ({opcode.variant.value})"
    advice = (
        "is this data that is executed?"
        if jam
        else "py65 does not know undocumented opcodes: run this on an engine that does, "
        "or check that this is not data that is executed"
    )
    sentence = f"opcode ${opcode.byte:02X} '{opcode.syntax}' at {{at}} {what}; {advice}"

    def refuse(cpu: Cpu) -> None:
        raise CpuFault(kind, sentence)

    return refuse


def _brk(cpu: Cpu) -> None:
    if not cpu.brk_allowed:
        raise CpuFault(
            FaultKind.BRK,
            "BRK at {at}: a crash, or memory that was never filled; "
            "allow_brk=True executes it if the program has a handler",
        )
    MPU.instruct[BRK](cpu)


def _txs(cpu: Cpu) -> None:
    if cpu.x > cpu.top != NEVER:
        raise CpuFault(
            FaultKind.STACK_UNDERFLOW,
            f"txs at {{at}} sets S to ${cpu.x:02X}, above its value before the call, "
            f"${cpu.top:02X}",
        )
    cpu.sp = cpu.x
    if cpu.sp < cpu.lowest:
        cpu.lowest = cpu.sp


def _complete_tables() -> None:
    for opcode in load("mos6502"):
        if opcode.variant is not Variant.DOCUMENTED:
            Cpu.instruct[opcode.byte] = _refuse(opcode)
    Cpu.instruct[BRK] = _brk
    Cpu.instruct[TXS] = _txs


_complete_tables()
