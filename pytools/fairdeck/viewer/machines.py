"""A shown round by the emulated 6502 and SM83: equal to the model's, and its cycles."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.disagreement import Disagreement
from fairdeck.mjarcade.on_machine import deal_on
from fairdeck.mjarcade.wall import deal
from fairdeck.tenhou.on_machine import rounds_on
from fairdeck.tenhou.seed import parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.wall import rounds
from fairdeck.viewer.document import BadDocument, Document
from fairdeck.wall_roms import WALL_ROMS, wall_rom
from romproof import find_clock

CPUS = tuple(WALL_ROMS)


def machine_round(
    document: Document, number: int, cpu: str, engine: str = DEFAULT_ENGINE
) -> dict[str, object]:
    """Round ``number`` (from 0) of a document by ``cpu``: ``{"cpu", "round", "cycles", ...}``.

    The rounds before it are made too, as the generator runs on. ``milliseconds`` are those of the
    machine that ``clock`` names. Raises BadDocument where there is no seed, Disagreement when the
    machine has another wall than the model, and what building the program and calling it raise.
    """
    if cpu not in CPUS:
        raise BadDocument(f"the machines are {' and '.join(CPUS)}")
    game: Any = document
    if not 0 <= number < len(game["rounds"]):
        raise BadDocument("there is no such round")
    cycles = _cycles(game, number + 1, cpu, engine, lambda: None)
    return _row(cpu, number, cycles[number])


def machine_rounds(
    document: Document, cpu: str, tick: Callable[[], None], engine: str = DEFAULT_ENGINE
) -> list[dict[str, object]]:
    """All rounds of a document by ``cpu``; ``tick`` is called after each. Raises as above."""
    game: Any = document
    cycles = _cycles(game, len(game["rounds"]), cpu, engine, tick)
    return [_row(cpu, number, took) for number, took in enumerate(cycles)]


def _row(cpu: str, number: int, cycles: int) -> dict[str, object]:
    clock = find_clock(wall_rom(cpu).manifest.clock_name)
    return {
        "cpu": cpu,
        "round": number,
        "cycles": cycles,
        "clock": clock.title,
        "milliseconds": round(clock.microseconds(cycles) / 1000, 1),
        "mark": "equal",
    }


def _cycles(game: Any, count: int, cpu: str, engine: str, tick: Callable[[], None]) -> list[int]:
    """The cycles of each round, once all are equal to the model's."""
    if game["kind"] == "mjarcade":
        made = deal_on(cpu, game["seeds"], game["uncertain"], engine)
        model = deal(game["seeds"], game["uncertain"])
        _require(cpu, (made.wall, made.dice) == (model.wall, model.dice))
        tick()
        return [made.cycles]
    if game["seed"] is None:
        raise BadDocument("the game has no seed from which a machine could make its walls")
    seed, table = parse_seed(game["seed"]), TABLES[game["players"]]
    walls = list(islice(rounds(seed, table), count))
    by_machine = rounds_on(cpu, seed, table, count, engine, tick)
    _require(cpu, [one.round for one in by_machine] == walls)
    return [one.cycles for one in by_machine]


def _require(cpu: str, equal: bool) -> None:
    if not equal:
        raise Disagreement(f"the {cpu} disagrees with the model")
