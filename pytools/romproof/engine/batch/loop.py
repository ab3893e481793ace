"""The loop over many runs as an LLVM module, so that Python takes no part in it.

It calls the compiled interpreter, or any other function of the same kind, through a pointer:
one call a run costs nothing that could be measured.
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.frame import BYTES, I8, I16, I32, I64
from romproof.engine.llvm.state import ExitCode, state_type
from romproof.engine.space import OUTSIDE, PAGE, SIZE
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

FUNCTION = "run_all"
NOT_STARTED = 0xFF
"""In place of a Code: there is nothing that may be executed where the run begins."""


_COPY = ("address", "data", "size")
_JOB = (
    "count", "first", "paused", "budget", "stride", "state", "run", "memory", "pristine", "dirty",
    "actions", "registers", "limits", "rows", "patches", "patch_count", "outputs", "output_count",
)  # fmt: skip


class Copy(ctypes.Structure):
    """``size`` bytes at ``address`` that differ from run to run.

    Those of run n are at ``data`` + n * ``size``.
    """

    _fields_ = tuple((name, ctypes.c_uint64) for name in _COPY)


class RunRow(ctypes.Structure):
    """What came of one run. The names are those of the state (romproof.engine.llvm.state)."""

    _fields_ = (
        ("cycles", ctypes.c_uint64),
        ("instructions", ctypes.c_uint64),
        ("last_pc", ctypes.c_uint16),
        ("lowest_stack", ctypes.c_uint16),
        ("fault_address", ctypes.c_uint16),
        ("fault_number", ctypes.c_uint16),
        ("fault_stack", ctypes.c_uint16),
        ("fault_value", ctypes.c_uint8),
        ("code", ctypes.c_uint8),
        ("opcode", ctypes.c_uint8),
    )


RUN = 256
"""What a run costs of a budget besides its cycles: it is brought into memory and out again."""


class LoopJob(ctypes.Structure):
    """What calls of the loop do; from ``stride`` on, all but that are addresses.

    A call makes the runs from ``first`` up to ``count``, or as many as ``budget`` cycles allow,
    and sets ``first`` to where the next one is to go on; ``paused`` is 1 when the state holds a
    run that has begun.

    The memory of run n is at ``memory`` + n * ``stride``. With ``stride`` 0 all runs share one
    memory, and after each what it wrote is taken again from ``pristine``. ``registers`` has one
    row of 16-bit numbers for each run, in the order of the CPU's registers, and gets the results.
    """

    _fields_ = tuple((name, ctypes.c_uint64) for name in _JOB)


def loop(cpu: str) -> ir.Module:
    """A module with the function ``run_all(job)`` for a CPU."""
    module = ir.Module(name=f"{cpu} batch")
    _LoopBuilder(cpu_named(cpu), module).build()
    return module


class _LoopBuilder:
    """The function under construction."""

    def __init__(self, cpu: Cpu, module: ir.Module) -> None:
        self._cpu = cpu
        self._state_type = state_type(cpu.name)
        refuse = ir.Function(module, ir.FunctionType(I8, (I16, I8, I64, I8)), "refuse")
        refuse.linkage = "internal"
        ir.IRBuilder(refuse.append_basic_block()).ret(refuse.args[3])  # dummy writes are allowed
        self._refuse = refuse
        self._memcpy = module.declare_intrinsic("llvm.memcpy", [BYTES, BYTES, I64])
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), (BYTES,)), FUNCTION)
        self._left: Any = None
        self._function = function
        self._builder = b = ir.IRBuilder(function.append_basic_block("entry"))
        self._job = {name: b.load(self._field(function.args[0], LoopJob, name)) for name in _JOB}
        self._state = b.inttoptr(self._job["state"], BYTES)

    def build(self) -> None:
        """Emit everything."""
        b = self._builder
        # no address is special but for the read-only ones: a write there is a fault
        b.store(b.ptrtoint(self._refuse, I64), self._field(self._state, None, "write_call"))
        self._runs()
        b.ret_void()

    def _runs(self) -> None:
        """All runs, while there is budget."""
        b, function, job = self._builder, self._function, self._job
        given = function.args[0]
        self._left = left = b.alloca(I64, name="left")
        b.store(job["budget"], left)
        head, inside, after = (function.append_basic_block(n) for n in ("runs", "run", "done"))
        before = b.block
        b.branch(head)
        b.position_at_end(head)
        number = b.phi(I64)
        number.add_incoming(job["first"], before)
        b.store(number, self._field(given, LoopJob, "first"))
        more = b.icmp_unsigned("<", number, job["count"])
        b.cbranch(b.and_(more, b.icmp_signed(">", b.load(left), I64(0))), inside, after)
        b.position_at_end(inside)
        self._run(number)
        number.add_incoming(b.add(number, I64(1)), b.block)
        b.branch(head)
        b.position_at_end(after)

    def _run(self, number: Any) -> None:
        """One run, or as much of it as there is budget for."""
        b, job = self._builder, self._job
        memory = b.add(job["memory"], b.mul(number, job["stride"]))
        registers = b.add(job["registers"], b.mul(number, I64(2 * len(self._cpu.registers))))
        paused = self._field(self._function.args[0], LoopJob, "paused")
        with b.if_then(b.icmp_unsigned("==", b.load(paused), I64(0)), likely=True):
            b.store(memory, self._field(self._state, None, "store"))
            self._copies("patch", number, memory, inward=True)
            self._load_registers(registers)
            self._prepare()
        b.store(I64(0), paused)
        limit = b.load(self._at(self._job["limits"], b.mul(number, I64(8)), I64))
        code = self._slice(limit)
        cycles = b.load(self._field(self._state, None, "cycles"))
        limited = b.icmp_unsigned("==", code, I8(ExitCode.LIMIT))
        with b.if_then(b.and_(limited, b.icmp_unsigned("<", cycles, limit)), likely=False):
            b.store(I64(1), paused)
            b.ret_void()
        self._save_registers(registers)
        self._report(number, memory, code)
        self._copies("output", number, memory, inward=False)
        with b.if_then(b.icmp_unsigned("==", job["stride"], I64(0))):
            self._restore(memory)

    def _slice(self, limit: Any) -> Any:
        """Execute up to the limit or the end of the budget; the Code."""
        b = self._builder
        cycles = self._field(self._state, None, "cycles")
        start = b.load(cycles)
        left = b.load(self._left)
        enough = b.icmp_unsigned("<=", b.sub(limit, start), left)
        end = b.select(enough, limit, b.add(start, left))
        b.store(end, self._field(self._state, None, "limit"))
        code = self._call()
        used = b.add(b.sub(b.load(cycles), start), I64(RUN))
        b.store(b.sub(left, used), self._left)
        return code

    def _load_registers(self, row: Any) -> None:
        b = self._builder
        for place, name in enumerate(self._cpu.registers):
            field = self._field(self._state, None, f"r_{name}")
            value = b.load(self._at(row, I64(2 * place), I16))
            b.store(value if field.type.pointee == I16 else b.trunc(value, I8), field)

    def _save_registers(self, row: Any) -> None:
        b = self._builder
        for place, name in enumerate(self._cpu.registers):
            value = b.load(self._field(self._state, None, f"r_{name}"))
            value = value if value.type == I16 else b.zext(value, I16)
            b.store(value, self._at(row, I64(2 * place), I16))

    def _prepare(self) -> None:
        """The counters begin anew."""
        b = self._builder
        for name in ("cycles", "instructions"):
            b.store(I64(0), self._field(self._state, None, name))
        b.store(I8(0), self._field(self._state, None, "modified"))
        stack = b.load(self._field(self._state, None, f"r_{self._cpu.stack}"))
        lowest = stack if stack.type == I16 else b.zext(stack, I16)
        b.store(lowest, self._field(self._state, None, "lowest_stack"))
        pc = b.load(self._field(self._state, None, "r_pc"))
        b.store(pc, self._field(self._state, None, "last_pc"))

    def _call(self) -> Any:
        """Execute, if something may be executed there; the Code."""
        b = self._builder
        pc = b.zext(b.load(self._field(self._state, None, "r_pc")), I64)
        action = b.load(self._at(self._job["actions"], pc, I8))
        outside = b.icmp_unsigned("!=", b.and_(action, I8(OUTSIDE)), I8(0))
        before = b.block
        with b.if_then(b.not_(outside)):
            kind = ir.FunctionType(I32, (BYTES,)).as_pointer()
            code = b.call(b.inttoptr(self._job["run"], kind), (self._state,))
            inside = b.block
        result = b.phi(I32)
        result.add_incoming(I32(NOT_STARTED), before)
        result.add_incoming(code, inside)
        return b.trunc(result, I8)

    def _report(self, number: Any, memory: Any, code: Any) -> None:
        """Fill the row of the run."""
        b = self._builder
        row = b.add(self._job["rows"], b.mul(number, I64(ctypes.sizeof(RunRow))))
        row = b.inttoptr(row, BYTES)
        for name, _ in RunRow._fields_[:-2]:
            value = b.load(self._field(self._state, None, name))
            b.store(value, self._field(row, RunRow, name))
        b.store(code, self._field(row, RunRow, "code"))
        # the instruction that was executed last: after a fault that is where pc is again
        reached = b.icmp_unsigned("==", code, I8(0))
        pc, last = (b.load(self._field(self._state, None, n)) for n in ("r_pc", "last_pc"))
        place = b.zext(b.select(reached, last, pc), I64)
        b.store(b.load(self._at(memory, place, I8)), self._field(row, RunRow, "opcode"))

    def _copies(self, what: str, number: Any, memory: Any, inward: bool) -> None:
        """Bring this run's bytes into its memory, or out of it."""

        def copy(index: Any) -> None:
            b = self._builder
            address, data, size = self._copy(what, index)
            theirs = b.add(data, b.mul(number, size))
            here = b.add(memory, address)
            self._move(*((here, theirs) if inward else (theirs, here)), size)

        self._each(self._job[f"{what}_count"], copy)

    def _restore(self, memory: Any) -> None:
        """Bring a shared memory back to what it was: patches, and the pages that were written."""
        b, job = self._builder, self._job

        def patch(index: Any) -> None:
            address, _, size = self._copy("patch", index)
            self._move(b.add(memory, address), b.add(job["pristine"], address), size)

        def page(index: Any) -> None:
            dirty = self._at(job["dirty"], index, I8)
            with b.if_then(b.icmp_unsigned("!=", b.load(dirty), I8(0))):
                start = b.mul(index, I64(PAGE))
                self._move(b.add(memory, start), b.add(job["pristine"], start), I64(PAGE))
                b.store(I8(0), dirty)

        def eight_pages(index: Any) -> None:
            first = b.mul(index, I64(8))
            dirty = b.load(self._at(job["dirty"], first, I64))
            with b.if_then(b.icmp_unsigned("!=", dirty, I64(0)), likely=False):
                self._each(I64(8), lambda n: page(b.add(first, n)))

        self._each(job["patch_count"], patch)
        self._each(I64(SIZE // PAGE // 8), eight_pages)

    def _copy(self, what: str, index: Any) -> tuple[Any, Any, Any]:
        """Address, data and size of a Copy."""
        b = self._builder
        plural = {"patch": "patches", "output": "outputs"}[what]
        place = b.add(self._job[plural], b.mul(index, I64(ctypes.sizeof(Copy))))
        copy = b.inttoptr(place, BYTES)
        address, data, size = (b.load(self._field(copy, Copy, n)) for n in _COPY)
        return address, data, size

    def _move(self, to: Any, source: Any, size: Any) -> None:
        b = self._builder
        pointers = (b.inttoptr(to, BYTES), b.inttoptr(source, BYTES))
        b.call(self._memcpy, (*pointers, size, ir.IntType(1)(0)))

    def _each(self, count: Any, body: Any) -> None:
        """Emit ``body(index)`` for all indices below ``count``."""
        b, function = self._builder, self._function
        head, inside, after = (function.append_basic_block(n) for n in ("head", "each", "after"))
        before = b.block
        b.branch(head)
        b.position_at_end(head)
        index = b.phi(I64)
        index.add_incoming(I64(0), before)
        b.cbranch(b.icmp_unsigned("<", index, count), inside, after)
        b.position_at_end(inside)
        body(index)
        index.add_incoming(b.add(index, I64(1)), b.block)
        b.branch(head)
        b.position_at_end(after)

    def _at(self, base: Any, offset: Any, kind: Any) -> Any:
        """A pointer to ``offset`` bytes after the address ``base``."""
        b = self._builder
        return b.inttoptr(b.add(base, offset), kind.as_pointer())

    def _field(self, base: Any, structure: Any, name: str) -> Any:
        """A pointer to a field of a structure; of the state when ``structure`` is None."""
        described: Any = getattr(structure or self._state_type, name)
        kind = {1: I8, 2: I16, 8: I64}[described.size]
        place = self._builder.gep(base, [I64(described.offset)])
        return self._builder.bitcast(place, kind.as_pointer())
