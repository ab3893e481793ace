"""What is rare and long, as functions of their own: special writes, a look at interrupt lines."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from romproof.engine.llvm.frame import BYTES, I8, I16, I32, I64, Frame
from romproof.engine.space import CODE, ON_WRITE, WRITE_CALL
from romproof.isa.cpu import Cpu

_NAME = "write_specially"
_KIND = ir.FunctionType(I8, (BYTES, I16, I8, I64, I8))


def special_read(module: ir.Module, cpu: Cpu, chips: bool) -> ir.Function:
    """``read_specially(state, address, cycle, dummy)``: the byte Python gives."""
    name = "read_specially"
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(I8, (BYTES, I16, I64, I8)), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    _state, address, cycle, dummy = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    frame = Frame(cpu, function, b)
    if chips:
        with b.if_then(is_known(frame, address, cycle)):
            b.ret(frame.load("known_value"))
    b.ret(frame.ask(chips, "read_call", address, cycle, dummy))
    return function


def is_known(frame: Frame, address: Any, cycle: Any) -> Any:
    """Whether the instruction has read there before, and would read the same again: what the
    device says of that is noted until a device does anything (see ``chips/module.py``)."""
    b = frame.builder
    in_time = b.icmp_unsigned("<", cycle, frame.load("known_until"))
    there = b.icmp_unsigned("==", address, frame.load("known_address"))
    here = b.icmp_unsigned("==", frame.load("current_pc"), frame.load("known_pc"))
    return b.and_(in_time, b.and_(there, here))


def passes(frame: Frame, action: Any, address: Any, cycle: Any) -> Any:
    """Whether a write is one to memory, as the device there says; see ``let_writes_pass``."""
    b = frame.builder
    in_time = b.icmp_unsigned("<", cycle, frame.load("open_until"))
    place = b.sub(address, frame.load("open_first"))
    there = b.icmp_unsigned("<", place, frame.load("open_size"))
    no_more = b.icmp_unsigned("==", b.and_(action, I8(ON_WRITE)), I8(WRITE_CALL))
    return b.and_(in_time, b.and_(there, no_more))


def special_write(module: ir.Module, cpu: Cpu, paged: bool, chips: bool) -> ir.Function:
    """``write_specially(state, address, value, cycle, dummy)``: 0 when the write is a fault.

    A byte of translated code that changes is noted in ``modified``; what is more than that is
    up to Python.
    """
    known: ir.Function | None = module.globals.get(_NAME)
    if known is not None:
        return known
    function = ir.Function(module, _KIND, _NAME)
    function.linkage = "internal"
    function.attributes.add("noinline")
    _state, address, value, cycle, dummy = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    frame = Frame(cpu, function, b)
    frame.load_pointers(store=I8, actions=I8, read_pages=I32, write_pages=I32)
    action = b.load(b.gep(frame.pointer("actions"), [b.zext(address, I64)]))
    if chips:
        with b.if_then(passes(frame, action, address, cycle)):
            b.store(value, cell(frame, address, "write_pages", paged))
            b.ret(I8(1))
    old = b.load(cell(frame, address, "read_pages", paged))
    is_code = b.icmp_unsigned("!=", b.and_(action, I8(CODE)), I8(0))
    with b.if_then(b.and_(is_code, b.icmp_unsigned("!=", old, value))):
        frame.store("modified", I8(1))
    with b.if_then(b.icmp_unsigned("!=", b.and_(action, I8(ON_WRITE & ~CODE)), I8(0))):
        b.ret(frame.ask(chips, "write_call", address, value, cycle, dummy))
    b.store(value, cell(frame, address, "write_pages", paged))
    b.ret(I8(1))
    return function


def special_signal(module: ir.Module, cpu: Cpu, line: str, width: int, chips: bool) -> ir.Function:
    """``look_at_<line>(state, cycle)``: its state, after the devices' clocks have advanced."""
    name = f"look_at_{line}"
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    kind = ir.FunctionType(ir.IntType(width), (BYTES, I64))
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    now = function.args[1]
    b = ir.IRBuilder(function.append_basic_block("entry"))
    frame = Frame(cpu, function, b)
    late = b.icmp_unsigned("<=", frame.load("horizon"), now)
    with b.if_then(late):
        frame.ask(chips, "signal_call", now)
    if line in ("pending", "waking"):
        pending = b.and_(b.and_(frame.load("enabled"), frame.load("requested")), I8(0x1F))
        if line == "waking":
            is_late = b.icmp_unsigned("<", now, frame.load("late_until"))
            late = b.select(is_late, frame.load("late"), I8(0))
            pending = b.and_(pending, b.not_(late))
        b.ret(pending)
    else:
        since = frame.load({"nmi": "nmi_at", "irq": "irq_from"}[line])
        b.ret(b.icmp_unsigned("<", since, now))
    return function


def cell(frame: Frame, address: Any, pages: str, paged: bool) -> Any:
    """Where the byte of an address is."""
    b = frame.builder
    place = b.zext(address, I64)
    if paged:
        page = b.gep(frame.pointer(pages), [b.lshr(place, I64(8))])
        place = b.add(b.zext(b.load(page), I64), b.and_(place, I64(0xFF)))
    return b.gep(frame.pointer("store"), [place])
