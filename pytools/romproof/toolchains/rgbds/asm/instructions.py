"""Instructions to bytes. Which operands there are, and their opcodes, the CPU's table says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from romproof.isa.encodings import Encoding, encodings_of
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.expressions import Expressions
from romproof.toolchains.rgbds.asm.instruction_forms import BITS, plain_form, refusal, templates
from romproof.toolchains.rgbds.asm.model import Expression
from romproof.toolchains.rgbds.asm.operands import (
    Condition,
    HighMemory,
    Immediate,
    MemoryOperand,
    Operand,
    Register,
    StackOffset,
)
from romproof.toolchains.rgbds.obj.model import PatchKind


@dataclass(frozen=True, slots=True)
class Encoded:
    """The bytes of an instruction: ``code``, then ``value`` as ``kind`` says (None: nothing).

    ``pc_back`` is how many bytes before the value ``@`` stands while it is worked out. All of a
    value is checked, but for the distance of a jump (``PatchKind.JR``), whose ``value`` is the
    target.
    """

    code: bytes
    value: Expression | None = None
    kind: PatchKind = PatchKind.BYTE
    pc_back: int = 1


_DISTANCES = frozenset({("e8", "add"), ("e8", "ld")})
"""Where a distance is written as such; that of JR is written as its target."""


def write(mnemonic: str, operands: Sequence[Operand], asm: Assembly) -> None:
    """Put an instruction into the current section. Reports what is wrong with it."""
    if asm.options.load_high and _is_high_load(mnemonic, operands):
        mnemonic = "ldh"
    encoded = encode(mnemonic, tuple(operands), asm.expressions)
    if encoded is None:
        return
    sections = asm.sections
    if sections.output is not None and sections.output.has_data:
        sections.put(encoded.code)
    else:
        for byte in encoded.code:
            # one by one: outside of a section each is an error of its own
            sections.write(bytes((byte,)))
    if asm.options.nop_after_halt and mnemonic.lower() == "halt":
        asm.sections.write(b"\0")
    if encoded.value is None:
        return
    if encoded.kind is PatchKind.JR:
        _write_distance(encoded.value, encoded.pc_back, asm)
    else:
        asm.sections.write_value(encoded.value, encoded.kind.size, encoded.pc_back)


def _is_high_load(mnemonic: str, operands: Sequence[Operand]) -> bool:
    """Whether LD has an address from $FF00 on that is known."""
    if mnemonic.lower() != "ld" or Register("a") not in operands:
        return False
    addresses = [
        operand.address.value for operand in operands if isinstance(operand, MemoryOperand)
    ]
    return any(value is not None and 0xFF00 <= value <= 0xFFFF for value in addresses)


def _write_distance(expression: Expression, pc_shift: int, asm: Assembly) -> None:
    """The distance of a JR from the byte behind it."""
    sections, symbols = asm.sections, asm.symbols
    if not sections.require_code():
        return
    pc, target = symbols.find_exact("@"), expression.symbol
    if not asm.expressions.have_constant_distance(target, pc):
        sections.write_patched(PatchKind.JR, expression, pc_shift)
        return
    assert target is not None
    if target is pc:
        distance = -2
    else:
        distance = (symbols.offset(target) - (sections.offset + 1) + 0x8000) % 0x10000 - 0x8000
    if not -128 <= distance <= 127:
        asm.report.error(
            f"`JR` target must be between -128 and 127 bytes away, not {distance}; use `JP` instead"
        )
        distance = 0
    sections.write((distance & 0xFF).to_bytes(1, "little"))


def encode(
    mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions
) -> Encoded | None:
    """The bytes of an instruction. Reports what is wrong with it, and gives None.

    ``mnemonic`` may be in any case. Values that do not fit are reported too, but have an encoding.
    """
    mnemonic, operands = plain_form(mnemonic.lower(), operands)
    encoded = _encode(mnemonic, operands, expressions)
    if encoded is None:
        message, help = refusal(mnemonic, operands)
        expressions.report.error(message, help=help)
    return encoded


def _encode(
    mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions
) -> Encoded | None:
    if mnemonic == "stop":
        return _stop(operands, expressions)
    if mnemonic == "rst":
        return _restart(operands, expressions)
    if mnemonic in BITS:
        return _bit(mnemonic, operands, expressions)
    opcode = opcode_for(mnemonic, operands)
    if opcode is None:
        return None
    for operand in operands:
        if isinstance(operand, HighMemory) and expressions.constant(operand.base) != 0xFF00:
            message = "Base value must be equal to $FF00 for [$FF00+C]"
            expressions.report.error(message)
    return _fill(opcode, operands, expressions)


def opcode_for(mnemonic: str, operands: tuple[Operand, ...]) -> Encoding | None:
    """The row of the table that has these operands."""
    if mnemonic == "ld" and any(isinstance(operand, HighMemory) for operand in operands):
        mnemonic = "ldh"
    opcode = _row(mnemonic, tuple(map(templates, operands)))
    return None if opcode is None or not _fits(opcode, operands) else opcode


@cache
def _row(mnemonic: str, forms: tuple[tuple[str, ...], ...]) -> Encoding | None:
    """The first row of the table with one of the forms that each operand has."""
    known = encodings_of("sm83").get(mnemonic, {})
    for template in map(", ".join, product(*forms)):
        if template in known:
            return known[template]
    return None


def _fits(opcode: Encoding, operands: tuple[Operand, ...]) -> bool:
    """Whether what looks alike is alike: condition and register c, addresses and bytes."""
    for operand in operands:
        if isinstance(operand, Condition) and not opcode.conditional:
            return False
        if isinstance(operand, Immediate) and operand.is_literal and width(opcode) < 16:
            return False
    return True


def width(opcode: Encoding) -> int:
    """Bits that a value may have without a warning; an a8 and a jump's target are addresses."""
    is_byte = opcode.placeholder == "n8" or (opcode.placeholder, opcode.mnemonic) in _DISTANCES
    return 8 if is_byte else 16


