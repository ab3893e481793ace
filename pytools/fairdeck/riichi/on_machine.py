"""Hands as machine code sees them: the routines of ``asm/<cpu>/riichi``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from fairdeck.data import DEFAULT_ENGINE, rom_folder
from fairdeck.riichi.hand import Counts, Hand, MeldKind
from fairdeck.riichi.shanten import Shanten
from fairdeck.riichi.ukeire import unseen_tiles
from fairdeck.tiles import KINDS
from romproof import Built, Result, Rom, build

RIICHI_ROMS: Mapping[str, str] = MappingProxyType({"6502": "riichi", "sm83": "riichi-gb"})
"""By the CPU's name: the folder of its program."""
LIMIT = 50_000_000
"""Cycles that one question may take; a usual one takes a hundredth."""

_PON, _KAN, _COMPLETES = 0x01, 0x02, 0x20
_CHII = {0x04: (1, 2), 0x08: (-1, 1), 0x10: (-2, -1)}
"""Bits of ``call_options``: the tiles of the hand that make the run, from the discarded one."""
_ABSENT = 0x80


@dataclass(frozen=True, slots=True)
class MachineCalls:
    """What may be called on a discard; ``chii``: the two tiles of the hand."""

    can_pon: bool
    can_kan: bool
    chii: tuple[tuple[int, int], ...]
    completes_hand: bool


@cache
def riichi_rom(cpu: str) -> Built:
    """The program for a CPU, assembled in memory. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / RIICHI_ROMS[cpu])


class Brain:
    """A machine with the riichi routines; ``cpu`` is its name, ``cycles`` what the last one took.

    Raises NoSuchEngine, MissingExtra, and what building the program and calling it raise.
    """

    def __init__(self, cpu: str, engine: str = DEFAULT_ENGINE) -> None:
        self._machine = Rom(riichi_rom(cpu).image, engine).machine()
        self.cpu = cpu
        self._second = "x" if cpu == "6502" else "b"
        self.cycles = 0

    def take(self, hand: Hand, visible: Counts = (0,) * KINDS) -> None:
        """Put a hand into the machine's memory; ``visible`` are other tiles that are seen.

        Raises BadHand when more tiles of a kind are seen than there are.
        """
        self._machine.write("hand", bytes(hand.closed))
        self._machine.write("melded", bytes(hand.melded))
        self._machine.write("melds", bytes([len(hand.melds)]))
        self._machine.write("unseen", bytes(unseen_tiles(hand, visible)))

    def shanten(self) -> Shanten:
        """Of the hand, by all three targets."""
        self._ask("shanten")
        normal, chiitoi, kokushi = (
            self._signed(self._machine.read(f"shanten_{name}", 1)[0])
            for name in ("normal", "chiitoi", "kokushi")
        )
        none = 0x7F
        return Shanten(
            normal, None if chiitoi == none else chiitoi, None if kokushi == none else kokushi
        )

    def ukeire(self) -> dict[int, int]:
        """The kinds that help a hand of 3k+1 tiles, and how many of each are left."""
        self._ask("ukeire")
        return self._counts("useful")

    def discards(self) -> dict[int, tuple[int, int]]:
        """Of a hand of 3k+2 tiles: shanten and helping tiles after each discard."""
        self._ask("best_discard")
        after = self._machine.read("discard_shanten", KINDS)
        helping = self._machine.read("discard_ukeire", KINDS)
        return {
            kind: (self._signed(after[kind]), helping[kind])
            for kind in range(KINDS)
            if after[kind] != _ABSENT
        }

    def best(self) -> list[int]:
        """The best discards, after ``discards``."""
        return list(self._counts("best"))

    def complete(self) -> bool:
        """Whether a hand of 3k+2 tiles is complete."""
        return bool(self._ask("complete").a)

    def calls(self, tile: int, from_left: bool) -> MachineCalls:
        """What a hand of 3k+1 tiles may do with a discard."""
        bits = self._ask("call_options", **{"a": tile, self._second: int(from_left)}).a
        chii = tuple(
            (tile + low, tile + high)
            for bit, (low, high) in sorted(_CHII.items(), reverse=True)
            if bits & bit
        )
        return MachineCalls(bool(bits & _PON), bool(bits & _KAN), chii, bool(bits & _COMPLETES))

    def own_kans(self, hand: Hand) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Closed and added kans of a hand of 3k+2 tiles."""
        pons = {meld.tiles[0] for meld in hand.melds if meld.kind is MeldKind.PON}
        self._machine.write("pons", bytes(int(kind in pons) for kind in range(KINDS)))
        self._ask("own_kans")
        kans = self._counts("kans")
        return (
            tuple(kind for kind, what in kans.items() if what == 1),
            tuple(kind for kind, what in kans.items() if what == 2),
        )

    def _ask(self, routine: str, **registers: Any) -> Result:
        result = self._machine.call(routine, limit=LIMIT, **registers)
        self.cycles = result.cycles
        return result

    def _counts(self, symbol: str) -> dict[int, int]:
        counts = self._machine.read(symbol, KINDS)
        return {kind: count for kind, count in enumerate(counts) if count}

    @staticmethod
    def _signed(value: int) -> int:
        return value - 256 if value >= 128 else value
