"""What follows a mnemonic, as the parser reads it."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.toolchains.rgbds.asm.model import Expression


@dataclass(frozen=True, slots=True)
class Register:
    """A register, or memory that one names, in the spelling of the instruction table.

    ``a``, ``bc``, ``sp``, ``[hl]``, ``[hl+]``, ``[hl-]``, ``[c]``; ``hli`` and ``LOW(bc)`` have
    been put into it. Also ``c`` where it is the condition: that depends on the mnemonic.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """``nz``, ``z``, ``nc``, or ``c`` when it cannot be the register (``!nc``)."""

    text: str


@dataclass(frozen=True, slots=True)
class Immediate:
    """A number, or an address to go to; ``is_literal``: the address of a fragment literal."""

    value: Expression
    is_literal: bool = False


@dataclass(frozen=True, slots=True)
class MemoryOperand:
    """``[value]``: memory at an address."""

    address: Expression


@dataclass(frozen=True, slots=True)
class HighMemory:
    """``[base + c]``; the base has to be $FF00."""

    base: Expression


@dataclass(frozen=True, slots=True)
class StackOffset:
    """``sp + distance``; of ``sp - n`` the distance is the negative of ``n``."""

    distance: Expression


Operand = Register | Condition | Immediate | MemoryOperand | HighMemory | StackOffset

OPPOSITES = {"nz": "z", "z": "nz", "nc": "c", "c": "nc"}
"""What ``!`` makes of a condition."""
