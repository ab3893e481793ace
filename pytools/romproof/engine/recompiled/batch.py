"""Many runs at once through translated code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from romproof.engine.batch import BatchResult, Function, run_many
from romproof.engine.llvm.engine import buffer_address, interpreter_for
from romproof.engine.llvm.weave import Weave
from romproof.engine.space import NEVER, SIZE

if TYPE_CHECKING:
    from romproof.engine.recompiled.engine import RecompiledEngine

SAMPLE = 32
"""Runs that are interpreted first, to see where the program goes and how long it takes."""


def run_translated(
    engine: RecompiledEngine,
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
    explored, translated = _explored(engine), _translated(engine)
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


def _explored(engine: RecompiledEngine) -> Callable[[Weave], Function]:
    """The interpreter, telling the engine where it was."""

    def function(weave: Weave) -> Function:
        run = interpreter_for(replace(weave, writes=True, explore=True))

        def prepare(state: Any) -> None:
            state.explored = engine.explored_address

        return Function(engine.name, _address(run), prepare)

    return function


def _translated(engine: RecompiledEngine) -> Callable[[Weave], Function]:
    """Translated code; nobody is there to translate anew while it runs."""
    unused = bytearray(SIZE)

    def function(weave: Weave) -> Function:
        weave = replace(weave, writes=True, explore=True)
        found = engine.translation_for(weave)
        interpreter = _address(interpreter_for(weave))

        def prepare(state: Any) -> None:
            state.explored, state.interpreter = buffer_address(unused), interpreter
            state.most_misses, state.alone = NEVER, 1
            found.mark((ctypes.c_uint8 * SIZE).from_address(state.actions))

        return Function(engine.name, _address(found.run), prepare)

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
