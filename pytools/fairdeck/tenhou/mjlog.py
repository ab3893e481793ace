"""Reading game logs (mjlog): XML with one element for everything that happened at the table.

Logs come from strangers: document types and entities are refused, and size, depth and number
of elements are limited, so that reading ends soon whatever the file holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote
from xml.parsers import expat

from romproof.text.errors import RomproofError

MOST_BYTES = 8 << 20
"""Bytes of XML a log may have; the longest games have some 100,000."""
MOST_ELEMENTS = 50_000
MOST_DEPTH = 8
_TILES = 136
_THREE_PLAYERS = 0x10

_DRAW = re.compile(r"([TUVW])(\d+)\Z")
_SEATS = {"T": 0, "U": 1, "V": 2, "W": 3}


class BadLog(RomproofError):
    """The file is no game log, or one that will not be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Seat ``seat`` drew tile ``tile``; ``replacement``: from the dead wall."""

    seat: int
    tile: int
    replacement: bool


@dataclass(frozen=True, slots=True)
class Indicator:
    """A dora indicator was turned: the ``number``-th of the round from 0, on top or beneath."""

    number: int
    tile: int
    beneath: bool = False


Event = Draw | Indicator


@dataclass(frozen=True, slots=True)
class RoundLog:
    """A round as it was logged. ``dice`` are faces 1..6, ``hands`` tile ids by seat."""

    dealer: int
    dice: tuple[int, int]
    dora: int
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game. ``seed`` is the text of the element SHUFFLE, None without one.

    ``names`` are those of the players in the order of their seats at the start.
    """

    players: int
    seed: str | None
    names: tuple[str, ...]
    rounds: tuple[RoundLog, ...]


def read_log(data: bytes) -> GameLog:
    """The game in an mjlog file's XML. Raises BadLog."""
    if len(data) > MOST_BYTES:
        raise BadLog(f"the log has more than {MOST_BYTES >> 20} MiB of XML")
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as fault:
        raise BadLog(
            f"line {fault.lineno}, column {fault.offset + 1}: no well-formed XML "
            f"({expat.ErrorString(fault.code)})"
        ) from None
    except _Fault as fault:
        place = f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"
        raise BadLog(f"{place}: {fault}") from None
    return reader.game()


class _Fault(Exception):
    """What is wrong at the place the parser is."""


class _Reader:
    """Collects a game from the parser's calls."""

    def __init__(self) -> None:
        self.players = 4
        self.seed: str | None = None
        self.names: tuple[str, ...] = ()
        self.rounds: list[RoundLog] = []
        self.events: list[Event] = []
        self._depth = self._elements = 0
        self._indicators = 1
        self._replaced = False

    def doctype(self, *_: object) -> None:
        """A document type could define entities that grow without bound."""
        raise _Fault("a log has no document type; this file is refused")

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        self._elements += 1
        if self._depth > MOST_DEPTH:
            raise _Fault(f"elements are nested more than {MOST_DEPTH} deep; no log is")
        if self._elements > MOST_ELEMENTS:
            raise _Fault(f"more than {MOST_ELEMENTS:,} elements; no log has so many")
        if self._elements == 1 and tag.lower() != "mjloggm":
            raise _Fault(f"the file begins with <{tag[:40]}>, a game log with <mjloggm>")
        match = _DRAW.match(tag)
        if match is not None:
            self._draw(_SEATS[match[1]], _tile(match[2]))
        else:
            action = getattr(self, f"_on_{tag.lower()}", None)
            if action is not None:
                action(attributes)

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._depth -= 1

    def game(self) -> GameLog:
        """What was read."""
        self._finish_round()
        return GameLog(self.players, self.seed, self.names[: self.players], tuple(self.rounds))

    def _on_shuffle(self, attributes: Mapping[str, str]) -> None:
        self.seed = attributes.get("seed")

    def _on_go(self, attributes: Mapping[str, str]) -> None:
        self.players = 3 if _number(attributes, "type") & _THREE_PLAYERS else 4

    def _on_un(self, attributes: Mapping[str, str]) -> None:
        # a later UN is a player who came back, and has only that one's name
        if not self.names and all(f"n{seat}" in attributes for seat in range(self.players)):
            self.names = tuple(unquote(attributes.get(f"n{seat}", "")) for seat in range(4))

    def _on_init(self, attributes: Mapping[str, str]) -> None:
        self._finish_round()
        start = _numbers(attributes, "seed")
        if len(start) != 6:
            raise _Fault("INIT: 'seed' needs six numbers, the last three dice and dora")
        dealer = _number(attributes, "oya")
        if not 0 <= dealer < self.players:
            raise _Fault(f"INIT: no seat {dealer} in a game of {self.players}")
        if not all(0 <= die < 6 for die in start[3:5]):
            raise _Fault(f"INIT: the dice {start[3]}, {start[4]} are not within 0..5")
        hands = tuple(_tiles(attributes, f"hai{seat}") for seat in range(self.players))
        dice = (start[3] + 1, start[4] + 1)
        self.rounds.append(RoundLog(dealer, dice, _tile(start[5]), hands, ()))
        self._indicators, self._replaced = 1, False

    def _on_n(self, attributes: Mapping[str, str]) -> None:
        if _is_replaced(_number(attributes, "m")):
            self._replaced = True

    def _on_dora(self, attributes: Mapping[str, str]) -> None:
        self._in_round("DORA")
        self.events.append(Indicator(self._indicators, _tile(_number(attributes, "hai"))))
        self._indicators += 1

    def _on_agari(self, attributes: Mapping[str, str]) -> None:
        self._in_round("AGARI")
        for name, beneath in (("doraHai", False), ("doraHaiUra", True)):
            if attributes.get(name):
                shown = enumerate(_tiles(attributes, name))
                self.events += [Indicator(number, tile, beneath) for number, tile in shown]

    def _draw(self, seat: int, tile: int) -> None:
        self._in_round("a draw")
        self.events.append(Draw(seat, tile, self._replaced))
        self._replaced = False

    def _in_round(self, what: str) -> None:
        if not self.rounds:
            raise _Fault(f"{what} before the first INIT")

    def _finish_round(self) -> None:
        if self.rounds:
            last = self.rounds[-1]
            self.rounds[-1] = RoundLog(
                last.dealer, last.dice, last.dora, last.hands, tuple(self.events)
            )
        self.events = []


_CHII, _PON = 4, 8


def _is_replaced(meld: int) -> bool:
    """Whether the caller then draws from the dead wall: a kan of any kind, a north set aside."""
    return not meld & (_CHII | _PON)


def _number(attributes: Mapping[str, str], name: str) -> int:
    values = _numbers(attributes, name)
    if len(values) != 1:
        raise _Fault(f"'{name}' has to be one number")
    return values[0]


def _numbers(attributes: Mapping[str, str], name: str) -> list[int]:
    text = attributes.get(name)
    if text is None:
        raise _Fault(f"'{name}' is missing")
    words = text.split(",")
    if len(words) > _TILES or not all(re.fullmatch(r"\s*\d{1,9}\s*", word) for word in words):
        raise _Fault(f"'{name}' has to be numbers with commas between them, not '{text[:40]}'")
    return [int(word) for word in words]


def _tiles(attributes: Mapping[str, str], name: str) -> tuple[int, ...]:
    return tuple(_tile(number) for number in _numbers(attributes, name))


def _tile(number: str | int) -> int:
    if len(str(number)) > 3 or not 0 <= int(number) < _TILES:
        raise _Fault(f"there is no tile {number}: tiles are 0..{_TILES - 1}")
    return int(number)
