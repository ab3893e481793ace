"""Where compiled code notes what was executed: by address, or by place in the store."""

from __future__ import annotations

from typing import Any

from romproof.engine.llvm.frame import I8, I16, I64, Frame
from romproof.isa.algebra import Op, Value
from romproof.isa.microcode import Microcode, StepKind


def find_explored_cell(frame: Frame, address: Any, banked: bool) -> Any:
    """Where it is noted what was executed at an address."""
    b = frame.builder
    place = place_of(frame, address) if banked else b.zext(address, I64)
    return b.gep(frame.pointer("explored"), [place])


def note_explored(frame: Frame, address: Any, bits: int, banked: bool) -> None:
    """Note of an address that it was executed (1), that execution may begin there (2)."""
    b = frame.builder
    if banked:
        note_place(frame, address)
    cell = find_explored_cell(frame, address, banked)
    b.store(b.or_(b.load(cell), I8(bits)), cell)


def note_led_to(frame: Frame, address: Any, returns: bool, banked: bool) -> None:
    """Note where a jump has led, or what ``returns``.

    Returns note it only where nothing was executed so far. What follows a call is known without
    them, and those of handlers lead to any instruction: if each of them were a place to begin at,
    the interpreter would come back there, and nothing would be translated as a line.
    """
    if not returns:
        note_explored(frame, address, 2, banked)
        return
    b = frame.builder
    there = b.load(find_explored_cell(frame, address, banked))
    with b.if_then(b.icmp_unsigned("==", there, I8(0))):
        note_explored(frame, address, 2, banked)


def note_place(frame: Frame, address: Any) -> None:
    """Note in which page of the CPU's memory a page of the store is executed."""
    b = frame.builder
    page = b.lshr(place_of(frame, address), I64(8))
    high = b.trunc(b.lshr(address, I16(8)), I8)
    b.store(high, b.gep(frame.pointer("where"), [page]))


def place_of(frame: Frame, address: Any) -> Any:
    """The place in the store that is read at an address."""
    b = frame.builder
    wide = b.zext(address, I64)
    page = b.gep(frame.pointer("read_pages"), [b.lshr(wide, I64(8))])
    return b.add(b.zext(b.load(page), I64), b.and_(wide, I64(0xFF)))


def leads_anywhere(microcode: Microcode) -> bool:
    """Whether the instruction's code alone does not say where execution goes on."""
    target = microcode.result("pc")
    return target is not None and not _in_code(target, microcode)


def _in_code(value: Value, microcode: Microcode) -> bool:
    """Whether a value depends on the program counter, operands and conditions only."""
    match value.op:
        case Op.REGISTER:
            return value.name == "pc"
        case Op.INPUT:
            return microcode.steps[value.number].kind is StepKind.OPERAND
        case Op.SELECT:
            return all(_in_code(arg, microcode) for arg in value.args[1:])
    return all(_in_code(arg, microcode) for arg in value.args)
