"""What a log says happened: the elements of a game as nouns.

Seats are 0..3, tiles ids 0..135, scores hundreds of points.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.tenhou.game.melds import Meld


@dataclass(frozen=True, slots=True)
class Draw:
    """``seat`` drew ``tile``."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class Discard:
    """``seat`` discarded ``tile``."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class Call:
    """``seat`` called a meld, declared a kan or set a north aside."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class Riichi:
    """``seat`` declared riichi (``step`` 1), or paid for it (2), all having ``scores`` then."""

    seat: int
    step: int
    scores: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Dora:
    """A further dora indicator was turned."""

    tile: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the result of a round moved: ``before`` and ``change`` by seat.

    ``honba`` and ``sticks`` are the counters that were paid out with it. ``final`` are the scores
    at the end of the game and ``points`` what the players were given for them, None before.
    ``chips``: the log tells of chips as well, which nothing here follows.
    """

    before: tuple[int, ...]
    change: tuple[int, ...]
    honba: int
    sticks: int
    final: tuple[int, ...] | None = None
    points: tuple[float, ...] | None = None
    chips: bool = False


@dataclass(frozen=True, slots=True)
class Win:
    """A win: ``hand`` with the winning ``tile``, what it was worth, and the indicators shown.

    ``source`` is the seat of who discarded, ``seat`` itself of a drawn tile; ``liable`` that of
    who has to pay for a yakuman. ``yaku`` are numbers and han, dora included.
    """

    seat: int
    source: int
    liable: int | None
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    fu: int
    value: int
    limit: int
    yaku: tuple[tuple[int, int], ...]
    yakuman: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    settlement: Settlement


@dataclass(frozen=True, slots=True)
class NoWin:
    """The round ended without a win; ``why`` is Tenhou's word for it, None: the wall is drawn.

    ``shown`` are the hands that were laid open, by seat (None: not). ``counters`` are honba and
    sticks where the log tells these and not what moved: then there is no ``settlement``.
    """

    why: str | None
    shown: tuple[tuple[int, ...] | None, ...]
    settlement: Settlement | None
    counters: tuple[int, int] | None = None

    @property
    def is_blank(self) -> bool:
        """Whether it tells nothing: no reason, no hands, no points."""
        settled = self.settlement
        moved = settled is not None and (any(settled.change) or settled.final is not None)
        return self.why is None and not moved and not any(self.shown)


@dataclass(frozen=True, slots=True)
class Left:
    """A player lost the connection."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """A player came back, with ``name``."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Stray:
    """An element that has no place in a round; ``name`` as the log writes it."""

    name: str


Event = Draw | Discard | Call | Riichi | Dora | Win | NoWin | Left | Back | Stray


@dataclass(frozen=True, slots=True)
class RoundLog:
    """A round as it was logged. ``dice`` are faces 1..6, ``hands`` tile ids by seat.

    ``number`` counts from 0 (four to a wind), ``honba`` and ``sticks`` are the counters and the
    riichi sticks on the table at its start, ``scores`` everyone's then.
    """

    number: int
    honba: int
    sticks: int
    scores: tuple[int, ...]
    dealer: int
    dice: tuple[int, int]
    dora: int
    hands: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the element GO says of a game; ``kind`` is its number.

    ``known``: the game has no rules beyond those here (money, chips, a championship's own).
    ``early``: it is of 2009, when the first and the last were given less for their places.
    """

    kind: int
    known: bool
    early: bool = False

    @property
    def players(self) -> int:
        """Three or four."""
        return 3 if self.kind & 0x10 else 4

    @property
    def red_fives(self) -> bool:
        """Whether copy 0 of each five is red and worth a han."""
        return not self.kind & 0x02

    @property
    def open_tanyao(self) -> bool:
        """Whether tanyao counts with called melds."""
        return not self.kind & 0x04

    @property
    def winds(self) -> int:
        """Winds the game goes on for, before it is drawn out."""
        return 2 if self.kind & 0x08 else 1


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game. ``seed`` is the text of the element SHUFFLE, None without one.

    ``names`` are those of the players in the order of their seats at the start, ``rules`` None
    without the element GO, ``first_dealer`` None without TAIKYOKU. ``header`` are the names of
    the elements before the first round.
    """

    players: int
    seed: str | None
    names: tuple[str, ...]
    rounds: tuple[RoundLog, ...]
    rules: Rules | None = None
    first_dealer: int | None = None
    header: tuple[str, ...] = ()
    opening: tuple[Event, ...] = ()
