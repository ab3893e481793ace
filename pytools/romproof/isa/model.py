"""The nouns of an instruction set: an opcode and the parts of its row."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

OPERAND_SIZES = MappingProxyType({"n8": 1, "a8": 1, "e8": 1, "a16": 2})
"""Bytes each operand placeholder of a syntax template takes after the opcode."""


class Variant(Enum):
    """How official an opcode is."""

    DOCUMENTED = ""
    UNDOCUMENTED = "undoc"
    UNSTABLE = "unstable"
    JAM = "jam"


class Access(Enum):
    """What an instruction does with the memory its operand names."""

    NONE = "."
    READ = "r"
    WRITE = "w"
    MODIFY = "m"


@dataclass(frozen=True, slots=True)
class Cycles:
    """Duration of an instruction in CPU clock cycles.

    ``base`` is None for an instruction that never ends. ``page`` is the extra
    cycle of a crossed page, ``taken`` that of a taken branch; a branch pays
    ``page`` only when it is taken.
    """

    base: int | None
    page: bool = False
    taken: bool = False

    @property
    def minimum(self) -> int:
        """The fewest cycles (0 for an instruction that never ends)."""
        return self.base or 0

    @property
    def maximum(self) -> int:
        """The most cycles (0 for an instruction that never ends)."""
        return self.minimum + self.page + self.taken


@dataclass(frozen=True, slots=True)
class Opcode:
    """One row of an instruction table.

    ``mode`` is the operand template, e.g. ``(a8),y``; ``placeholder`` the
    part of it that stands for the value, or "" when there is none; ``size``
    is in bytes, opcode included. ``canonical`` is False for a second byte
    with the syntax of another row, which the assembler never chooses.
    """

    byte: int
    mnemonic: str
    mode: str
    placeholder: str
    size: int
    cycles: Cycles
    access: Access
    flags: str
    variant: Variant
    canonical: bool

    @property
    def syntax(self) -> str:
        """Mnemonic and operand template, as in the table."""
        return f"{self.mnemonic} {self.mode}".rstrip()

    @property
    def is_branch(self) -> bool:
        """True for a conditional jump relative to the program counter."""
        return self.placeholder == "e8"
