"""A round as the page shows it: wall, dice, hands, dead wall, and what happened."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.tenhou.game.events import (
    Back,
    Call,
    Discard,
    Dora,
    Draw,
    Event,
    Left,
    NoWin,
    Riichi,
    RoundLog,
    Settlement,
    Win,
)
from fairdeck.tenhou.table import Pairs, Table
from fairdeck.tenhou.verify import Difference
from fairdeck.tenhou.wall import Round
from fairdeck.viewer.checks import event_mark

MAX_EVENTS = 512
"""Events of a round that are shown; real rounds have some 200 at most."""
_INDICATORS = 5
_LONGEST = 40
"""Characters of a word that a log brings along."""


@dataclass
class _Wall:
    """Where the next drawn tile lies, as in a round that keeps to the rules."""

    made: Round
    live: int
    replaced: int = 0
    replaces: bool = False

    def place(self, event: Event) -> int | None:
        """The index of the wall a draw comes from; None beyond the wall's end."""
        if isinstance(event, Call):
            self.replaces = event.meld.called.is_replaced
        if not isinstance(event, Draw):
            return None
        table = self.made.table
        if self.replaces:
            self.replaces = False
            self.replaced += 1
            at = table.replacement(self.replaced - 1, self.made.pairs)
            return at if self.replaced <= table.rinshan else None
        self.live -= 1
        return self.live + 1 if self.live >= 0 else None


def dead_wall(table: Table, pairs: Pairs) -> dict[str, object]:
    """Indices of the wall: ``size`` of the dead wall, ``rinshan``, ``dora`` and ``ura`` in order.

    ``upper`` is the place in a pair, 1 or 0, of the tile that lies on top.
    """
    return {
        "size": table.indicators + 2 * _INDICATORS,
        "rinshan": [table.replacement(n, pairs) for n in range(table.rinshan)],
        "dora": [table.dora(n, pairs) for n in range(_INDICATORS)],
        "ura": [table.ura(n, pairs) for n in range(_INDICATORS)],
        "upper": pairs.dora,
    }


def round_from_seed(number: int, made: Round) -> dict[str, object]:
    """A round that follows from a seed alone; nobody has played it."""
    return {
        "number": number,
        "honba": None,
        "sticks": None,
        "dealer": 0,
        "scores": None,
        "dice": list(made.dice),
        "wall": list(made.logged),
        "dead": dead_wall(made.table, made.pairs),
        "hands": [sorted(hand) for hand in made.hands()],
        "mark": "none",
        "events": [],
    }


def round_from_log(
    place: int, log: RoundLog, made: Round | None, difference: Difference | None, checked: bool
) -> dict[str, object]:
    """A round as it was logged; ``made`` is what the seed gives, None without one.

    ``place`` counts the log's rounds. ``checked`` is False when nothing could be.
    """
    wall = None if made is None else _Wall(made, made.table.first_draw)
    events = []
    for count, event in enumerate(log.events[:MAX_EVENTS], 1):
        row = _event(event)
        at = None if wall is None else wall.place(event)
        if at is not None:
            row["at"] = at
        row["mark"] = event_mark(difference, checked, place, count).value
        events.append(row)
    return {
        "number": log.number,
        "honba": log.honba,
        "sticks": log.sticks,
        "dealer": log.dealer,
        "scores": list(log.scores),
        "dice": list(log.dice),
        "wall": None if made is None else list(made.logged),
        "dead": None if made is None else dead_wall(made.table, made.pairs),
        "hands": [sorted(hand) for hand in log.hands],
        "dora": log.dora,
        "mark": event_mark(difference, checked, place, 0).value,
        "events": events,
        "events_in_all": len(log.events),
    }


def _event(event: Event) -> dict[str, object]:
    if isinstance(event, Draw | Discard):
        name = "draw" if isinstance(event, Draw) else "discard"
        return {"type": name, "seat": event.seat, "tile": event.tile}
    if isinstance(event, Call):
        meld = event.meld
        return {
            "type": "call",
            "seat": event.seat,
            "called": meld.called.value.replace(" ", "_"),
            "tiles": list(meld.tiles),
            "own": sorted(meld.own),
            "taken": meld.taken,
            "source": meld.source,
            "added": meld.added,
        }
    if isinstance(event, Riichi):
        return {"type": "riichi", "seat": event.seat, "step": event.step}
    if isinstance(event, Dora):
        return {"type": "dora", "tile": event.tile}
    if isinstance(event, Win):
        return _win(event)
    if isinstance(event, NoWin):
        return {
            "type": "no_win",
            "why": None if event.why is None else event.why[:_LONGEST],
            "shown": [None if hand is None else sorted(hand) for hand in event.shown],
            "change": _change(event.settlement),
            "final": _final(event.settlement),
        }
    if isinstance(event, Left | Back):
        return {"type": "left" if isinstance(event, Left) else "back", "seat": event.seat}
    return {"type": "stray", "name": event.name[:_LONGEST]}


def _win(event: Win) -> dict[str, object]:
    return {
        "type": "win",
        "seat": event.seat,
        "source": event.source,
        "tile": event.tile,
        "hand": sorted(event.hand),
        "fu": event.fu,
        "value": event.value,
        "han": None if event.yakuman else sum(han for _, han in event.yaku),
        "yakuman": len(event.yakuman),
        "dora": list(event.dora),
        "ura": list(event.ura),
        "change": _change(event.settlement),
        "final": _final(event.settlement),
    }


def _change(settled: Settlement | None) -> list[int] | None:
    return None if settled is None else list(settled.change)


def _final(settled: Settlement | None) -> list[int] | None:
    return None if settled is None or settled.final is None else list(settled.final)
