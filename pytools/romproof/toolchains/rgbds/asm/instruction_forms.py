"""The forms of instructions: how operands may be written, and what is said of wrong ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from romproof.isa.encodings import encodings_of
from romproof.toolchains.rgbds.asm.operands import (
    Condition,
    HighMemory,
    Immediate,
    MemoryOperand,
    Operand,
    Register,
    StackOffset,
)

BITS = frozenset({"bit", "res", "set"})
"""Their first operand is the number of a bit, which the table spells out."""
_ACCUMULATOR = frozenset({"adc", "add", "and", "cp", "or", "sbc", "sub", "xor"})
"""Their first operand may be left out if it is ``a``."""
_MOVING = {"ldi": "[hl+]", "ldd": "[hl-]"}
"""Names of LD that change HL; their operand is ``[hl]``."""

_DISTANCE = "sp + e8"
_NUMBERS = ("n8", "n16", "a16", "e8")
_ADDRESSES = ("[a16]", "[a8]")


def plain_form(mnemonic: str, operands: tuple[Operand, ...]) -> tuple[str, tuple[Operand, ...]]:
    """Other forms of an instruction, as the table writes it."""
    accumulator = Register("a")
    if mnemonic in _ACCUMULATOR and len(operands) == 1:
        return mnemonic, (accumulator, *operands)
    if mnemonic == "cpl" and operands == (accumulator,):
        return mnemonic, ()
    if mnemonic in _MOVING and Register("[hl]") in operands and accumulator in operands:
        moving = Register(_MOVING[mnemonic])
        return "ld", tuple(accumulator if each == accumulator else moving for each in operands)
    return mnemonic, operands


def templates(operand: Operand) -> tuple[str, ...]:
    """What the table may call an operand; of numbers, the narrowest first."""
    if isinstance(operand, Register):
        return (operand.text,)
    match operand:
        case Condition(text):
            return (text,)
        case Immediate():
            return _NUMBERS
        case MemoryOperand():
            return _ADDRESSES
        case StackOffset():
            return (_DISTANCE,)
        case HighMemory():
            return ("[c]",)


def refusal(mnemonic: str, operands: tuple[Operand, ...]) -> tuple[str, str | None]:
    """What is wrong when no row of the table fits, and what there is instead."""
    written = f"{mnemonic} {', '.join(map(_shown, operands))}".strip().upper()
    message = f'"{written}" is not a valid instruction'
    instead = _instead(mnemonic, operands)
    if instead:
        return f"{message}; use {instead}", None
    return message, "there " + _forms_text(mnemonic, operands)


def _shown(operand: Operand) -> str:
    """An operand in messages; numbers by what they are for."""
    match operand:
        case Register(text) | Condition(text):
            return text
        case Immediate():
            return "n"
        case MemoryOperand():
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
    firsts = templates(operands[0]) if operands else ()
    close = [form for form in forms if form.split(", ")[0] in firsts] or list(forms)
    return f"is {mnemonic.upper()} " + " | ".join(_group(close))


def _group(forms: list[str]) -> list[str]:
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
    for template in encodings_of("sm83").get(name, {}):
        if mnemonic in BITS:
            template = "n, " + template.partition(", ")[2]
        elif mnemonic == "rst":
            template = "n8"
        elif mnemonic in _MOVING:
            if _MOVING[mnemonic] not in template:
                continue
            template = template.replace(_MOVING[mnemonic], "[hl]")
        forms[template] = None
    return forms
