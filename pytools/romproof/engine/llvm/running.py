"""Compiled code as something to call, and what it means when it comes back with a fault."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from llvmlite import ir

from romproof.engine import faults
from romproof.engine.faults import CpuFault, check_stack
from romproof.engine.llvm import compile
from romproof.engine.llvm.compile import CompiledCode, recall
from romproof.engine.llvm.interpreter import FUNCTION, interpreter
from romproof.engine.llvm.state import ExitCode, state_type
from romproof.engine.llvm.weave import Weave
from romproof.engine.stack import moves
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.microcode import StepKind

RunFunction = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
WORTH_OPTIMISING = 250_000_000
"""Cycles after which an interpreter is optimised; 0: at once. Until then it takes some 0.9 s longer
than an optimised one; to optimise it takes one to four seconds."""
SLICE = 10_000_000
"""Cycles after which compiled code comes back to see whether there was a signal: a few hundredths
of a second, in which the call costs nothing that could be measured."""


class Interpreter:
    """The interpreter of a variant in machine code: a function of the state's address.

    It is compiled without optimisation first, which takes a fifth of the time: most runs are over
    before they would have made up for the rest. When it has executed ``WORTH_OPTIMISING`` cycles,
    it is compiled anew; what is optimised is cached, and at hand the next time.
    """

    def __init__(self, weave: Weave) -> None:
        self._weave, self._key = weave, repr(weave)
        known = recall(self._key, FUNCTION) if compile.optimised else None
        quickly = known is None and (WORTH_OPTIMISING > 0 or not compile.optimised)
        self._may_improve = quickly and compile.optimised
        self._left = WORTH_OPTIMISING
        described: Any = state_type(weave.cpu).cycles
        self._cycles = int(described.offset)
        self._use(known or self._compile(optimise=not quickly))

    def __call__(self, state: int) -> int:
        if not self._may_improve:
            return int(self._run(state))
        cycles = ctypes.c_uint64.from_address(state + self._cycles)
        start = cycles.value
        code = int(self._run(state))
        self.count(cycles.value - start)
        return code

    @property
    def address(self) -> int:
        """Where it is now."""
        return self._address

    def note(self, cycles: int) -> None:
        """So many cycles were executed."""
        self._left -= cycles

    def improve(self) -> None:
        """Optimise it, if that is worth it by now. It takes seconds, which Ctrl-C ends in the main
        thread only."""
        if self._left <= 0:
            self.optimise()

    def count(self, cycles: int) -> None:
        """Both: for who has no other threads at work."""
        self.note(cycles)
        self.improve()

    def optimise(self) -> Interpreter:
        """Itself, optimised: for who holds on to the address."""
        if self._may_improve:
            self._use(self._compile(optimise=True))
            self._may_improve = False
        return self

    def _compile(self, optimise: bool) -> CompiledCode:
        def make() -> ir.Module:
            return interpreter(self._weave, compact=not optimise)

        return compile.compile_module(self._key, FUNCTION, make, optimise)

    def _use(self, code: CompiledCode) -> None:
        self._address, self._run = code.address, RunFunction(code.address)


@cache
def interpreter_for(weave: Weave) -> Interpreter:
    """The compiled interpreter of a variant."""
    return Interpreter(weave)


class EngineVariant:
    """The variant of an engine, and its interpreter: each run asks for both, and most ask for the
    same as the one before."""

    def __init__(self) -> None:
        self._features: tuple[Any, ...] = ()
        self._weave = self._runs = Weave("")
        self._interpreter: Interpreter | None = None

    def weave(self, features: tuple[Any, ...]) -> Weave:
        """The variant with these features: the first of Weave, in order, and whether to probe."""
        if features != self._features:
            *first, probe = self._features = features
            self._weave = Weave(*first, probe=probe)  # type: ignore[misc]
        return self._weave

    def interpreter(self, weave: Weave) -> Interpreter:
        """What executes a variant."""
        if self._interpreter is None or weave is not self._runs:
            self._runs, self._interpreter = weave, interpreter_for(weave)
        return self._interpreter


def fault_of(cpu: Cpu, code: ExitCode, state: Any) -> CpuFault:
    """What a code that is not among the exits means; ``state`` as it was left."""
    if code is ExitCode.ROM_WRITE:
        return faults.rom_write(state.fault_address, state.fault_value)
    if code is ExitCode.BRK:
        return faults.brk()
    number = state.fault_number
    if code is ExitCode.JAM:
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
def find_acknowledge_line(cpu: str) -> str:
    """The line that a CPU answers when it serves an interrupt; its microcode has but one."""
    steps = (step for microcode in cpu_named(cpu).microcode for step in microcode.steps)
    (line,) = {step.signal for step in steps if step.kind is StepKind.ACKNOWLEDGE and step.signal}
    return line
