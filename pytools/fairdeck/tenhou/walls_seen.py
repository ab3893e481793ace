"""What a log shows of a round's wall against the wall that the seed gives."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeck.tenhou.game.contradiction import Contradiction, Kind
from fairdeck.tenhou.game.events import Call, Dora, Draw, Event, RoundLog, Win
from fairdeck.tenhou.wall import Round
from fairdeck.tiles import hand_text, name

_MOST_INDICATORS = 5


class WallSeen:
    """A round's wall as it is uncovered; ``made`` is what the seed gives."""

    def __init__(self, made: Round) -> None:
        self._made = made
        self._live = made.table.first_draw
        self._draws = self._replaced = 0
        self._indicators = 1
        self._replaces = False

    def begin(self, log: RoundLog) -> None:
        """The deal. Raises Contradiction."""
        made = self._made
        for seat, (hand, dealt) in enumerate(zip(log.hands, made.hands(log.dealer), strict=True)):
            if sorted(hand) != sorted(dealt):
                raise Contradiction(
                    Kind.HAND,
                    f"the hand dealt to seat {seat} is {_hand(hand, dealt)}; "
                    f"the seed gives {_hand(dealt, hand)}",
                )
        if log.dice != made.dice:
            raise Contradiction(
                Kind.DICE, f"the dice show {_pair(log.dice)}; the seed gives {_pair(made.dice)}"
            )
        if log.dora != made.dora:
            raise _wrong(Kind.DORA, "the first dora indicator", log.dora, made.dora)

    def take(self, event: Event) -> None:
        """An event of the round. Raises Contradiction."""
        if isinstance(event, Draw):
            self._draw(event)
        elif isinstance(event, Call):
            self._replaces = event.meld.called.is_replaced
        elif isinstance(event, Dora):
            self._indicator(self._indicators, event.tile)
            self._indicators += 1
        elif isinstance(event, Win):
            for number, tile in enumerate(event.dora):
                self._indicator(number, tile)
            for number, tile in enumerate(event.ura):
                self._indicator(number, tile, beneath=True)

    def _draw(self, event: Draw) -> None:
        table, pairs, wall = self._made.table, self._made.pairs, self._made.logged
        self._draws += 1
        if self._draws > table.draws or self._replaced >= table.rinshan:
            raise Contradiction(
                Kind.DRAW, f"more tiles are drawn than the wall has ({table.draws})"
            )
        if self._replaces:
            index = table.replacement(self._replaced, pairs)
            self._replaced += 1
        else:
            index = self._live
            self._live -= 1
        if event.tile != wall[index]:
            what = f"draw {self._draws} (seat {event.seat}{', after a kan' * self._replaces})"
            raise _wrong(Kind.DRAW, what, event.tile, wall[index])
        self._replaces = False

    def _indicator(self, number: int, tile: int, *, beneath: bool = False) -> None:
        table, pairs, wall = self._made.table, self._made.pairs, self._made.logged
        if number >= _MOST_INDICATORS:
            raise Contradiction(Kind.DORA, f"there are more than {_MOST_INDICATORS} indicators")
        wanted = wall[(table.ura if beneath else table.dora)(number, pairs)]
        if tile != wanted:
            side = "ura " if beneath else ""
            raise _wrong(Kind.DORA, f"{side}dora indicator {number + 1}", tile, wanted)


def _wrong(kind: Kind, what: str, logged: int, wanted: int) -> Contradiction:
    return Contradiction(kind, f"{what} is {_tile(logged)}; the seed gives {_tile(wanted)}")


def _tile(tile: int) -> str:
    return f"{name(tile)} (tile {tile})"


def _hand(hand: Sequence[int], other: Sequence[int]) -> str:
    """The hand, and the ids of what the other one does not have: copies look alike."""
    own = sorted(set(hand) - set(other))
    return f"{hand_text(hand)} (tile{'s' * (len(own) != 1)} {', '.join(map(str, own)) or 'twice'})"


def _pair(dice: tuple[int, int]) -> str:
    return f"{dice[0]} and {dice[1]}"
