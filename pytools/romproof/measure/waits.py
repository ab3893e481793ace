"""What of an execution was waiting: for what, where, and for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from types import MappingProxyType

from romproof.isa.flow import Flow
from romproof.machine.board import Board
from romproof.machine.gameboy.registers import REGISTERS
from romproof.measure.calls import HALT, MACHINE
from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.model import CodeSpot, CycleProfile, RoutineProfile
from romproof.measure.summary import spot_at
from romproof.measure.wait_loops import WaitLoop, WaitLoops, uses_of
from romproof.measure.wait_tests import WaitTest, find_test


class WaitKind(Enum):
    """What a program waits for."""

    HALT = "halt"
    """Any interrupt that is enabled: the CPU rests."""
    INTERRUPT = "interrupt"
    """A loop without an exit: all else is done by handlers of interrupts."""
    FLAG = "flag"
    """Memory, which an interrupt changes: the loop itself does not."""
    BLANK = "vertical blank"
    """PPUSTATUS bit 7, LY from 144 on, STAT's mode 1, VBlank's bit of IF; $D011 bit 7."""
    LINE = "line"
    """LY before 144, LYC's bit of STAT, STAT's bit of IF; $D012, the raster's bit of $D019."""
    SPRITE_0 = "sprite 0"
    """PPUSTATUS bit 6."""
    VIDEO_MEMORY = "video memory"
    """STAT's mode, until VRAM or OAM is in reach."""
    PORT = "port"
    """Another register of the machine."""
    VALUE = "value"
    """Memory or a port behind a pointer or an index: which one is not known."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A loop that waited, or a HALT in no such loop.

    ``spot`` is its first instruction, ``place`` the name of that; ``end`` is the address behind the
    loop. ``reads`` is the address that it looks at, with the name ``symbol`` if there is one, and
    ``value`` what that is compared with; None where there is none or it is not known. ``passes`` is
    how often its first instruction ran; of ``cycles`` the CPU rested ``halted``.
    """

    kind: WaitKind
    spot: CodeSpot
    place: str
    end: int
    reads: int | None
    symbol: str | None
    value: int | None
    passes: int
    cycles: int
    halted: int


def find_waits(profile: CycleProfile, places: CodeLocations, board: Board) -> tuple[Wait, ...]:
    """The waits of a profile on a board, those with the most cycles first."""
    loops, halts = WaitLoops(places), _find_halts(profile)
    counts: Counter[int] = Counter()
    spent: Counter[int] = Counter()
    for cost in profile.costs:
        counts[_location(cost.spot)] += cost.count
        spent[_location(cost.spot)] += cost.cycles
    found: dict[int, WaitLoop] = {}
    cycles: Counter[int] = Counter()
    for location, taken in spent.items():
        loop = find_loop(loops, location, board.name)
        if loop is not None:
            found[loop.location] = loop
            cycles[loop.location] += taken
    waits: list[Wait] = []
    for location, loop in found.items():
        halted = sum(halts.pop(site, 0) for site in loop.locations)
        taken = cycles[location] + halted
        test = find_test(loop, loops, counts, partial(_is_port, board))
        has_exit = any(each.opcode.flow is Flow.BRANCH for each in loop.body)
        kind = _kind(test, board, rests=halted > 0, has_exit=has_exit)
        end = loop.body[-1].address + loop.body[-1].opcode.size
        at = _at(location, places)
        symbol = None if test.address is None else _symbol(test.address, places, board)
        waits.append(
            Wait(kind, *at, end, test.address, symbol, test.value, counts[location], taken, halted)
        )
    for site, taken in halts.items():
        at = _at(site, places)
        end = at[0].address + 1
        waits.append(Wait(WaitKind.HALT, *at, end, None, None, None, counts[site], taken, taken))
    return tuple(sorted(waits, key=lambda w: (-w.cycles, w.spot.bank or 0, w.spot.address)))


def find_loop(loops: WaitLoops, location: int, machine: str) -> WaitLoop | None:
    """The loop that waits at a location; reading some ports changes what comes next there, so that
    a loop that does it is at work."""
    loop = loops.find(location)
    moving = _MOVING.get(machine, frozenset())
    if loop is None or not moving:
        return loop
    for each in loop.body:
        if uses_of(each.opcode.cpu, each.opcode.index).through is None:
            continue
        address = each.target
        if address is not None and _plain(address, machine) in moving:
            return None
    return loop


