"""From a log's elements to what they mean."""

from __future__ import annotations

import re
from urllib.parse import unquote

from fairdeck.tenhou.game.attributes import (
    Attributes,
    Fault,
    has_chips,
    number,
    numbers,
    pairs,
    read_pairs,
    scores,
    seat,
    tile,
    tiles,
    whole,
)
from fairdeck.tenhou.game.events import (
    Back,
    Call,
    Discard,
    Dora,
    Draw,
    Event,
    GameLog,
    Left,
    NoWin,
    Riichi,
    RoundLog,
    Rules,
    Settlement,
    Stray,
    Win,
)
from fairdeck.tenhou.game.melds import Meld, decode

_MOVE = re.compile(r"([TUVWDEFG])(0|[1-9][0-9]*)\Z")
_DRAWS, _DISCARDS = "TUVW", "DEFG"
_KNOWN_RULES = 0xFF
"""Above these bits of GO's number are rules for money, chips and championships."""
_OWN_RULES = ("rule", "csrule")
HEADER = ("SHUFFLE", "GO", "UN", "TAIKYOKU")
"""What comes before the first round, in this order."""


class GameReader:
    """Collects a game from its elements, in their order. Raises Fault."""

    def __init__(self) -> None:
        self.rules: Rules | None = None
        self.seed: str | None = None
        self.names: tuple[str, ...] = ()
        self.first_dealer: int | None = None
        self.header: list[str] = []
        self.opening: list[Event] = []
        self.rounds: list[RoundLog] = []
        self.events: list[Event] = []

    @property
    def players(self) -> int:
        """Of a game without GO: four."""
        return self.rules.players if self.rules is not None else 4

    def element(self, name: str, attributes: Attributes) -> None:
        """The next element."""
        if name == "INIT":
            self._finish_round()
            self.rounds.append(_start(attributes, self.players))
            return
        event = None if name in HEADER else _event(name, attributes, self.players)
        if name == "UN" and (self.rounds or "UN" in self.header):
            event = _back(attributes, self.players)
        if self.rounds:
            self.events.append(event or Stray(name))
        elif event is None:
            self._head(name, attributes)
        elif isinstance(event, Left | Back | Stray):
            self.opening.append(event)
        else:
            raise Fault(f"{name} before the first INIT")

    def game(self) -> GameLog:
        """What was read."""
        self._finish_round()
        return GameLog(
            self.players,
            self.seed,
            self.names,
            tuple(self.rounds),
            self.rules,
            self.first_dealer,
            tuple(self.header),
            tuple(self.opening),
        )

    def _head(self, name: str, attributes: Attributes) -> None:
        self.header.append(name)
        if name == "SHUFFLE":
            self.seed = attributes.get("seed")
        elif name == "GO":
            own = any(attributes.get(key) for key in _OWN_RULES)
            kind = number(attributes, "type")
            self.rules = Rules(kind, known=kind <= _KNOWN_RULES and not own)
        elif name == "TAIKYOKU":
            self.first_dealer = seat(attributes, "oya", self.players)
        else:
            self.names = _names(attributes, self.players)

    def _finish_round(self) -> None:
        if self.rounds:
            last = self.rounds[-1]
            self.rounds[-1] = RoundLog(
                last.number,
                last.honba,
                last.sticks,
                last.scores,
                last.dealer,
                last.dice,
                last.dora,
                last.hands,
                tuple(self.events),
            )
        self.events = []


def _names(attributes: Attributes, players: int) -> tuple[str, ...]:
    """The players' names; none when one of them is not there."""
    if not all(f"n{n}" in attributes for n in range(players)):
        return ()
    _no_fourth(attributes, "n3", players)
    return tuple(unquote(attributes[f"n{n}"]) for n in range(players))


def _no_fourth(attributes: Attributes, name: str, players: int) -> None:
    """What is the fourth player's is empty in a game of three."""
    if players == 3 and attributes.get(name):
        raise Fault(f"'{name}' tells of a fourth player in a game of three")


def _start(attributes: Attributes, players: int) -> RoundLog:
    seed = numbers(attributes, "seed")
    if len(seed) != 6:
        raise Fault("INIT: 'seed' needs six numbers, the last three dice and dora")
    if not all(0 <= die < 6 for die in seed[3:5]):
        raise Fault(f"INIT: the dice {seed[3]}, {seed[4]} are not within 0..5")
    dora = tile(seed[5])
    dealer = seat(attributes, "oya", players)
    hands = tuple(tiles(attributes, f"hai{n}") for n in range(players))
    _no_fourth(attributes, "hai3", players)
    ten = scores(attributes, "ten", players)
    dice = (seed[3] + 1, seed[4] + 1)
    return RoundLog(seed[0], seed[1], seed[2], ten, dealer, dice, dora, hands, ())


