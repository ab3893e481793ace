"""Encode, decode and print instructions; all of it derived from the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from romproof.isa.flow import Flow
from romproof.isa.load import load
from romproof.isa.model import FORMS, Cycles, Opcode, OpcodeVariant


@cache
def encodings(cpu: str = "mos6502") -> Mapping[str, Mapping[str, Opcode]]:
    """mnemonic -> operand template -> the opcode the assembler chooses."""
    table: dict[str, dict[str, Opcode]] = {}
    for opcode in load(cpu):
        if opcode.canonical and opcode.variant is not OpcodeVariant.PREFIX:
            table.setdefault(opcode.mnemonic, {})[opcode.mode] = opcode
    return table


def encode(opcode: Opcode, operand: int = 0) -> bytes:
    """The bytes of an instruction. ``operand`` is the raw value that follows.

    Raises OverflowError when it does not fit into the operand's bytes.
    """
    code = opcode.prefix + bytes([opcode.byte])
    return code + operand.to_bytes(opcode.size - len(code), "little")


@dataclass(frozen=True, slots=True)
class Instruction:
    """A decoded instruction at ``address``; ``operand`` is the raw value."""

    address: int
    opcode: Opcode
    operand: int

    @property
    def target(self) -> int | None:
        """The address the operand names; None when it names none."""
        opcode = self.opcode
        match opcode.placeholder:
            case "a16":
                return self.operand
            case "a8":
                return FORMS[opcode.cpu].page + self.operand
            case "a24":
                return self.operand
            case "e8" if opcode.flow in (Flow.BRANCH, Flow.JUMP, Flow.CALL):
                return (self.address + opcode.size + _to_signed(self.operand)) & 0xFFFF
            case "a8,e8":
                return (self.address + opcode.size + _to_signed(self.operand >> 8)) & 0xFFFF
            case "e16":
                return (self.address + opcode.size + self.operand) & 0xFFFF
            case "d16":
                return (self.address + opcode.size - 1 + self.operand) & 0xFFFF
        if opcode.mnemonic == "rst":
            return int(opcode.mode.removeprefix("$"), 16)
        return None

    @property
    def crosses(self) -> bool | None:
        """Whether a branch's target lies on another page than what follows it.

        That is known before execution for branches only, ``bra`` among them; None for all
        others, and for a CPU whose branches take no longer for it.
        """
        relative = self.opcode.placeholder in ("e8", "a8,e8")
        if not (relative and self.opcode.cycles.page) or self.target is None:
            return None
        return (self.address + self.opcode.size) >> 8 & 0xFF != self.target >> 8


def decode(
    data: bytes, address: int = 0, cpu: str = "mos6502", wide: bool = False
) -> Instruction | None:
    """The instruction at the start of ``data``; None when bytes are missing.

    How long an immediate value of the 65816 is depends on what was executed before: ``wide`` says
    that it has two bytes.
    """
    if not data:
        return None
    opcodes = load(cpu)
    opcode = opcodes[data[0]]
    if opcode.variant is OpcodeVariant.PREFIX:
        if len(data) < 2:
            return None
        opcode = opcodes[256 + data[1]]
    if wide and opcode.placeholder in ("nm", "nx"):
        opcode = replace(opcode, size=opcode.size + 1)
    if len(data) < opcode.size:
        return None
    operand = data[len(opcode.prefix) + 1 : opcode.size]
    return Instruction(address, opcode, int.from_bytes(operand, "little"))


def format_instruction(
    instruction: Instruction, name: Callable[[int], str | None] = lambda address: None
) -> str:
    """The instruction as source: ca65's for the 6502, RGBDS's for the SM83.

    ``name`` may give a label for an address.
    """
    opcode = instruction.opcode
    if not opcode.placeholder:
        return opcode.syntax
    target = instruction.target
    label = name(target) if target is not None else None
    value = _number(instruction) if label is None else label
    wide = opcode.cpu != "sm83" and opcode.placeholder == "a16" and (target or 0) < 256
    if wide and (label is not None or not {"(", "["} & set(opcode.mode)):
        # a16 with a zero-page value would be shortened when assembled again
        value = f"a:{value}"
    if opcode.placeholder == "a8,e8":
        value = f"${instruction.operand & 0xFF:02x},{value}"
    elif opcode.placeholder == "a24" and label is None:
        value = f"f:{value}"  # else shortened, too, when it is small
    elif opcode.placeholder == "#n8,#n8":  # the destination comes first
        value = f"#${instruction.operand >> 8:02x},#${instruction.operand & 0xFF:02x}"
    operand = opcode.mode.replace(opcode.placeholder, value)
    return f"{opcode.mnemonic} {operand.replace('+ -', '- ')}"


def _number(instruction: Instruction) -> str:
    """The value of the operand; a distance that is not a jump's is signed: ``sp - $02``."""
    placeholder, target = instruction.opcode.placeholder, instruction.target
    if placeholder == "e8" and target is None:
        distance = _to_signed(instruction.operand)
        return f"{'-' if distance < 0 else ''}${abs(distance):02x}"
    value = instruction.operand if target is None else target
    digits = 2 * (instruction.opcode.size - 1) if placeholder != "e8" else 4
    return f"${value:0{digits}x}"


def _to_signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def format_cycles(cycles: Cycles, crosses: bool | None = None) -> str:
    """Cycles for people: ``2``, ``4+p``, ``2/3`` for a branch not taken/taken.

    ``crosses`` says whether a branch's target is known to lie on another page
    (then ``2/4``); None leaves it open (``2/3+p``).
    """
    if cycles.base is None:
        return "-"
    if cycles.taken:
        taken = cycles.base + cycles.taken + (1 if crosses else 0)
        return f"{cycles.base}/{taken}" + ("+p" if cycles.page and crosses is None else "")
    return f"{cycles.base}{'+p' * cycles.page}{'+d' * cycles.decimal}"