def merge_waits(several: Iterable[Sequence[Wait]]) -> tuple[Wait, ...]:
    """The sums of waits of the same program."""
    sums: dict[tuple[CodeSpot, int], Wait] = {}
    for wait in (each for waits in several for each in waits):
        key = wait.spot, wait.end
        known = sums.get(key)
        if known is not None:
            wait = replace(
                known,
                passes=known.passes + wait.passes,
                cycles=known.cycles + wait.cycles,
                halted=known.halted + wait.halted,
            )
        sums[key] = wait
    return tuple(sorted(sums.values(), key=lambda w: (-w.cycles, w.spot.bank or 0, w.spot.address)))


def _find_halts(profile: CycleProfile) -> Counter[int]:
    """The cycles in which the CPU rested, by the location of the instruction."""
    rested = {n for n, r in enumerate(profile.routines) if _is_halt(r)}
    halts: Counter[int] = Counter()
    for path in profile.paths:
        if path.routine in rested and path.site is not None:
            halts[_location(path.site)] += path.cycles
    return halts


def _is_halt(routine: RoutineProfile) -> bool:
    return routine.kind == "machine" and routine.name == MACHINE[HALT]


def _location(spot: CodeSpot) -> int:
    return spot.address + (spot.bank or 0) * BANK


def _at(location: int, places: CodeLocations) -> tuple[CodeSpot, str]:
    """Where a location is, and what it is called."""
    spot = spot_at(location, places)
    name = places.image_at(location).format_address(spot.address)
    return spot, name or f"${spot.address:04X}"


def _symbol(address: int, places: CodeLocations, board: Board) -> str | None:
    """The name of what is read: the program's, or the one that the machine's register has."""
    names = places.image.names_at(address)
    if names:
        return names[0]
    named = _NAMES.get(board.name, {}).get(_plain(address, board.name))
    return named or places.image.format_address(address)


def _plain(address: int, machine: str) -> int:
    """The address at which a register of the NES's PPU is found first."""
    is_mirror = machine == "nes" and 0x2000 <= address < 0x4000
    return 0x2000 | address & 7 if is_mirror else address


def _kind(test: WaitTest, board: Board, *, rests: bool, has_exit: bool) -> WaitKind:
    """What a loop waits for."""
    if not test.reads:
        return WaitKind.HALT if rests else WaitKind.INTERRUPT
    if test.address is None:
        return WaitKind.VALUE
    known = _OF_MACHINE.get(board.name)
    kind = None if known is None else known(_plain(test.address, board.name), test)
    if kind is not None:
        return kind
    if _is_port(board, test.address):
        return WaitKind.PORT
    return WaitKind.FLAG if has_exit else WaitKind.INTERRUPT


def _is_port(board: Board, address: int) -> bool:
    return any(first <= address < end for first, end in board.ports)


def _of_nes(address: int, test: WaitTest) -> WaitKind | None:
    if address == 0x2002:
        return {0x80: WaitKind.BLANK, 0x40: WaitKind.SPRITE_0}.get(test.mask or 0)
    return None


def _of_game_boy(address: int, test: WaitTest) -> WaitKind | None:
    mask, value = test.mask, test.value
    if address == 0xFF44 and mask == 0xFF:
        return WaitKind.BLANK if value is not None and value >= 144 else WaitKind.LINE
    if address == 0xFF41 and mask == 4:
        return WaitKind.LINE
    if address == 0xFF41 and mask in (1, 2, 3):
        return WaitKind.BLANK if (mask, value) == (3, 1) else WaitKind.VIDEO_MEMORY
    if address == 0xFF0F:
        return {1: WaitKind.BLANK, 2: WaitKind.LINE}.get(mask or 0)
    return None


def _of_c64(address: int, test: WaitTest) -> WaitKind | None:
    if address == 0xD012:
        return WaitKind.LINE
    if address == 0xD011 and test.mask == 0x80:
        return WaitKind.BLANK
    if address == 0xD019 and test.mask == 1:
        return WaitKind.LINE
    return None


_OF_MACHINE: Mapping[str, Callable[[int, WaitTest], WaitKind | None]] = MappingProxyType(
    {"nes": _of_nes, "gameboy": _of_game_boy, "c64": _of_c64}
)
_MOVING: Mapping[str, frozenset[int]] = MappingProxyType(
    {"nes": frozenset({0x2007, 0x4016, 0x4017})}
)
"""Ports whose next read brings something else because of this one."""
_NAMES: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {
        "nes": {0x2002: "PPUSTATUS", 0x4015: "SND_CHN"},
        "gameboy": {at: name for name, at in REGISTERS.items()},
    }
)
