"""MJ Arcade's deal in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.mjarcade.seed import LENGTH, SeedError, faults_of
from fairdeck.mjarcade.wall import TILES
from fairdeck.wall_roms import LIMIT, wall_machine

_MAX_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class MachineDeal:
    """A wall and dice (faces 1..6), and the cycles (on the SM83 M-cycles) of ``mj_deal``."""

    wall: tuple[int, ...]
    dice: tuple[int, int]
    cycles: int


def deal_on(
    cpu: str, seeds: Sequence[str], uncertain: int, engine: str = DEFAULT_ENGINE
) -> MachineDeal:
    """The round of three or four players' seeds as ``cpu`` makes it.

    The machine takes well-formed seeds only. Raises SeedError, and what building the program and
    calling it raise.
    """
    if len(seeds) not in TILES:
        raise SeedError(f"{len(seeds)} seeds were given; a game has four players, or three")
    for seed in seeds:
        faults = faults_of(seed)
        if faults:
            raise SeedError(
                f"the {cpu} takes well-formed seeds only; the seed '{seed}' {faults[0]}"
            )
    text = "".join(seeds).encode("ascii").ljust(_MAX_PLAYERS * LENGTH, b"0")
    machine = wall_machine(cpu, engine)
    result = machine.call(
        "mj_deal",
        mem={
            "mj_players": bytes([len(seeds)]),
            "mj_uncertain": (uncertain & 0xFFFF_FFFF).to_bytes(4, "little"),
            "mj_seeds": text,
        },
        limit=LIMIT,
    )
    first, second = machine.read("mj_dice", 2)
    wall = tuple(machine.read("mj_wall", TILES[len(seeds)]))
    return MachineDeal(wall, (first, second), result.cycles)
