"""The nouns of an instruction set: an opcode and the parts of its row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from romproof.isa.encodings import OPERAND_SIZES as OPERAND_SIZES
from romproof.isa.flow import Flow, flow_of, is_conditional


@dataclass(frozen=True, slots=True)
class TableForm:
    """What the instruction tables of two CPUs differ in.

    ``flags`` are the letters of the flags column in their order. ``prefix`` is the byte that
    opens a second set of 256 opcodes, b"" when there is none. ``page`` is the first of the
    256 addresses an ``a8`` can name. ``described`` is False for a table without columns of what
    instructions do: the CPU has no engine.
    """

    flags: str
    prefix: bytes = b""
    page: int = 0x0000
    described: bool = True


FORMS: Mapping[str, TableForm] = MappingProxyType(
    {
        **dict.fromkeys(
            ("mos6502", "synertek65c02", "rockwell65c02", "wdc65c02"), TableForm("NV-BDIZC")
        ),
        "wdc65816": TableForm("NVMXDIZC", described=False),
        **dict.fromkeys(("csg65ce02", "csg4510"), TableForm("NVEBDIZC", described=False)),
        **dict.fromkeys(("huc6280", "melps740"), TableForm("NVTBDIZC", described=False)),
        "sweet16": TableForm("NZC", described=False),
        "sm83": TableForm("ZNHC", prefix=b"\xcb", page=0xFF00),
    }
)
"""The CPUs that have a table, by its name."""


class OpcodeVariant(Enum):
    """How official an opcode is."""

    DOCUMENTED = ""
    UNDOCUMENTED = "undoc"
    UNSTABLE = "unstable"
    JAM = "jam"
    STOP = "stop"
    """Documented, and never ends: the CPU rests until it is reset."""
    PREFIX = "prefix"
    """No instruction: the opcode proper is the byte that follows."""


class OperandAccess(Enum):
    """What an instruction does with the memory its operand names."""

    NONE = "."
    READ = "r"
    WRITE = "w"
    MODIFY = "m"


@dataclass(frozen=True, slots=True)
class Cycles:
    """Duration of an instruction: in clock cycles of the 6502, in M-cycles of the SM83.

    ``base`` is None for an instruction that never ends. ``page`` is the extra
    cycle of a crossed page, ``taken`` the number of those of a jump, call or
    return whose condition holds; a branch pays ``page`` only when it is taken.
    ``decimal`` is the extra cycle of arithmetic in decimal mode (65C02).
    """

    base: int | None
    page: bool = False
    taken: int = 0
    decimal: bool = False

    @property
    def minimum(self) -> int:
        """The fewest cycles (0 for an instruction that never ends)."""
        return self.base or 0

    @property
    def maximum(self) -> int:
        """The most cycles (0 for an instruction that never ends)."""
        return self.minimum + self.page + self.taken + self.decimal


@dataclass(frozen=True, slots=True)
class Opcode:
    """One row of the instruction table of ``cpu``.

    ``prefix`` is the byte before the opcode ``byte``, b"" when there is none.
    ``mode`` is the operand template, e.g. ``(a8),y`` or ``a, [hl+]``;
    ``placeholder`` the part of it that stands for the value, or "" when there
    is none; ``size`` is in bytes, prefix and opcode included. ``flags`` has a
    letter for each flag: ``-`` stays, ``0`` or ``1`` is what it becomes, its
    own letter means that it may change. ``canonical`` is False for a second
    byte with the syntax of another row, which the assembler never chooses.
    """

    cpu: str
    prefix: bytes
    byte: int
    mnemonic: str
    mode: str
    placeholder: str
    size: int
    cycles: Cycles
    access: OperandAccess
    flags: str
    variant: OpcodeVariant
    canonical: bool

    @property
    def index(self) -> int:
        """Where the opcode stands in the tuple that ``load`` gives."""
        return self.byte + (256 if self.prefix else 0)

    @property
    def syntax(self) -> str:
        """Mnemonic and operand template, as in the table."""
        return f"{self.mnemonic} {self.mode}".rstrip()

    @property
    def conditional(self) -> bool:
        """True for a jump, call or return that depends on a flag."""
        return is_conditional(self.mnemonic, self.mode)

    @property
    def flow(self) -> Flow:
        """Where the instruction leads."""
        return flow_of(self.mnemonic, self.mode)

    @property
    def is_branch(self) -> bool:
        """True for a conditional jump; all of the 6502's are relative to the program counter."""
        return self.flow is Flow.BRANCH