def _value(operand: Operand) -> Expression | None:
    match operand:
        case Immediate(value):
            return value
        case MemoryOperand(address):
            return address
        case StackOffset(distance):
            return distance
    return None


def _fill(opcode: Encoding, operands: tuple[Operand, ...], expressions: Expressions) -> Encoded:
    """An opcode with its value, which is checked."""
    code = opcode.prefix + bytes([opcode.byte])
    if not opcode.placeholder:
        return Encoded(code)
    value = next(filter(None, map(_value, operands)), None)
    if value is None:
        return Encoded(code)
    expressions.check_bits(value, width(opcode))
    if opcode.placeholder == "e8" and opcode.mnemonic == "jr":
        return Encoded(code, value, PatchKind.JR)
    if opcode.placeholder == "a8":
        value = expressions.check_hram(value)
    wide = opcode.placeholder.endswith("16")
    return Encoded(code, value, PatchKind.WORD if wide else PatchKind.BYTE)


def _stop(operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    """The CPU skips the byte behind STOP: it is 0 unless the source names another."""
    code = bytes([encodings_of("sm83")["stop"][""].byte])
    match operands:
        case ():
            return Encoded(code + b"\0")
        case (Immediate(value, is_literal=False),):
            expressions.check_bits(value, 8)
            return Encoded(code, value)
    return None


def _restart(operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    match operands:
        case (Immediate(value, is_literal=False),):
            expressions.check_bits(value, 8)
            return Encoded(b"", expressions.check_rst(value), pc_back=0)
    return None


def _bit(mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    match operands:
        case (Immediate(value, is_literal=False), Register(text)):
            opcode = bit_opcode(mnemonic, text)
            if opcode is not None:
                expressions.check_bits(value, 3)
                value = expressions.check_bit_index(value, opcode.byte, mnemonic)
                return Encoded(opcode.prefix, value, pc_back=0)
    return None


def bit_opcode(mnemonic: str, register: str) -> Encoding | None:
    """The row of BIT, RES or SET with bit 0 of a register, or of ``[hl]``."""
    return encodings_of("sm83")[mnemonic].get(f"0, {register}")
