"""What a log shows of a round's wall against the wall that the seed gives."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeck.tenhou.game.contradiction import Contradiction, Kind
from fairdeck.tenhou.game.events import Call, Dora, Draw, Event, RoundLog, Win
from fairdeck.tenhou.game.sentences import Sentence, list_values, say, tile_text
from fairdeck.tenhou.wall import Round
from fairdeck.tiles import hand_text

_MAX_INDICATORS = 5


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
                    "the hand dealt to seat {seat} is {logged}; the seed gives {wanted}",
                    seat=seat,
                    logged=_hand(hand, dealt),
                    wanted=_hand(dealt, hand),
                )
        if log.dice != made.dice:
            raise Contradiction(
                Kind.DICE,
                "the dice show {logged}; the seed gives {wanted}",
                logged=list_values(log.dice, " and "),
                wanted=list_values(made.dice, " and "),
            )
        if log.dora != made.dora:
            raise _wrong(Kind.DORA, say("the first dora indicator"), log.dora, made.dora)

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
                Kind.DRAW, "more tiles are drawn than the wall has ({all})", all=table.draws
            )
        if self._replaces:
            index = table.replacement(self._replaced, pairs)
            self._replaced += 1
        else:
            index = self._live
            self._live -= 1
        if event.tile != wall[index]:
            number, seat = self._draws, event.seat
            raise _wrong(
                Kind.DRAW,
                say("draw {number} (seat {seat}, after a kan)", number=number, seat=seat)
                if self._replaces
                else say("draw {number} (seat {seat})", number=number, seat=seat),
                event.tile,
                wall[index],
            )
        self._replaces = False

    def _indicator(self, number: int, tile: int, *, beneath: bool = False) -> None:
        table, pairs, wall = self._made.table, self._made.pairs, self._made.logged
        if number >= _MAX_INDICATORS:
            raise Contradiction(
                Kind.DORA, "there are more than {most} indicators", most=_MAX_INDICATORS
            )
        wanted = wall[(table.ura if beneath else table.dora)(number, pairs)]
        if tile != wanted:
            what = (
                say("ura dora indicator {number}", number=number + 1)
                if beneath
                else say("dora indicator {number}", number=number + 1)
            )
            raise _wrong(Kind.DORA, what, tile, wanted)


def _wrong(kind: Kind, what: Sentence, logged: int, wanted: int) -> Contradiction:
    return Contradiction(
        kind,
        "{what} is {logged}; the seed gives {wanted}",
        what=what,
        logged=tile_text(logged),
        wanted=tile_text(wanted),
    )


def _hand(hand: Sequence[int], other: Sequence[int]) -> Sentence:
    """The hand, and the ids of what the other one does not have: copies look alike."""
    text, own = hand_text(hand), sorted(set(hand) - set(other))
    if not own:
        return say("{hand} (tiles twice)", hand=text)
    if len(own) == 1:
        return say("{hand} (tile {tile})", hand=text, tile=own[0])
    return say("{hand} (tiles {tiles})", hand=text, tiles=list_values(own))
