"""Whose turn it is: a round's events in the order in which the rules let them come."""

from __future__ import annotations

from enum import Enum, auto

from fairdeck.riichi.waits import waits
from fairdeck.riichi.yaku import YAOCHUU
from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.events import Call, Discard, Dora, Draw, Riichi, RoundLog, Rules
from fairdeck.tenhou.game.melds import Called
from fairdeck.tenhou.game.payments import STICK
from fairdeck.tenhou.game.seats import Seat, told
from fairdeck.tenhou.table import TABLES
from fairdeck.tiles import kind

_WINDS = frozenset({27, 28, 29, 30})
KANS = 4
"""Kans of a round, of all players together."""


class Phase(Enum):
    """What has to come next."""

    DRAW = auto()
    """The first draw of the dealer."""
    ACT = auto()
    """Whoever drew discards, declares a kan or riichi, sets a north aside, wins."""
    CALLED = auto()
    """Whoever called a run or a triplet discards."""
    DECLARED = auto()
    """Whoever declared riichi discards."""
    REACT = auto()
    """Others may call or win; else the next one draws."""
    KAN = auto()
    """A kan or north was declared: its replacement, or somebody wins on the tile."""
    OVER = auto()


_DISCARDS = frozenset({Phase.ACT, Phase.CALLED, Phase.DECLARED})


