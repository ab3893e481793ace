"""A body whose accesses to the bus are calls: half the code and less, for what is not optimised.

What a read, a write or a look at an interrupt line does is emitted by ``BodyEmitter``, once for a
module, in a function of its own. In place it is some forty instructions each time, which LLVM needs
in sight to optimise, and which otherwise only take their time to be written, read and translated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.body import BodyEmitter
from romproof.engine.llvm.frame import I8, I32, Frame
from romproof.isa.microcode import StepKind

_POINTERS = {
    "store": I8, "actions": I8, "read_pages": I32, "write_pages": I32,
    "access": I8, "dirty": I8, "marked": I8,
}  # fmt: skip


class CompactBody(BodyEmitter):
    """Emits a microcode as Body does, but for accesses: those are calls."""

    def read(self, address: Any, kind: StepKind) -> Any:
        """See Body; what only loads a byte stays."""
        weave = self.weave
        if not (weave.reads or weave.access or weave.probe):
            return super().read(address, kind)

        def emit(body: BodyEmitter, place: Any) -> None:
            body.builder.ret(body.read(place, kind))

        self._unchecked |= weave.reads
        return self._emit_call(f"read {kind.name}", I8, emit, address)

    def _write(self, address: Any, value: Any, kind: StepKind) -> None:
        def emit(body: BodyEmitter, place: Any, byte: Any) -> None:
            body._write(place, byte, kind)
            body.builder.ret(I8(1))

        self._check_broken()
        done = self._emit_call(f"write {kind.name}", I8, emit, address, value)
        if self.weave.writes:
            self._unchecked = True
            b = self.builder
            with b.if_then(b.icmp_unsigned("==", done, I8(0)), likely=False):
                self._fault(address, value)

    def _signal(self, line: str, width: int) -> Any:
        def emit(body: BodyEmitter) -> None:
            body.builder.ret(body._signal(line, width))

        self._unchecked = True
        return self._emit_call(f"signal {line}", ir.IntType(width), emit)

    def _emit_call(self, name: str, kind: Any, emit: Callable[..., None], *args: Any) -> Any:
        """A call of the function that ``emit`` makes; it has the locals that accesses use."""
        weave, frame = self.weave, self.frame
        names = ["cycles"]
        names += ["stolen"] if weave.steals else []
        names += ["read_marked"] if weave.probe else []
        local = [frame.local(each) for each in names]
        values = [frame.function.args[0], *local, self.cycles_so_far(), *args]
        if not frame.has(name):
            function = self._function(name, kind, names, emit, [v.type for v in values])
            with frame.builder.goto_entry_block():
                frame.declare(name, function.type)
                frame.set(name, function)
        return self.builder.call(frame.get(name), values)

    def _function(
        self, name: str, kind: Any, names: list[str], emit: Callable[..., None], types: list[Any]
    ) -> ir.Function:
        frame = self.frame
        function = ir.Function(frame.function.module, ir.FunctionType(kind, types), name)
        function.linkage = "internal"
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        inner = Frame(frame.cpu, function, builder)
        inner.load_pointers(**_POINTERS)
        for each, pointer in zip(names, function.args[1:], strict=False):
            inner.adopt(each, pointer)
        after = 1 + len(names)
        body = BodyEmitter(inner, self.weave, function.args[after], lambda *_: builder.ret(I8(0)))
        emit(body, *function.args[after + 1 :])
        return function
