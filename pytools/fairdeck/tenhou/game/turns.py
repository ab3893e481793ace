"""Whose turn it is: a round's events in the order in which the rules let them come."""

from __future__ import annotations

from enum import Enum, auto

from fairdeck.riichi.waits import waits
from fairdeck.riichi.yaku import YAOCHUU
from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.events import Call, Discard, Dora, Draw, Riichi, RoundLog, Rules
from fairdeck.tenhou.game.melds import Called
from fairdeck.tenhou.game.payments import STICK
from fairdeck.tenhou.game.seats import Seat
from fairdeck.tenhou.game.sentences import Sentence, say, tile_text, word
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
        self.away: frozenset[int] = frozenset()
        """Who has lost the connection: they discard what they draw, and win on nothing."""

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
            raise Contradiction(
                Kind.TURN,
                "seat {seat} draws; {expected}",
                seat=event.seat,
                expected=self._describe_expected(),
            )
        if event.seat != wanted:
            raise Contradiction(
                Kind.TURN,
                "seat {seat} draws, it is the turn of seat {wanted}",
                seat=event.seat,
                wanted=wanted,
            )
        self._check_paid()
        require(self.owed == 0, Kind.DORA, "a tile is drawn before the dora indicator is turned")
        require(
            self.left > 0,
            Kind.DRAW,
            "a tile is drawn after all {all} are",
            all=self.table.draws,
        )
        self.replaced = self.phase is Phase.KAN
        if self.replaced:
            self.replacements += 1
            self._touch()
            self._pass(orphans_only=self.last_call is Called.CLOSED_KAN)
        self.draws += 1
        self.seats[wanted].draw(event.tile)
        self.turn, self.phase, self.last = wanted, Phase.ACT, None

    def discard(self, event: Discard) -> None:
        """A tile is discarded."""
        if self.phase not in _DISCARDS or event.seat != self.turn:
            raise Contradiction(
                Kind.TURN,
                "seat {seat} discards; {expected}",
                seat=event.seat,
                expected=self._describe_expected(),
            )
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
                "seat {seat} declares riichi and is not ready after it",
                seat=event.seat,
            )
        self.turned = False
        self.phase, self.last, self.last_call, self.replaced = Phase.REACT, event.tile, None, False

    def call(self, event: Call) -> None:
        """A meld is called, a kan declared, a north set aside."""
        meld, seat = event.meld, self.seats[event.seat]
        what = _call_text(event)
        require(self.left > 0, Kind.CALL, "{call} with no tile left in the wall", call=what)
        if meld.called.is_kan:
            require(self.kans < KANS, Kind.CALL, "{call}, the fifth kan of the round", call=what)
        if meld.source is None or meld.called is Called.ADDED_KAN:
            self._own_call(event)
            return
        self._require_phase(self.phase is Phase.REACT, what)
        self._must_go_on()
        self._check_paid()
        require(
            (meld.source, meld.taken) == (self.turn, self.last) and meld.source != event.seat,
            Kind.CALL,
            "{call} with {tile} of seat {source}; seat {turn} discarded {last}",
            call=what,
            tile=tile_text(meld.taken or 0),
            source=meld.source,
            turn=self.turn,
            last=tile_text(self.last or 0),
        )
        require(seat.riichi is None, Kind.CALL, "{call} after riichi", call=what)
        if meld.called is Called.CHII:
            following = self.players == 4 and event.seat == (self.turn + 1) % self.players
            require(
                following,
                Kind.CALL,
                "{call}, which is for the next of four players only",
                call=what,
            )
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

    def _own_call(self, event: Call) -> None:
        meld, seat, what = event.meld, self.seats[event.seat], _call_text(event)
        self._require_phase(self.phase is Phase.ACT and event.seat == self.turn, what)
        require(
            not self.turned,
            Kind.DORA,
            "{call} behind the dora indicator of a kan before",
            call=what,
        )
        if meld.called is Called.NORTH:
            require(self.players == 3, Kind.CALL, "{call} in a game of four players", call=what)
        before = None
        if seat.riichi is not None:
            drawn = seat.drawn
            require(
                drawn in meld.own,
                Kind.CALL,
                "{call} after riichi without the drawn tile",
                call=what,
            )
            before = waits(seat.hand(without=drawn))
        seat.call(meld)
        self.kans += meld.called.is_kan
        if before is not None:
            require(
                seat.waits() == before,
                Kind.CALL,
                "{call} after riichi, which changes the wait",
                call=what,
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
        if event.step == 1:
            self._declare(event)
            return
        require(event.step == 2, Kind.RIICHI, "riichi has no step {step}", step=event.step)
        require(
            self.phase is Phase.REACT and self.unpaid == event.seat,
            Kind.RIICHI,
            "seat {seat} pays for riichi and did not just declare it",
            seat=event.seat,
        )
        self.unpaid = None
        self.sticks += 1
        self.scores[event.seat] -= STICK
        self._check_told(event)

    def _check_told(self, event: Riichi) -> None:
        """The scores that a declaration or payment tells, where it does."""
        require(
            event.scores is None or list(event.scores) == self.scores,
            Kind.SCORE,
            "after riichi the scores are reported as {logged}; they are {wanted}",
            logged=str(event.scores),
            wanted=str(tuple(self.scores)),
        )

    def _declare(self, event: Riichi) -> None:
        seat, number = self.seats[event.seat], event.seat
        what = say("seat {seat} declares riichi", seat=number)
        self._require_phase(self.phase is Phase.ACT and number == self.turn, what)
        require(
            seat.riichi is None,
            Kind.RIICHI,
            "seat {seat} declares riichi a second time",
            seat=number,
        )
        require(
            seat.is_closed,
            Kind.RIICHI,
            "seat {seat} declares riichi with an open hand",
            seat=number,
        )
        require(
            self.scores[number] >= STICK,
            Kind.RIICHI,
            "seat {seat} declares riichi without 1000 points",
            seat=number,
        )
        require(
            self.left >= self.players,
            Kind.RIICHI,
            "seat {seat} declares riichi with {left} tiles in the wall",
            seat=number,
            left=self.left,
        )
        self._check_told(event)
        first = self.untouched and not seat.discards
        seat.riichi = "double_riichi" if first else "riichi"
        self.phase = Phase.DECLARED

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
        require(
            not (self.all_riichi and self.unpaid is None),
            Kind.ROUND_END,
            "the round goes on, though four players have riichi",
        )
        require(not self.kan_ends, Kind.ROUND_END, "the round goes on, though there are four kans")
        require(
            not self.same_winds,
            Kind.ROUND_END,
            "the round goes on, though all four discarded the same wind",
        )

    def _check_paid(self) -> None:
        if self.unpaid is not None:
            raise Contradiction(
                Kind.RIICHI, "seat {seat} has not paid for riichi", seat=self.unpaid
            )

    def _require_phase(self, holds: bool, what: Sentence) -> None:
        """Raise Contradiction unless ``holds``: the act has to come later, or never."""
        if not holds:
            raise Contradiction(
                Kind.TURN, "{act}; {expected}", act=what, expected=self._describe_expected()
            )

    def _touch(self) -> None:
        """Somebody called: nothing is on the first draw any more, nor right after riichi."""
        self.untouched = False
        for seat in self.seats:
            seat.ippatsu = False

    def _pass(self, *, orphans_only: bool = False) -> None:
        """The others let the tile go by that could be won on: of a closed kan by orphans only."""
        if self.last is not None:
            for seat in self.seats:
                if seat.number != self.turn and (seat.waits_for_orphans or not orphans_only):
                    seat.passed.add(kind(self.last))

    def _describe_expected(self) -> Sentence:
        """What should come instead, for messages."""
        seat = self.turn
        return {
            Phase.DRAW: say("seat {seat} has to draw first", seat=seat),
            Phase.ACT: say("it is the turn of seat {seat}, which has drawn", seat=seat),
            Phase.CALLED: say("seat {seat} has called and has to discard", seat=seat),
            Phase.DECLARED: say("seat {seat} has declared riichi and has to discard", seat=seat),
            Phase.REACT: say("seat {seat} has discarded; the next one has to draw", seat=seat),
            Phase.KAN: say("seat {seat} has to draw for the tile set aside", seat=seat),
            Phase.OVER: say("the round is over"),
        }[self.phase]


def _call_text(event: Call) -> Sentence:
    """``seat 1 calls pon``, the beginning of messages."""
    return say("seat {seat} calls {call}", seat=event.seat, call=word(event.meld.called.value))


def nine_orphans(seat: Seat) -> bool:
    """Whether a hand has nine kinds of terminals and honours."""
    return len({kind(tile) for tile in seat.tiles} & YAOCHUU) >= 9
