"""Addresses, bytes and conditions of the microcode in words, for the pages of cycle_tables.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from romproof.isa.algebra import Op, Value, cat, input_of, register
from romproof.isa.microcode import Microcode, StepKind
from romproof.isa.model import Opcode


def names_of(microcode: Microcode, opcode: Opcode | None) -> dict[Value, str]:
    """What the bytes that the steps bring are called, and the pairs of registers."""
    names = {cat(register(a, 8), register(b, 8)): a + b for a, b in ("bc", "de", "hl")}
    for number, step in enumerate(microcode.steps):
        brought = input_of(number, step.width or 1)
        names[brought] = {StepKind.OPERAND: "operand", StepKind.READ: "data"}.get(
            step.kind, "ignored"
        )
        if step.kind is StepKind.SIGNAL:
            names[brought] = step.signal.upper()
        elif step.kind is StepKind.OPERAND and opcode and opcode.placeholder == "e8":
            names[brought] = names[brought.extend_sign(16)] = "distance"
    words = list(dict.fromkeys(_words_in(microcode)))
    for high, low in words:
        pointer = "pointer " if (high, low) != words[-1] else ""  # jmp (a16) has two words
        kind = "operand" if names[low] == "operand" else "address"
        names[high], names[low] = f"{pointer}high", f"{pointer}low"
        names[cat(high, low)] = pointer.strip() or kind
    return names


def _words_in(microcode: Microcode) -> Iterator[tuple[Value, Value]]:
    """High and low byte of the words that the steps bring."""
    steps = microcode.steps
    operands = [input_of(n, 8) for n, step in enumerate(steps) if step.kind is StepKind.OPERAND]
    if len(operands) == 2:
        yield operands[1], operands[0]
    values = [step.address for step in steps if step.address]
    values += [value for _, value in microcode.results]
    while values:
        value = values.pop(0)
        match value:
            case Value(op=Op.CONCAT, args=(Value(op=Op.INPUT) as high, Value(op=Op.INPUT) as low)):
                yield high, low
        values += value.args


def text(value: Value, names: Mapping[Value, str]) -> str:
    """A value as a short formula; "result" when it has none."""
    if value in names:
        return names[value]
    parts = [text(arg, names) for arg in value.args]
    match value:
        case Value(op=Op.CONST):
            return f"${value.number:0{value.width // 4}X}"
        case Value(op=Op.REGISTER, width=1) | Value(op=Op.NOT, args=(Value(op=Op.REGISTER),)):
            return "the condition holds"
        case Value(op=Op.REGISTER):
            return value.name
        case Value(op=Op.NOT, args=(Value(op=Op.EQUAL),)):
            return "a page is crossed"
        case Value(op=Op.AND, width=1):
            return " and ".join(parts)
        case Value(op=Op.SELECT):
            return f"({parts[1]} if {parts[0]}, else {parts[2]})"
        case Value(op=Op.CONCAT, width=8):
            return "flags"
        case Value(op=Op.CONCAT, args=(Value(op=Op.CONST, number=0), _)):
            return parts[1]
        case Value(op=Op.CONCAT):
            return ":".join(f"({part})" if _is_sum(part) else part for part in parts)
        case Value(op=Op.EXTRACT, number=8):
            return f"high({parts[0]})"
        case Value(op=Op.EXTRACT, args=(Value(op=Op.ADD, args=(a, b)),)) if a[0:8] in names:
            return text(a[0:8] + b[0:8], names)
        case Value(op=Op.EXTRACT):
            return f"low({parts[0]})"
        case Value(op=Op.ADD | Op.SUB, args=(_, Value(op=Op.CONST))):
            return _with_one_constant(value, names)
        case Value(op=Op.ADD):
            return " + ".join(parts)
    return "result"


def _is_sum(part: str) -> bool:
    return re.search(" [+-] ", re.sub(r"\(.*\)", "", part)) is not None


def _with_one_constant(value: Value, names: Mapping[Value, str]) -> str:
    """``pc + 2``: all constants that are added or taken away as one."""
    rest, constant, half = value, 0, 1 << (value.width - 1)
    while rest.op in (Op.ADD, Op.SUB) and rest.args[1].op is Op.CONST:
        number = rest.args[1].number
        constant += number if rest.op is Op.ADD else -number
        rest = rest.args[0]
    constant = (constant + half) % (2 * half) - half
    return text(rest, names) + (f" {'-+'[constant > 0]} {abs(constant)}" if constant else "")
