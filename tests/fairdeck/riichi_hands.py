"""What the tests of the riichi routines share: hands, and a machine's view of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairdeck.riichi.hand import Counts, Hand, Meld, MeldKind, counts_of, parse_kinds, parse_meld
from fairdeck.riichi.shanten import join_costs, suit_costs
from fairdeck.tiles import COPIES, KINDS
from romproof.harness.machine import Machine

VECTORS = Path(__file__).parents[1] / "vectors"
VECTOR_FILE: dict[str, Any] = json.loads((VECTORS / "hands.json").read_text("utf-8"))
HANDS: list[dict[str, Any]] = VECTOR_FILE["cases"]
CALLS: dict[str, Any] = json.loads((VECTORS / "calls.json").read_text("utf-8"))
SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
FROM_NOTHING = tuple(3 * melds + 2 * pair for pair in (0, 1) for melds in range(5))
NO_TILES: Counts = (0,) * KINDS


def hand_of(case: dict[str, Any], key: str = "tiles") -> Hand:
    melds = tuple(parse_meld(meld["type"], meld["tiles"]) for meld in case["melds"])
    return Hand(counts_of(parse_kinds(case[key])), melds)


def random_hands(seed: int, count: int, tiles: int) -> Iterator[Hand]:
    """Hands of ``tiles`` with three for each meld, of a few kinds, so that many are held often."""
    rnd = random.Random(seed)
    for _ in range(count):
        first = rnd.choice((0, 0, 9, 18, 22))
        kinds = range(first, min(KINDS, first + rnd.choice((9, 12, KINDS))))
        wall = [kind for kind in kinds for _ in range(COPIES)]
        melds: list[Meld] = []
        wanted = rnd.choice((0, 0, 1, 2, 3, 4))
        while len(melds) < wanted:
            kind = rnd.choice(kinds)
            run = (kind, kind + 1, kind + 2)
            if rnd.random() < 0.5 and wall.count(kind) == COPIES:
                same = rnd.choice((MeldKind.PON, MeldKind.OPEN_KAN, MeldKind.CLOSED_KAN))
                melds.append(Meld(same, (kind,) * (4 if same.is_kan else 3)))
            elif kind < 27 and kind % 9 < 7 and all(one in wall for one in run):
                melds.append(Meld(MeldKind.CHI, run))
            else:
                continue
            for tile in melds[-1].tiles:
                wall.remove(tile)
        yield Hand(counts_of(rnd.sample(wall, tiles - 3 * wanted)), tuple(melds))


def put(machine: Machine, closed: Sequence[int], melded: Sequence[int] = NO_TILES) -> None:
    """A hand with so many tiles melded as ``melds`` would be: all that counts is whether any."""
    machine.write("hand", bytes(closed))
    machine.write("melded", bytes(melded))
    machine.write("melds", bytes([min(4, (sum(melded) + 2) // 3)]))


def costs_at(machine: Machine, suit: int) -> list[int]:
    return list(machine.read("suits", 40)[10 * suit :][:10])


def wanted_costs(hand: Hand, suit: int) -> list[int]:
    """The model's costs of a suit, where a block from nothing is always possible."""
    first, end = SUITS[suit]
    room = tuple(COPIES - count for count in hand.melded[first:end])
    return list(join_costs(suit_costs(hand.closed[first:end], room, suit < 3), FROM_NOTHING))


def visible_beside(hand: Hand, seed: int) -> Counts:
    """Some of the tiles that the hand leaves."""
    rnd = random.Random(seed)
    used = zip(hand.closed, hand.melded, strict=True)
    return tuple(rnd.randint(0, COPIES - own - melded) for own, melded in used)
