"""Tables of a game, made for one rule each."""

from __future__ import annotations

import pytest

from fairdeck.riichi.hand import parse_kinds
from fairdeck.tenhou.game.contradiction import Contradiction, Kind
from fairdeck.tenhou.game.events import (
    Discard,
    Draw,
    Event,
    GameLog,
    RoundLog,
    Rules,
    Settlement,
)
from fairdeck.tenhou.game.round_end import Round
from fairdeck.tenhou.game.track import Tracker
from fairdeck.tiles import NAMES

FOUR, THREE = Rules(0x09, known=True), Rules(0x19, known=True)
_SCATTERED = ("147m258p369s1235z", "2468m2468p2468s6z", "1579m1579p1579s6z", "3579m357p3579s67z")


def ids(text: str, used: set[int]) -> tuple[int, ...]:
    """Free copies of the tiles written as ``text``."""
    found = []
    for one in parse_kinds(text):
        tile = next((t for t in range(4 * one, 4 * one + 4) if t not in used), -1)
        assert tile >= 0, f"no {NAMES[one]} is left"
        used.add(tile)
        found.append(tile)
    return tuple(found)


def table(*hands: str, rules: Rules = FOUR, dealer: int = 0) -> tuple[Round, set[int]]:
    """A round with these hands and scattered ones for the others, and the tiles in them."""
    used: set[int] = set()
    texts = [*hands, *_SCATTERED[len(hands) :]][: rules.players]
    dealt = tuple(ids(text, used) for text in texts)
    dora = ids("7z", used)[0]
    start = {4: 250, 3: 350}[rules.players]
    log = RoundLog(0, 0, 0, (start,) * rules.players, dealer, (1, 1), dora, dealt, ())
    return Round(log, rules), used


def feed(played: Round, *events: Event) -> Round:
    """Let these happen."""
    game = GameLog(played.players, None, (), ())
    tracker = Tracker(game, played.rules, played)
    for event in events:
        tracker.take(event)
    return played


def wrong(kind: Kind, played: Round, *events: Event) -> str:
    """The last of these contradicts; gives how."""
    feed(played, *events[:-1])
    with pytest.raises(Contradiction) as found:
        feed(played, events[-1])
    assert found.value.kind is kind
    return str(found.value)


def settled(played: Round, *change: int, sticks: int | None = None) -> Settlement:
    """A result that moves ``change``, by default nothing."""
    moved = change or (0,) * played.players
    return Settlement(tuple(played.scores), moved, 0, played.sticks if sticks is None else sticks)


def first_turns(played: Round, used: set[int], text: str) -> list[Event]:
    """Each seat draws a tile of ``text`` and discards it."""
    events: list[Event] = []
    for seat, one in enumerate(parse_kinds(text)):
        tile = ids(NAMES[one], used)[0]
        events += [Draw(seat, tile), Discard(seat, tile)]
    return events
