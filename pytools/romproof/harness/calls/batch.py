"""One routine called very often: compiled, on all cores, each call from the same state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from romproof.engine.instruments import Instruments
from romproof.engine.protocol import Observer
from romproof.harness.calls.calling import CallRequest
from romproof.harness.calls.listening import (
    LISTENERS,
    Listener,
    ObservedRun,
    name_of,
    tell_unobserved,
)
from romproof.harness.checks.running import join_observers
from romproof.harness.errors import CallRecord
from romproof.harness.replay.run import Scenario
from romproof.harness.state.values import BadValue, Target, extent
from romproof.program.image import Image
from romproof.support.extras import need
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_OBSERVED = 20_000_000
"""Cycles of many calls that are executed once more for who listens: some ten seconds."""
ENGINE = "recompiled"
INTERPRETER = "llvm"


class NoReturn(RomproofError):
    """One of many calls did not return; ``run`` is its number, from 0."""

    def __init__(self, routine: str, run: int, why: str) -> None:
        super().__init__(f"call {run} of '{routine}' did not return: {why}")
        self.run = run


@dataclass(frozen=True, slots=True)
class ManyResults:
    """What came of many calls, in the order of what they were given.

    ``memory`` has, for each place asked for, an array (calls, bytes) of uint8; ``cycles`` is an
    array (calls,), SM83: M-cycles. ``engine`` is "recompiled" if the program was translated, for
    these calls or for earlier ones on the same ROM; what translation leaves out is interpreted.
    """

    memory: Mapping[Target, npt.NDArray[np.uint8]]
    cycles: npt.NDArray[np.uint64]
    engine: str


def call_many(
    engine: Any,
    image: Image,
    record: CallRecord,
    each: Mapping[Target, Any],
    outputs: Collection[Target | tuple[Target, int]],
    workers: int | None,
) -> ManyResults:
    """The call in ``record`` again, with other bytes at the places ``each``: (calls, size).

    See Rom.call_many().
    """
    need("many calls at once need {}", "romproof[fast]", "llvmlite", "numpy")
    import numpy as np

    from romproof.engine.batch.results import RunOutcome

    scenario: Scenario = record.scenario
    engine.memory[:] = scenario.memory
    engine.guard = scenario.guard
    patches = {}
    for target, values in each.items():
        address, size = extent(image, target, np.shape(values)[-1])
        patches[address, size] = np.ascontiguousarray(values, np.uint8)
    if not patches:
        raise BadValue("the number of calls is not known: give rows of bytes for a place")
    places = {
        output: extent(image, *(output if isinstance(output, tuple) else (output, None)))
        for output in outputs
    }
    registers = {name: getattr(scenario.registers, name) for name in scenario.registers.names}
    done = engine.run_many(
        registers,
        scenario.until,
        scenario.limit,
        patches=patches,
        outputs=list(places.values()),
        workers=workers,
    )
    wrong = np.flatnonzero(done.outcomes != RunOutcome.REACHED)
    if len(wrong):
        why = RunOutcome(int(done.outcomes[wrong[0]])).name.lower().replace("_", " ")
        raise NoReturn(scenario.name, int(wrong[0]), why)
    memory = {
        (output[0] if isinstance(output, tuple) else output): done.outputs[place]
        for output, place in places.items()
    }
    return ManyResults(memory, done.cycles, ENGINE if engine.translations else INTERPRETER)


def observe_many(
    image: Image,
    record: CallRecord,
    asked: CallRequest,
    each: Mapping[Target, Any],
    cycles: npt.NDArray[np.uint64],
) -> None:
    """Make all calls but the first once more, one by one, for who listens to runs.

    The engine that makes many calls at once reports no instructions. ``cycles`` are those of each
    call. When MAX_OBSERVED are over, the rest is reported as not observed.
    """
    scenario = record.scenario
    stage = scenario.make()
    places = {target: extent(image, target, len(rows[0]))[0] for target, rows in each.items()}
    observers: dict[Listener, Observer | None] = {}
    spent = 0
    for number in range(1, len(cycles)):
        if spent >= MAX_OBSERVED:
            tell_unobserved(f"{name_of(image)}: call_many({scenario.name!r})", len(cycles) - number)
            return
        given = {target: bytes(rows[number]) for target, rows in each.items()}
        call = replace(asked, mem={**(asked.mem or {}), **given})
        run = ObservedRun(
            image, stage.board, call, scenario.abi.get(scenario.registers, "pc"), again=False
        )
        scenario.set_up(stage)
        for target, data in given.items():
            stage.board.space.store[places[target] : places[target] + len(data)] = data
        observer: Observer | None = None
        for listener in LISTENERS:
            own = observers[listener] = listener.observer(run, observers.get(listener))
            observer = join_observers(observer, own)
        points = tuple(point for listener in LISTENERS for point in listener.points(run))
        if points and number == 1:
            stage.engine.instrument(Instruments(watch=points, most=1))
        stage.run(scenario.until, scenario.limit, observer)
        for listener in LISTENERS:
            listener.on_call(run, int(cycles[number]))
        spent += int(cycles[number])