class Turns:
    """A round in play. Every method takes the next event, or raises Contradiction."""

    def __init__(self, log: RoundLog, rules: Rules) -> None:
        self.rules, self.log = rules, log
        self.players = rules.players
        self.table = TABLES[rules.players]
        self.seats = [Seat(n, set(hand)) for n, hand in enumerate(log.hands)]
        self.scores = list(log.scores)
        self.sticks = log.sticks
        self.indicators = [log.dora]
        self.phase = Phase.DRAW
        self.turn = log.dealer
        self.last: int | None = None
        """The tile that others may win on: a discard, or that of a kan or north."""
        self.last_call: Called | None = None
        """What was declared, in the phase KAN."""
        self.kans = 0
        self.draws = 0
        self.replacements = 0
        self.replaced = False
        """Whether the tile drawn last replaces a kan's."""
        self.untouched = True
        """Whether nobody has called or declared anything but riichi."""
        self.owed = 0
        """Indicators that have to be turned before the next draw."""
        self.late = 0
        """Indicators that have to be turned before the next discard."""
        self.turned = False
        """Whether an indicator was turned that announces the discard."""
        self.unpaid: int | None = None
        """Who declared riichi and has not paid for it."""

    @property
    def left(self) -> int:
        """Tiles in the live wall."""
        return self.table.draws - self.draws

    @property
    def kan_ends(self) -> bool:
        """Whether the round ends for its kans: four, not all of one player."""
        if self.kans < KANS:
            return False
        owners = {s.number for s in self.seats for m in s.melds if m.called.is_kan}
        return len(owners) > 1

    @property
    def all_riichi(self) -> bool:
        """Whether four players have riichi, which ends the round."""
        return self.players == 4 and all(seat.riichi is not None for seat in self.seats)

    @property
    def same_winds(self) -> bool:
        """Whether all four discarded the same wind in a first round without calls."""
        if self.players != 4 or not self.untouched or self.draws != self.players:
            return False
        kinds = {kind(tile) for seat in self.seats for tile in seat.discards}
        each = all(len(seat.discards) == 1 for seat in self.seats)
        return each and len(kinds) == 1 and kinds <= _WINDS

    def draw(self, event: Draw) -> None:
        """A tile is drawn from the wall, or after a kan or north from the dead wall."""
        if self.phase is Phase.REACT:
            self._must_go_on()
            wanted = (self.turn + 1) % self.players
            self._pass()
        elif self.phase in (Phase.DRAW, Phase.KAN):
            wanted = self.turn
        else:
            raise Contradiction(Kind.TURN, f"seat {event.seat} draws; {self._expected()}")
        if event.seat != wanted:
            raise Contradiction(
                Kind.TURN, f"seat {event.seat} draws, it is the turn of seat {wanted}"
            )
        require(self.unpaid is None, Kind.RIICHI, f"seat {self.unpaid} has not paid for riichi")
        require(self.owed == 0, Kind.DORA, "a tile is drawn before the dora indicator is turned")
        require(self.left > 0, Kind.DRAW, f"a tile is drawn after all {self.table.draws} are")
        self.replaced = self.phase is Phase.KAN
        if self.replaced:
            self.replacements += 1
            self._touch()
            if self.last_call is not Called.CLOSED_KAN and self.last is not None:
                self._pass()
        self.draws += 1
        self.seats[wanted].draw(event.tile)
        self.turn, self.phase, self.last = wanted, Phase.ACT, None

    def discard(self, event: Discard) -> None:
        """A tile is discarded."""
        if self.phase not in _DISCARDS or event.seat != self.turn:
            raise Contradiction(Kind.TURN, f"seat {event.seat} discards; {self._expected()}")
        require(
            self.late == 0, Kind.DORA, "a tile is discarded before the dora indicator is turned"
        )
        seat = self.seats[event.seat]
        declared = self.phase is Phase.DECLARED
        seat.discard(event.tile)
        if declared:
            seat.ippatsu, self.unpaid = True, event.seat
            require(
                bool(seat.waits()),
                Kind.RIICHI,
                f"seat {event.seat} declares riichi and is not ready after it",
            )
        self.turned = False
        self.phase, self.last, self.last_call, self.replaced = Phase.REACT, event.tile, None, False

    def call(self, event: Call) -> None:
        """A meld is called, a kan declared, a north set aside."""
        meld, seat = event.meld, self.seats[event.seat]
        what = f"seat {event.seat} calls {meld.called.value}"
        require(self.left > 0, Kind.CALL, f"{what} with no tile left in the wall")
        if meld.called.is_kan:
            require(self.kans < KANS, Kind.CALL, f"{what}, the fifth kan of the round")
        if meld.source is None or meld.called is Called.ADDED_KAN:
            self._own_call(event, what)
            return
        require(self.phase is Phase.REACT, Kind.TURN, f"{what}; {self._expected()}")
        self._must_go_on()
        require(self.unpaid is None, Kind.RIICHI, f"seat {self.unpaid} has not paid for riichi")
        require(
            (meld.source, meld.taken) == (self.turn, self.last) and meld.source != event.seat,
            Kind.CALL,
            f"{what} with {told(meld.taken or 0)} of seat {meld.source}; "
            f"seat {self.turn} discarded {told(self.last or 0)}",
        )
        require(seat.riichi is None, Kind.CALL, f"{what} after riichi")
        if meld.called is Called.CHII:
            following = self.players == 4 and event.seat == (self.turn + 1) % self.players
            require(following, Kind.CALL, f"{what}, which is for the next of four players only")
        self._pass()
        seat.call(meld)
        self.kans += meld.called.is_kan
        self.seats[self.turn].robbed = True
        self._touch()
        self.turn, self.last_call = event.seat, meld.called
        if meld.called is Called.OPEN_KAN:
            self.phase, self.last = Phase.KAN, None
            self.late += 1
        else:
            self.phase = Phase.CALLED

    def _own_call(self, event: Call, what: str) -> None:
        meld, seat = event.meld, self.seats[event.seat]
        require(
            self.phase is Phase.ACT and event.seat == self.turn,
            Kind.TURN,
            f"{what}; {self._expected()}",
        )
        require(not self.turned, Kind.DORA, f"{what} behind the dora indicator of a kan before")
        if meld.called is Called.NORTH:
            require(self.players == 3, Kind.CALL, f"{what} in a game of four players")
        before = None
        if seat.riichi is not None:
            drawn = seat.drawn
            require(drawn in meld.own, Kind.CALL, f"{what} after riichi without the drawn tile")
            before = waits(seat.hand(without=drawn))
        seat.call(meld)
        self.kans += meld.called.is_kan
        if before is not None:
            require(
                seat.waits() == before, Kind.CALL, f"{what} after riichi, which changes the wait"
            )
        self.owed, self.late = self.owed + self.late, 0
        if meld.called is Called.CLOSED_KAN:
            self.owed += 1
        elif meld.called is Called.ADDED_KAN:
            self.late += 1
        self.phase, self.last_call = Phase.KAN, meld.called
        self.last = meld.added if meld.added is not None else meld.tiles[0]

    def riichi(self, event: Riichi) -> None:
        """Riichi is declared, or paid for."""
        what = f"seat {event.seat} declares riichi"
        seat = self.seats[event.seat]
        if event.step == 1:
            require(
                self.phase is Phase.ACT and event.seat == self.turn,
                Kind.TURN,
                f"{what}; {self._expected()}",
            )
            require(seat.riichi is None, Kind.RIICHI, f"{what} a second time")
            require(seat.is_closed, Kind.RIICHI, f"{what} with an open hand")
            require(self.scores[event.seat] >= STICK, Kind.RIICHI, f"{what} without 1000 points")
            require(
                self.left >= self.players, Kind.RIICHI, f"{what} with {self.left} tiles in the wall"
            )
            first = self.untouched and not seat.discards
            seat.riichi = "double_riichi" if first else "riichi"
            self.phase = Phase.DECLARED
            return
        require(event.step == 2, Kind.RIICHI, f"riichi has no step {event.step}")
        require(
            self.phase is Phase.REACT and self.unpaid == event.seat,
            Kind.RIICHI,
            f"seat {event.seat} pays for riichi and did not just declare it",
        )
        self.unpaid = None
        self.sticks += 1
        self.scores[event.seat] -= STICK
        require(
            event.scores is None or list(event.scores) == self.scores,
            Kind.SCORE,
            f"after riichi the scores are told as {event.scores}; they are {tuple(self.scores)}",
        )

    def dora(self, event: Dora) -> None:
        """A further indicator is turned."""
        if self.phase is Phase.KAN and self.owed:
            self.owed -= 1
        elif self.late and (self.phase is Phase.ACT or self._at_once):
            self.late -= 1
            self.turned = self.phase is Phase.ACT
        else:
            raise Contradiction(Kind.DORA, "a dora indicator is turned and no kan asks for it")
        self.indicators.append(event.tile)

    @property
    def _at_once(self) -> bool:
        """Whether games with rules of their own may turn an indicator with any kan."""
        return self.phase is Phase.KAN and not self.rules.known

    def _must_go_on(self) -> None:
        """Nobody may act any more where the rules end the round."""
        for ends, why in (
            (self.all_riichi and self.unpaid is None, "four players have riichi"),
            (self.kan_ends, "there are four kans"),
            (self.same_winds, "all four discarded the same wind"),
        ):
            require(not ends, Kind.ROUND_END, f"the round goes on, though {why}")

    def _touch(self) -> None:
        """Somebody called: nothing is on the first draw any more, nor right after riichi."""
        self.untouched = False
        for seat in self.seats:
            seat.ippatsu = False

    def _pass(self) -> None:
        """The others let the tile go by that could be won on."""
        if self.last is not None:
            for seat in self.seats:
                if seat.number != self.turn:
                    seat.passed.add(kind(self.last))

    def _expected(self) -> str:
        """What should come instead, for sentences."""
        return {
            Phase.DRAW: f"seat {self.turn} has to draw first",
            Phase.ACT: f"it is the turn of seat {self.turn}, which has drawn",
            Phase.CALLED: f"seat {self.turn} has called and has to discard",
            Phase.DECLARED: f"seat {self.turn} has declared riichi and has to discard",
            Phase.REACT: f"seat {self.turn} has discarded; the next one has to draw",
            Phase.KAN: f"seat {self.turn} has to draw for the tile set aside",
            Phase.OVER: "the round is over",
        }[self.phase]


def nine_orphans(seat: Seat) -> bool:
    """Whether a hand has nine kinds of terminals and honours."""
    return len({kind(tile) for tile in seat.tiles} & YAOCHUU) >= 9
