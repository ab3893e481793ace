"""Tenhou's rounds in machine code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tenhou.seed import Seed
from fairdeck.tenhou.table import Table
from fairdeck.tenhou.wall import Round
from fairdeck.wall_roms import LIMIT, wall_machine


@dataclass(frozen=True, slots=True)
class MachineRound:
    """A round, and the cycles (on the SM83 M-cycles) that making it took."""

    round: Round
    cycles: int


def rounds_on(
    cpu: str,
    seed: Seed,
    table: Table,
    count: int,
    engine: str = DEFAULT_ENGINE,
    tick: Callable[[], None] = lambda: None,
) -> list[MachineRound]:
    """The first ``count`` rounds of a game as ``cpu`` makes them; ``tick`` is called after each.

    The cycles are those of ``tenhou_round`` alone: the seeding comes before. Raises what building
    the program and calling it raise.
    """
    machine = wall_machine(cpu, engine)
    key = b"".join(word.to_bytes(4, "little") for word in seed.words)
    place = machine.image.address("walls_key")
    machine.write(place, key)
    machine.write("mt_key", place.to_bytes(2, "little"))
    machine.write("mt_key_length", len(seed.words).to_bytes(2, "little"))
    machine.call("mt_init_by_array", limit=LIMIT)
    machine.write("tenhou_tiles", bytes([table.tiles]))
    rounds = []
    for _ in range(count):
        result = machine.call("tenhou_round", limit=LIMIT)
        wall = tuple(machine.read("tenhou_wall", table.tiles))
        first, second = machine.read("tenhou_dice", 2)
        made = Round(wall, (first, second), table, seed.pairs)
        rounds.append(MachineRound(made, result.cycles))
        tick()
    return rounds
