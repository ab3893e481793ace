"""Translated code as an LLVM module: regions of code, and the function that goes round.

::

    decide ─┬─ dispatch ── switch over heads ── region ─┬─┐
      ↑     └─────────→ interpret ←─────────────────────┘ │
      └─────────────────────┴─────────────────────────────┘

What was not translated is left to the interpreter, which comes back where translated code
begins. Translated code ends so early that the interpreter finds the exact end of the budget.
Code is translated in regions because the time LLVM takes grows faster than a function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.explored import find_explored_cell, note_place, place_of
from romproof.engine.llvm.frame import BYTES, I8, I16, I32, I64, Frame
from romproof.engine.llvm.interpreter import FUNCTION
from romproof.engine.llvm.state import ExitCode as ExitCode
from romproof.engine.llvm.weave import Weave
from romproof.engine.recompiled.discover import DiscoveredCode
from romproof.engine.recompiled.region import RegionExit, emit_region, longest_run
from romproof.engine.space import ENTRY, ON_FETCH, OUTSIDE, STOP
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

HEAD = 3
"""In the map of what was explored: executed, and reached by a jump without a known target."""
REGION = 3000
"""Instructions in a region, at most."""


def translation(weave: Weave, code: DiscoveredCode, actions: bytes) -> ir.Module:
    """A module with the function ``run(state) -> ExitCode`` that executes ``code``.

    ``actions`` is what the address space asks for at each address; it must not ask for more
    when the function runs. ``state.interpreter`` is the interpreter's ``run``.
    """
    module = ir.Module(name=f"{weave.cpu} translation")
    regions = _regions(module, weave, code, actions)
    run = ir.Function(module, _KIND, FUNCTION)
    _Driver(cpu_named(weave.cpu), weave, regions, longest_run(weave, code), run).build()
    return module


def emit_unit(weave: Weave, code: DiscoveredCode, actions: bytes) -> ir.Module:
    """A module with the function ``run(state) -> RegionExit``, which executes ``code`` from the
    program counter on; a place that is no head of it is left to the interpreter. See units.py."""
    module = ir.Module(name=f"{weave.cpu} unit")
    regions = _regions(module, weave, code, actions)
    run = ir.Function(module, _KIND, FUNCTION)
    b = ir.IRBuilder(run.append_basic_block("entry"))
    none = run.append_basic_block("none")
    switch = b.switch(Frame(cpu_named(weave.cpu), run, b).load("r_pc"), none)
    b.position_at_end(none)
    b.ret(I32(RegionExit.INTERPRET))
    entries: dict[ir.Function, Any] = {}
    for head, region in sorted(regions.items()):
        if region not in entries:
            entries[region] = run.append_basic_block(f"to {region.name}")
            b.position_at_end(entries[region])
            b.ret(b.call(region, run.args))
        switch.add_case(I16(head), entries[region])
    return module


def units_driver(weave: Weave) -> ir.Module:
    """A module with the function ``run(state) -> ExitCode`` that goes round among units."""
    module = ir.Module(name=f"{weave.cpu} units")
    run = ir.Function(module, _KIND, FUNCTION)
    _UnitsDriver(cpu_named(weave.cpu), weave, {}, 0, run).build()
    return module


_KIND = ir.FunctionType(I32, (BYTES,))


def _regions(
    module: ir.Module, weave: Weave, code: DiscoveredCode, actions: bytes
) -> dict[int, ir.Function]:
    """The functions of all regions, by the heads that each can be entered at."""
    cpu, regions = cpu_named(weave.cpu), dict[int, ir.Function]()
    for number, region in enumerate(split(code)):
        function = ir.Function(module, _KIND, f"region{number}")
        function.linkage = "internal"
        function.attributes.add("noinline")
        emit_region(cpu, weave, region, actions, function)
        regions |= dict.fromkeys(region.heads, function)
    return regions


def split(code: DiscoveredCode) -> list[DiscoveredCode]:
    """The code in regions of neighbouring instructions; what leads into one is a head."""
    addresses = sorted(code.placed)
    regions = []
    for start in range(0, len(addresses), REGION):
        inside = {a: code.placed[a] for a in addresses[start : start + REGION]}
        regions.append(inside)
    heads = set(code.heads)
    for inside in regions:
        for instruction in inside.values():
            heads |= {t for t in instruction.targets or () if t not in inside}
    return [
        DiscoveredCode(inside, frozenset(heads & inside.keys()), code.tried) for inside in regions
    ]


class _Driver:
    """The function ``run`` under construction."""

    def __init__(
        self,
        cpu: Cpu,
        weave: Weave,
        regions: Mapping[int, ir.Function],
        early: int,
        function: ir.Function,
    ) -> None:
        self._cpu, self._weave, self._regions = cpu, weave, regions
        self._early = I64(early)
        self._builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._frame = Frame(cpu, function, self._builder)
        names = ("decide", "dispatch", "came", "changed", "missed", "interpret")
        self._blocks = {name: function.append_basic_block(name) for name in names}

    def build(self) -> None:
        """Emit everything."""
        self._pointers()
        self._go("decide")
        self._decide()
        self._dispatch()
        self._emit_arrival()
        self._emit_miss()
        self._interpret()

    def _pointers(self) -> None:
        self._frame.load_pointers(actions=I8, explored=I8)

    def _before_the_end(self) -> Any:
        """The most cycles translated code takes without looking at the budget."""
        return self._early

    def _at(self, name: str) -> ir.IRBuilder:
        self._builder.position_at_end(self._blocks[name])
        return self._builder

    def _go(self, name: str) -> None:
        self._builder.branch(self._blocks[name])

    def _decide(self) -> None:
        """Translated code, while there is budget for it and it is still true.

        Near the end the interpreter goes on alone, and after a change of the code when nobody is
        there to translate anew (``alone``). Near a device's time, or while an interrupt
        may come, it executes up to the next head, and we look again.
        """
        b, frame = self._at("decide"), self._frame
        modified = b.icmp_unsigned("!=", frame.load("modified"), I8(0))
        alone = b.icmp_unsigned("!=", frame.load("alone"), I8(0))
        with b.if_then(b.and_(modified, b.not_(alone)), likely=False):
            b.ret(I32(ExitCode.MODIFIED))
        cycles, bound = frame.load("cycles"), self._before(frame.load("limit"))
        time = b.and_(b.icmp_unsigned("<", cycles, bound), b.not_(modified))
        frame.store("fetch_mask", b.select(time, I8(ON_FETCH), I8(ON_FETCH & ~ENTRY)))
        if self._weave.interrupts:
            quiet = frame.load("quiet_until")
            if "ime" in self._cpu.registers:  # nothing that is pending matters while it is clear
                deaf = b.icmp_unsigned("==", frame.load("r_ime"), I8(0))
                quiet = b.select(deaf, frame.load("horizon"), quiet)
            calm = self._before(quiet)
            bound = b.select(b.icmp_unsigned("<", calm, bound), calm, bound)
            time = b.and_(b.icmp_unsigned("<", cycles, bound), b.not_(modified))
        frame.store("bound", bound)
        special = frame.load(f"r_{self._cpu.special}")
        ordinary = b.icmp_unsigned("==", special, special.type(0))
        b.cbranch(b.and_(time, ordinary), self._blocks["dispatch"], self._blocks["interpret"])

    def _before(self, cycle: Any) -> Any:
        """The bound of translated code that is to end before ``cycle``."""
        b = self._builder
        early = self._before_the_end()
        enough = b.icmp_unsigned(">", cycle, early)
        return b.select(enough, b.sub(cycle, early), I64(0))

    def _dispatch(self) -> None:
        b, frame = self._at("dispatch"), self._frame
        here = frame.load("r_pc")
        entries: dict[ir.Function, Any] = {}
        for region in dict.fromkeys(self._regions.values()):
            entries[region] = frame.function.append_basic_block(f"to {region.name}")
        switch = b.switch(here, self._blocks["missed"])
        for head, region in sorted(self._regions.items()):
            switch.add_case(I16(head), entries[region])
        for region, entry in entries.items():
            b.position_at_end(entry)
            others = b.sub(frame.load("translated"), frame.load("instructions"))
            left = b.call(region, frame.function.args)
            frame.store("translated", b.add(others, frame.load("instructions")))
            self._go_on(left)

    def _go_on(self, left: Any) -> None:
        switch = self._builder.switch(left, self._blocks["came"])
        switch.add_case(I32(RegionExit.INTERPRET), self._blocks["interpret"])
        switch.add_case(I32(RegionExit.CHANGED), self._blocks["changed"])

    def _emit_arrival(self) -> None:
        """Execution goes on at the program counter, where the run may end."""
        self._at("came")
        self._end_here_or("decide")
        self._at("changed")
        self._end_here_or("interpret")

    def _emit_miss(self) -> None:
        """Nothing is translated here. It is noted as a place to begin the next time."""
        b, frame = self._at("missed"), self._frame
        here = frame.load("r_pc")
        if self._weave.banked:
            note_place(frame, here)
        b.store(I8(HEAD), find_explored_cell(frame, here, self._weave.banked))
        misses = b.add(frame.load("misses"), I64(1))
        frame.store("misses", misses)
        many = b.icmp_unsigned(">=", misses, frame.load("most_misses"))
        with b.if_then(many, likely=False):
            b.ret(I32(ExitCode.MISSES))
        self._go("interpret")

    def _interpret(self) -> None:
        b, frame = self._at("interpret"), self._frame
        address = frame.load("interpreter")
        run = b.inttoptr(address, frame.function.function_type.as_pointer())
        code = b.call(run, frame.function.args)
        with b.if_then(b.icmp_unsigned("!=", code, I32(ExitCode.FETCH))):
            b.ret(code)
        self._end_here_or("decide")

    def _end_here_or(self, block: str) -> None:
        b, frame = self._builder, self._frame
        place = b.zext(frame.load("r_pc"), I64)
        action = b.load(b.gep(frame.pointer("actions"), [place]))
        ends = b.icmp_unsigned("!=", b.and_(action, I8(STOP | OUTSIDE)), I8(0))
        with b.if_then(ends, likely=False):
            b.ret(I32(ExitCode.FETCH))
        # the interpreter leaves at a head before it looks at the budget
        used_up = b.icmp_unsigned(">=", frame.load("cycles"), frame.load("limit"))
        with b.if_then(used_up, likely=False):
            b.ret(I32(ExitCode.LIMIT))
        self._go(block)


class _UnitsDriver(_Driver):
    """The same for units, which are looked up by the place that is in sight."""

    def _pointers(self) -> None:
        self._frame.load_pointers(
            actions=I8, explored=I8, read_pages=I32, entries=I16, functions=I64, where=I8
        )

    def _before_the_end(self) -> Any:
        return self._frame.load("early")

    def _dispatch(self) -> None:
        b, frame = self._at("dispatch"), self._frame
        entry = b.gep(frame.pointer("entries"), [place_of(frame, frame.load("r_pc"))])
        number = b.load(entry)
        enter = frame.function.append_basic_block("enter")
        b.cbranch(b.icmp_unsigned("==", number, I16(0)), self._blocks["missed"], enter)
        b.position_at_end(enter)
        address = b.load(b.gep(frame.pointer("functions"), [b.zext(number, I64)]))
        unit = b.inttoptr(address, _KIND.as_pointer())
        others = b.sub(frame.load("translated"), frame.load("instructions"))
        left = b.call(unit, frame.function.args)
        frame.store("translated", b.add(others, frame.load("instructions")))
        self._go_on(left)