def _event(name: str, attributes: Attributes, players: int) -> Event:
    move = _MOVE.match(name)
    if move is not None:
        return _move(move[1], tile(move[2]), players) or Stray(name)
    if name == "N":
        who = seat(attributes, "who", players)
        return Call(who, _meld(number(attributes, "m"), who))
    if name == "REACH":
        ten = scores(attributes, "ten", players) if attributes.get("ten") else None
        return Riichi(seat(attributes, "who", players), number(attributes, "step"), ten)
    if name == "DORA":
        return Dora(tile(number(attributes, "hai")))
    if name == "AGARI":
        return _win(attributes, players)
    if name == "RYUUKYOKU":
        return _no_win(attributes, players)
    if name == "BYE":
        return Left(seat(attributes, "who", players))
    return Stray(name)


def _move(letter: str, which: int, players: int) -> Draw | Discard | None:
    """A draw or a discard; None for a fourth player's where there are three."""
    if letter in _DRAWS:
        who = _DRAWS.index(letter)
        return Draw(who, which) if who < players else None
    who = _DISCARDS.index(letter)
    return Discard(who, which) if who < players else None


def _meld(code: int, who: int) -> Meld:
    try:
        return decode(code, who)
    except ValueError as fault:
        raise Fault(f"there is no meld {code}: {fault}") from None


def _back(attributes: Attributes, players: int) -> Event:
    """Who came back has a name in this element; the others have not."""
    there = [n for n in range(players) if f"n{n}" in attributes]
    if len(there) != 1:
        return Stray("UN")
    return Back(there[0], unquote(attributes[f"n{there[0]}"]))


def _win(attributes: Attributes, players: int) -> Win:
    who = seat(attributes, "who", players)
    worth = numbers(attributes, "ten")
    if len(worth) != 3:
        raise Fault("AGARI: 'ten' needs three numbers: fu, points and limit")
    codes = numbers(attributes, "m") if attributes.get("m") else []
    settled = _settlement(attributes, players)
    if settled is None:
        raise Fault("AGARI: 'sc' is missing")
    return Win(
        seat=who,
        source=seat(attributes, "fromWho", players),
        liable=seat(attributes, "paoWho", players) if "paoWho" in attributes else None,
        hand=tiles(attributes, "hai"),
        melds=tuple(_meld(code, who) for code in codes),
        tile=tile(number(attributes, "machi")),
        fu=worth[0],
        value=worth[1],
        limit=worth[2],
        yaku=pairs(attributes, "yaku"),
        yakuman=tuple(numbers(attributes, "yakuman")) if attributes.get("yakuman") else (),
        dora=tiles(attributes, "doraHai", needed=False),
        ura=tiles(attributes, "doraHaiUra", needed=False),
        settlement=settled,
    )


def _no_win(attributes: Attributes, players: int) -> NoWin:
    shown = tuple(
        tiles(attributes, f"hai{n}") if attributes.get(f"hai{n}") else None for n in range(players)
    )
    _no_fourth(attributes, "hai3", players)
    settled, counters = _settlement(attributes, players), None
    if settled is None and attributes.get("owari"):
        raise Fault("RYUUKYOKU: 'owari' tells final scores, and 'sc' is missing")
    if settled is None and "ba" in attributes:
        counters = _counters(attributes)
    return NoWin(attributes.get("type"), shown, settled, counters)


def _settlement(attributes: Attributes, players: int) -> Settlement | None:
    if "sc" not in attributes:
        return None
    before, change = (whole(values, "sc") for values in read_pairs(attributes, "sc", players))
    counters = _counters(attributes)
    final: tuple[int, ...] | None = None
    points: tuple[float, ...] | None = None
    if attributes.get("owari"):
        ends, points = read_pairs(attributes, "owari", players)
        final = whole(ends, "owari")
    chips = any(has_chips(attributes, name) for name in ("sc", "owari"))
    return Settlement(before, change, counters[0], counters[1], final, points, chips)


def _counters(attributes: Attributes) -> tuple[int, int]:
    """Honba and riichi sticks of a result."""
    counters = numbers(attributes, "ba")
    if len(counters) != 2:
        raise Fault("'ba' needs two numbers: counters and riichi sticks")
    return counters[0], counters[1]
