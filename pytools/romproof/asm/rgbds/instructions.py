"""Instructions to bytes. Which operands there are, and their opcodes, the CPU's table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from romproof.asm.rgbds.expression import Expression, Expressions
from romproof.asm.rgbds.operands import (
    Condition,
    HighMemory,
    Immediate,
    Memory,
    Operand,
    Register,
    StackOffset,
)
from romproof.isa.codec import encodings
from romproof.isa.model import Opcode
from romproof.obj.rgbds.model import PatchKind

if TYPE_CHECKING:
    from romproof.asm.rgbds.assembler import Assembler


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


_ACCUMULATOR = frozenset({"adc", "add", "and", "cp", "or", "sbc", "sub", "xor"})
"""Their first operand may be left out if it is ``a``."""
_MOVING = {"ldi": "[hl+]", "ldd": "[hl-]"}
"""Names of LD that change HL; their operand is ``[hl]``."""
_BITS = frozenset({"bit", "res", "set"})

_DISTANCE = "sp + e8"
_NUMBERS = ("n8", "n16", "a16", "e8")
_ADDRESSES = ("[a16]", "[a8]")
_WIDTHS = {"n8": 8, "e8": 8, "n16": 16, "a16": 16, "a8": 16}
"""Bits that a value may have without a warning; an a8 is written as a whole address."""


def write(mnemonic: str, operands: Sequence[Operand], asm: Assembler) -> None:
    """Put an instruction into the current section. Reports what is wrong with it."""
    encoded = encode(mnemonic, tuple(operands), asm.expressions)
    if encoded is None:
        return
    if encoded.code:
        asm.sections.write(encoded.code)
    if encoded.value is None:
        return
    if encoded.kind is PatchKind.JR:
        asm.sections.write_distance(encoded.value, encoded.pc_back)
    else:
        asm.sections.write_value(encoded.value, encoded.kind.size, encoded.pc_back)


def encode(
    mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions
) -> Encoded | None:
    """The bytes of an instruction. Reports what is wrong with it, and gives None.

    ``mnemonic`` may be in any case. Values that do not fit are reported too, but have an encoding.
    """
    mnemonic, operands = _plain_form(mnemonic.lower(), operands)
    if mnemonic == "stop":
        return _stop(operands, expressions)
    if mnemonic == "rst":
        return _restart(operands, expressions)
    if mnemonic in _BITS:
        return _bit(mnemonic, operands, expressions)
    if any(isinstance(operand, HighMemory) for operand in operands):
        mnemonic, operands = _with_high_memory(mnemonic, operands, expressions)
    known = encodings("sm83").get(mnemonic, {})
    for template in map(", ".join, product(*map(_templates, operands))):
        if template in known:
            return _filled(known[template], operands, expressions)
    _refuse(mnemonic, operands, expressions)
    return None


def _plain_form(mnemonic: str, operands: tuple[Operand, ...]) -> tuple[str, tuple[Operand, ...]]:
    """Other ways to write an instruction, as the table writes it."""
    accumulator = Register("a")
    if mnemonic in _ACCUMULATOR and len(operands) == 1:
        return mnemonic, (accumulator, *operands)
    if mnemonic == "cpl" and operands == (accumulator,):
        return mnemonic, ()
    if mnemonic in _MOVING and Register("[hl]") in operands and accumulator in operands:
        moving = Register(_MOVING[mnemonic])
        return "ld", tuple(accumulator if each == accumulator else moving for each in operands)
    return mnemonic, operands


def _with_high_memory(
    mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions
) -> tuple[str, tuple[Operand, ...]]:
    """``ld [$ff00 + c], a`` is what the table calls ``ldh [c], a``."""
    plain: list[Operand] = []
    for operand in operands:
        if isinstance(operand, HighMemory):
            if expressions.constant(operand.base) != 0xFF00:
                message = "Base value must be equal to $FF00 for [$FF00+C]"
                expressions.asm.report.error(message)
            operand = Register("[c]")
        plain.append(operand)
    return "ldh" if mnemonic == "ld" else mnemonic, tuple(plain)


def _templates(operand: Operand) -> tuple[str, ...]:
    """What the table may call an operand; of numbers, the narrowest first."""
    match operand:
        case Register(text) | Condition(text):
            return (text,)
        case Immediate():
            return _NUMBERS
        case Memory():
            return _ADDRESSES
        case StackOffset():
            return (_DISTANCE,)
        case HighMemory():
            return ("[c]",)


def _value(operand: Operand) -> Expression | None:
    match operand:
        case Immediate(value):
            return value
        case Memory(address):
            return address
        case StackOffset(distance):
            return distance
    return None


def _filled(opcode: Opcode, operands: tuple[Operand, ...], expressions: Expressions) -> Encoded:
    """An opcode with its value, which is checked."""
    code = opcode.prefix + bytes([opcode.byte])
    value = next(filter(None, map(_value, operands)), None)
    if value is None:
        return Encoded(code)
    if opcode.placeholder == "e8" and opcode.mnemonic == "jr":
        expressions.check_bits(value, 16)
        return Encoded(code, value, PatchKind.JR)
    expressions.check_bits(value, _WIDTHS[opcode.placeholder])
    if opcode.placeholder == "a8":
        value = expressions.check_hram(value)
    wide = opcode.placeholder.endswith("16")
    return Encoded(code, value, PatchKind.WORD if wide else PatchKind.BYTE)


def _stop(operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    """The CPU skips the byte behind STOP: it is 0 unless the source names another."""
    code = bytes([encodings("sm83")["stop"][""].byte])
    match operands:
        case ():
            return Encoded(code + b"\0")
        case (Immediate(value),):
            expressions.check_bits(value, 8)
            return Encoded(code, value)
    _refuse("stop", operands, expressions)
    return None


def _restart(operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    match operands:
        case (Immediate(value),):
            expressions.check_bits(value, 8)
            return Encoded(b"", expressions.check_rst(value), pc_back=0)
    _refuse("rst", operands, expressions)
    return None


def _bit(mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions) -> Encoded | None:
    match operands:
        case (Immediate(value), Register(text)):
            opcode = encodings("sm83")[mnemonic].get(f"0, {text}")
            if opcode is not None:
                expressions.check_bits(value, 3)
                value = expressions.check_bit_index(value, opcode.byte, mnemonic)
                return Encoded(opcode.prefix, value, pc_back=0)
    _refuse(mnemonic, operands, expressions)
    return None


# -- messages -------------------------------------------------------------------------------


def _refuse(mnemonic: str, operands: tuple[Operand, ...], expressions: Expressions) -> None:
    written = f"{mnemonic} {', '.join(map(_shown, operands))}".strip().upper()
    instead = _instead(mnemonic, operands)
    message = f'"{written}" is not a valid instruction'
    if instead:
        expressions.asm.report.error(f"{message}; use {instead}")
    else:
        help = "there " + _forms_text(mnemonic, operands)
        expressions.asm.report.error(message, help=help)


def _shown(operand: Operand) -> str:
    """An operand in messages; numbers by what they are for."""
    match operand:
        case Register(text) | Condition(text):
            return text
        case Immediate():
            return "n"
        case Memory():
            return "[n]"
        case HighMemory():
            return "[$ff00 + c]"
        case StackOffset():
            return "sp + n"


def _instead(mnemonic: str, operands: tuple[Operand, ...]) -> str:
    """What was probably meant, where two registers were to be copied at once."""
    match mnemonic, operands:
        case "ld", (Register("hl"), Register("sp")):
            return '"LD HL, SP + 0"'
        case "ld", (Register(left), Register(right)) if {left, right} <= {"bc", "de", "hl"}:
            pairs = zip(left.upper(), right.upper(), strict=True)
            return " and ".join(f'"LD {to}, {source}"' for to, source in pairs)
    return ""


def _forms_text(mnemonic: str, operands: tuple[Operand, ...]) -> str:
    """The operands that the mnemonic has, if possible behind the first one that was given."""
    forms = _forms(mnemonic)
    if not forms:
        return f'is no "{mnemonic.upper()}"'
    if "" in forms and len(forms) == 1:
        return f"is {mnemonic.upper()} without operands"
    firsts = _templates(operands[0]) if operands else ()
    close = [form for form in forms if form.split(", ")[0] in firsts] or list(forms)
    return f"is {mnemonic.upper()} " + " | ".join(_grouped(close))


def _grouped(forms: list[str]) -> list[str]:
    """Forms with the same first operand as one: ``b, a/c/d/n8``."""
    groups: dict[str, list[str]] = {}
    for form in forms:
        head, _, tail = form.partition(", ")
        groups.setdefault(head, []).append(tail)
    if len(groups) > 1 and all(tails == [""] for tails in groups.values()):
        return ["/".join(groups)]
    return [
        head if tails == [""] else f"{head}, {'/'.join(filter(None, tails))}"
        for head, tails in groups.items()
    ]


@cache
def _forms(mnemonic: str) -> Mapping[str, None]:
    """Operand templates of a mnemonic, bit numbers and restart vectors as numbers; in order."""
    forms: dict[str, None] = {}
    name = "ld" if mnemonic in _MOVING else mnemonic
    for template in encodings("sm83").get(name, {}):
        if mnemonic in _BITS:
            template = "n, " + template.partition(", ")[2]
        elif mnemonic == "rst":
            template = "n8"
        elif mnemonic in _MOVING:
            if _MOVING[mnemonic] not in template:
                continue
            template = template.replace(_MOVING[mnemonic], "[hl]")
        forms[template] = None
    return forms
