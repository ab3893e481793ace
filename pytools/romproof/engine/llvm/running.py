"""Compiled code as something to call, and what it means when it comes back with a fault."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from romproof.engine import faults
from romproof.engine.faults import CpuFault, check_stack
from romproof.engine.llvm.compile import compiled
from romproof.engine.llvm.interpreter import FUNCTION, interpreter
from romproof.engine.llvm.state import Code
from romproof.engine.llvm.weave import Weave
from romproof.engine.stack import moves
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.microcode import Kind

Run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
SLICE = 10_000_000
"""Cycles after which compiled code comes back to see whether there was a signal: a few hundredths
of a second, in which the call costs nothing that could be measured."""


@cache
def interpreter_for(weave: Weave) -> Any:
    """The compiled interpreter of a variant: a function of the state's address."""
    code = compiled(repr(weave), FUNCTION, lambda: interpreter(weave))
    return Run(code.address)


def fault_of(cpu: Cpu, code: Code, state: Any) -> CpuFault:
    """What a code that is not among the exits means; ``state`` as it was left."""
    if code is Code.ROM_WRITE:
        return faults.rom_write(state.fault_address, state.fault_value)
    if code is Code.BRK:
        return faults.brk()
    number = state.fault_number
    if code is Code.JAM:
        return faults.jam(cpu.opcodes[number])
    move = moves(cpu)[number]
    before = getattr(state, f"r_{cpu.stack}")
    assert move is not None
    wrong = check_stack(cpu, number, move, before, state.fault_stack, state.stack_top)
    assert wrong is not None
    return wrong


def buffer_address(buffer: Any) -> int:
    """Where the bytes of a buffer are."""
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


@cache
def acknowledged_line(cpu: str) -> str:
    """The line that a CPU answers when it serves an interrupt; its microcode has but one."""
    steps = (step for microcode in cpu_named(cpu).microcode for step in microcode.steps)
    (line,) = {step.signal for step in steps if step.kind is Kind.ACKNOWLEDGE and step.signal}
    return line
