"""Many runs at once through translated code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from romproof.engine.batch import BatchResult, CompiledFunction, run_many
from romproof.engine.llvm.running import buffer_address, interpreter_for
from romproof.engine.llvm.weave import Weave
from romproof.engine.protocol import Guard
from romproof.engine.recompiled.translated import Translated
from romproof.engine.space import NEVER, SIZE, AddressSpace
from romproof.isa.cpu import Cpu

SAMPLE = 32
"""Runs that are interpreted first, to see where the program goes and how long it takes."""


class Translating(Protocol):
    """The engine the runs begin from: what it has seen, and what it makes of that."""

    name: str
    cpu: Cpu
    space: AddressSpace
    warm_up: int

    @property
    def guard(self) -> Guard | None:
        """The checks."""

    @property
    def explored_address(self) -> int:
        """Where compiled code notes what it has seen."""

    def keep_out(self, addresses: Collection[int]) -> None:
        """Do not translate what is at these addresses."""

    def note_head(self, address: int) -> None:
        """Execution may begin here."""

    def translates(self, places: Collection[tuple[int, int]]) -> bool:
        """Whether any of the places, (address, size), holds code that was executed."""

    def translation_for(self, weave: Weave) -> Translated:
        """A translation of what was seen, for a variant of compiled code."""


def run_translated(
    engine: Translating,
    registers: Any,
    until: Collection[int],
    limit: Any,
    patches: Mapping[Any, Any],
    outputs: Collection[Any],
    workers: int | None,
) -> BatchResult:
    """As run_many(), from the engine's memory and with its guard.

    Some runs are interpreted first. When all together would take more cycles than the engine's
    ``warm_up``, what was seen is translated, unless patches change the code itself.
    """
    explored, translated = _make_explorer(engine), _make_translated(engine)
    common: dict[str, Any] = {"cpu": engine.cpu.name, "guard": engine.guard, "workers": workers}
    engine.keep_out(until)
    sample = run_many(
        engine.space,
        _sample(registers),
        until,
        _sample(limit),
        patches=_sample(patches),
        code=explored,
        **common,
    )
    for pc in np.unique(registers["pc"]):
        engine.note_head(int(pc))
    runs = max(map(_rows, (registers, limit, patches)))
    long = float(sample.cycles.mean()) * runs > engine.warm_up
    places = [place if isinstance(place, tuple) else (place, 1) for place in patches]
    code = translated if long and not engine.translates(places) else explored
    return run_many(
        engine.space, registers, until, limit, patches=patches, outputs=outputs, code=code, **common
    )


def _make_explorer(engine: Translating) -> Callable[[Weave], CompiledFunction]:
    """The interpreter, telling the engine where it was."""

    def function(weave: Weave) -> CompiledFunction:
        run = interpreter_for(replace(weave, writes=True, explore=True))

        def prepare(state: Any) -> None:
            state.explored = engine.explored_address

        return CompiledFunction(engine.name, lambda: run.address, prepare, run.note, run.improve)

    return function


def _make_translated(engine: Translating) -> Callable[[Weave], CompiledFunction]:
    """Translated code; nobody is there to translate anew while it runs."""
    unused = bytearray(SIZE)

    def function(weave: Weave) -> CompiledFunction:
        weave = replace(weave, writes=True, explore=True)
        translation = engine.translation_for(weave)
        interpreter, address = interpreter_for(weave).optimise().address, _address(translation.run)

        def prepare(state: Any) -> None:
            state.explored, state.interpreter = buffer_address(unused), interpreter
            state.most_misses, state.alone = NEVER, 1
            translation.mark((ctypes.c_uint8 * SIZE).from_address(state.actions))

        return CompiledFunction(engine.name, lambda: address, prepare)

    return function


def _address(run: Any) -> int:
    address = ctypes.cast(run, ctypes.c_void_p).value
    assert address is not None
    return address


def _sample(given: Any) -> Any:
    """The same for the first runs only."""
    if isinstance(given, Mapping):
        return {name: _sample(value) for name, value in given.items()}
    return given[:SAMPLE] if np.ndim(given) else given


def _rows(given: Any) -> int:
    """The number of runs that an argument is for; 0 when it is the same for all."""
    if isinstance(given, Mapping):
        return max((_rows(value) for value in given.values()), default=0)
    return len(given) if np.ndim(given) else 0
