"""MJ Arcade's deal, and its uncertain element, in machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.mjarcade.seed import LENGTH, SeedError, faults_of
from fairdeck.mjarcade.uncertain import START, BadEvent, Discarded, read_event
from fairdeck.mjarcade.wall import TILES
from fairdeck.wall_roms import LIMIT, wall_machine
from romproof import Machine

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


MAX = 0xFF
"""The highest number of a discard that the machine takes: one byte."""
_WORD = 1 << 32


@dataclass(frozen=True, slots=True)
class MachineValues:
    """The value after each event, modulo 2^32, and the cycles (on the SM83 M-cycles) of all."""

    values: tuple[int, ...]
    cycles: int


def running_value_on(
    cpu: str,
    events: Iterable[Sequence[Any]],
    start: int = START,
    engine: str = DEFAULT_ENGINE,
    tick: Callable[[], None] = lambda: None,
) -> MachineValues:
    """As ``running_value``, by the routines of ``cpu``, which count in 32 bits.

    Raises BadEvent, also for a discard above MAX, and what building the program and calling it
    raise.
    """
    machine = wall_machine(cpu, engine)
    machine.write("mj_uncertain", (start % _WORD).to_bytes(4, "little"))
    values, cycles = [], 0
    for place, event in enumerate(events, 1):
        try:
            cycles += _add(machine, cpu, read_event(event))
        except BadEvent as fault:
            raise BadEvent(f"event {place}: {fault}") from None
        values.append(int.from_bytes(machine.read("mj_uncertain", 4), "little"))
        tick()
    return MachineValues(tuple(values), cycles)


def _add(machine: Machine, cpu: str, event: Discarded | None) -> int:
    """Carry one event out; gives its cycles."""
    if event is None:
        return machine.call("mj_add_deal").cycles
    number = event.number
    if number > MAX:
        raise BadEvent(f"the discard's number is {number}; the machine counts to {MAX}")
    value = machine.call("mj_tile_value", a=event.kind)
    if cpu == "6502":
        added = machine.call("mj_add_discard", a=number, x=value.a)
    else:
        added = machine.call("mj_add_discard", a=number, b=value.a)
    return value.cycles + added.cycles
