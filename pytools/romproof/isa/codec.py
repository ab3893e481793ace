"""Encode, decode and print instructions; all of it derived from the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from romproof.isa.load import load
from romproof.isa.model import Cycles, Opcode


@cache
def encodings(cpu: str = "mos6502") -> Mapping[str, Mapping[str, Opcode]]:
    """mnemonic -> operand template -> the opcode the assembler chooses."""
    table: dict[str, dict[str, Opcode]] = {}
    for opcode in load(cpu):
        if opcode.canonical:
            table.setdefault(opcode.mnemonic, {})[opcode.mode] = opcode
    return table


def encode(opcode: Opcode, operand: int = 0) -> bytes:
    """The bytes of an instruction. ``operand`` is the raw value that follows.

    Raises OverflowError when it does not fit into the operand's bytes.
    """
    return bytes([opcode.byte]) + operand.to_bytes(opcode.size - 1, "little")


@dataclass(frozen=True, slots=True)
class Instruction:
    """A decoded instruction at ``address``; ``operand`` is the raw value."""

    address: int
    opcode: Opcode
    operand: int

    @property
    def target(self) -> int | None:
        """The address the operand names; None when it names none."""
        if self.opcode.placeholder == "e8":
            distance = self.operand - 256 if self.operand > 127 else self.operand
            return (self.address + 2 + distance) & 0xFFFF
        return self.operand if self.opcode.placeholder in ("a8", "a16") else None

    @property
    def crosses(self) -> bool | None:
        """Whether a branch's target lies on another page than what follows it.

        That is known before execution for branches only; None for all others.
        """
        if not self.opcode.is_branch or self.target is None:
            return None
        return (self.address + self.opcode.size) >> 8 & 0xFF != self.target >> 8


def decode(data: bytes, address: int = 0) -> Instruction | None:
    """The instruction at the start of ``data``; None when bytes are missing."""
    if not data:
        return None
    opcode = load()[data[0]]
    if len(data) < opcode.size:
        return None
    return Instruction(address, opcode, int.from_bytes(data[1 : opcode.size], "little"))


def format_instruction(
    instruction: Instruction, name: Callable[[int], str | None] = lambda address: None
) -> str:
    """The instruction as ca65 source; ``name`` may give a label for an address."""
    opcode = instruction.opcode
    if not opcode.placeholder:
        return opcode.syntax
    target = instruction.target
    label = name(target) if target is not None else None
    if label is not None:
        # a16 with a zero-page value would be shortened when assembled again
        value = f"a:{label}" if opcode.placeholder == "a16" and (target or 0) < 256 else label
    elif opcode.placeholder in ("a16", "e8"):
        value = f"${target:04x}"
        if opcode.placeholder == "a16" and (target or 0) < 256 and "(" not in opcode.mode:
            value = f"a:{value}"
    else:
        value = f"${instruction.operand:02x}"
    return f"{opcode.mnemonic} {opcode.mode.replace(opcode.placeholder, value)}"


def format_cycles(cycles: Cycles, crosses: bool | None = None) -> str:
    """Cycles for people: ``2``, ``4+p``, ``2/3`` for a branch not taken/taken.

    ``crosses`` says whether a branch's target is known to lie on another page
    (then ``2/4``); None leaves it open (``2/3+p``).
    """
    if cycles.base is None:
        return "-"
    if cycles.taken:
        taken = cycles.base + 1 + (1 if crosses else 0)
        return f"{cycles.base}/{taken}" + ("+p" if crosses is None else "")
    return f"{cycles.base}+p" if cycles.page else str(cycles.base)
