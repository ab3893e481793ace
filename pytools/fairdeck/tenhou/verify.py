"""Is a logged game what its seed says, and a game at all? Everything that can be is compared."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from fairdeck.tenhou.commitment import (
    Match,
    SeatsFit,
    SeatsUnchecked,
    commitment,
    find_seats,
    seat_strings,
    seats_fit,
    why_unchecked,
)
from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.game.contradiction import Contradiction, Kind
from fairdeck.tenhou.game.events import Event, GameLog, NoWin, Rules, Win
from fairdeck.tenhou.game.sentences import Sentence, say
from fairdeck.tenhou.game.track import Tracker
from fairdeck.tenhou.seed import Seed, SeedError, UnverifiableSeed, parse_seed
from fairdeck.tenhou.table import FLIPPED_PAIRS, TABLES
from fairdeck.tenhou.wall import rounds
from fairdeck.tenhou.walls_seen import WallSeen

__all__ = ["Committed", "Difference", "Kind", "Report", "Unchecked", "Verdict", "verify"]


NOT_SHOWN = (
    "names, ranks, ratings and sexes of the players, the lobby, the level and speed of the room: "
    "nothing else in a log depends on them",
    "when a player left and came back, as long as only drawn tiles are discarded in between",
    "that the seed was fixed before the game: --commitment checks that",
    "that the game was played at all: anyone with a seed can invent a game that obeys the rules",
)
"""What a log cannot show."""
FIXED_BEFORE = NOT_SHOWN[2]
"""What a published hash shows, where one is given and fits."""
OWN_RULES = (
    "the points of wins, the scores at the start, the end of the game and the final points: the "
    "game has rules of its own"
)
"""What is not checked besides in lobbies for money or chips, and in championships."""


class Unchecked(Enum):
    """What a log shows and was not checked; a game of which something was not is not complete."""

    WORTH = "points of wins"
    START = "scores at the start"
    END = "end of the game"
    FINAL = "final points"
    CHIPS = "chips"
    SEATS = "seats"


OWN = (Unchecked.WORTH, Unchecked.START, Unchecked.END, Unchecked.FINAL)
"""What is not checked of a game with rules of its own."""
SEATS_WHY = {
    SeatsUnchecked.NO_NAMES: say("the log does not name its players"),
    SeatsUnchecked.EQUAL_NAMES: say("players have the same name"),
    SeatsUnchecked.SORTING: say(
        "the order in which Tenhou sorts such names is not known: the usual orders differ"
    ),
    SeatsUnchecked.FIRST_DEALER: say("the first seat is not that of the first dealer"),
}
"""Why seats are not checked, for people."""


class Verdict(Enum):
    """How a game stands; ``exit_code`` is what a command returns for it."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    UNVERIFIABLE = "unverifiable"

    @property
    def exit_code(self) -> int:
        """0, 1 or 2."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as the seed or the rules say.

    ``round`` counts from 0, None: of no round. ``event`` counts the elements of the round, 0 is
    its INIT; None: of no element.
    """

    kind: Kind
    sentence: Sentence
    round: int | None = None
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """The hash of seats and seed. ``published`` and ``match`` are None if none was given, found.

    Without names there are neither ``seats`` nor a ``hash`` unless a published one gives them.
    ``fit`` tells whether the players sit as the matching hash says, ``unchecked`` why that cannot
    be told of them.
    """

    seats: str | None
    hash: str | None
    published: str | None
    match: Match | None
    fit: SeatsFit | None = None
    unchecked: SeatsUnchecked | None = None

    @property
    def kept(self) -> bool:
        """False when a published hash fits no order of seats."""
        return self.published is None or self.match is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about a game of ``rounds`` rounds.

    ``complete``: the log has the whole game, from its header to the final scores, and all of it
    was checked; ``left_out`` says what it has not, ``unchecked`` what it has and was not checked.
    ``not_checked`` says in words what was taken as the log has it, or what no log shows.
    """

    verdict: Verdict
    rounds: int
    difference: Difference | None = None
    commitment: Committed | None = None
    compared: Compared = field(default_factory=Compared)
    complete: bool = False
    left_out: tuple[Sentence, ...] = ()
    not_checked: tuple[str, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


def verify(game: GameLog, published: str | None = None) -> Report:
    """Compare a game with the walls of its seed; ``published`` is the hash from before it."""
    count = len(game.rounds)
    try:
        seed = parse_seed(game.seed) if game.seed is not None else None
    except UnverifiableSeed as error:
        return Report(Verdict.UNVERIFIABLE, count, Difference(Kind.NO_SEED, error.sentence))
    except SeedError as error:
        return Report(Verdict.MISMATCH, count, Difference(Kind.SEED, error.sentence, 0))
    missing = _missing(game, seed)
    if missing is not None or seed is None or game.rules is None:
        return Report(Verdict.UNVERIFIABLE, count, missing)
    committed = _check_commitment(game, seed, published)
    rules = replace(game.rules, early=seed.pairs == FLIPPED_PAIRS)
    followed = _Followed(game, seed, rules)
    difference = followed.first_difference()
    if difference is None and committed is not None and not committed.kept:
        difference = Difference(
            Kind.SEED, say("the published hash fits the seed with no seat order")
        )
    if difference is None and committed is not None and committed.fit is SeatsFit.OTHER:
        difference = Difference(
            Kind.SEATS,
            say(
                "the published hash is of the seats {seats}; the players sit otherwise",
                seats=committed.seats or "",
            ),
        )
    match = None if committed is None else committed.match
    seats = committed is not None and committed.fit is SeatsFit.UNCHECKED
    chips = any(_tells_chips(event) for log in game.rounds for event in log.events)
    shown = tuple(text for text in NOT_SHOWN if match is None or text != FIXED_BEFORE)
    return Report(
        Verdict.VERIFIED if difference is None else Verdict.MISMATCH,
        count,
        difference,
        committed,
        followed.compared,
        difference is None and not followed.tracker.left_out and rules.known and not chips,
        tuple(followed.tracker.left_out),
        (*shown, *(() if rules.known else (OWN_RULES,))),
        (
            *(() if rules.known else OWN),
            *((Unchecked.CHIPS,) if chips else ()),
            *((Unchecked.SEATS,) if seats else ()),
        ),
    )


def _tells_chips(event: Event) -> bool:
    settled = event.settlement if isinstance(event, Win | NoWin) else None
    return settled is not None and settled.chips


def _missing(game: GameLog, seed: Seed | None) -> Difference | None:
    """Why nothing can be checked."""
    if seed is None:
        return Difference(Kind.NO_SEED, say("the log has no seed: nothing can be checked"))
    if game.rules is None:
        return Difference(
            Kind.NO_RULES,
            say("the log has no GO: the number of players and the rules are not known"),
        )
    if not game.rounds:
        return Difference(Kind.NO_SEED, say("the log has no round: there is nothing to check"))
    return None


def _check_commitment(game: GameLog, seed: Seed, published: str | None) -> Committed | None:
    """What is to say of the hash; None when none is given, and no names are there to make one."""
    names = game.names if len(game.names) == game.players else ()
    match = None if published is None else find_seats(published, names, seed, game.players)
    if published is None and not names:
        return None
    seats = match.seats if match is not None else seat_strings(names)[0] if names else None
    dealer = game.rounds[0].dealer if game.first_dealer is None else game.first_dealer
    return Committed(
        seats,
        None if seats is None else commitment(seats, seed),
        published,
        match,
        None if match is None else seats_fit(match.seats, names, dealer),
        why_unchecked(names, dealer),
    )


class _Followed:
    """A game followed with its walls, up to the first contradiction."""

    def __init__(self, game: GameLog, seed: Seed, rules: Rules) -> None:
        self.game = game
        self.compared = Compared()
        self.tracker = Tracker(game, rules)
        self._made = rounds(seed, TABLES[game.players])
        self._round: int | None = None
        self._event: int | None = None

    def first_difference(self) -> Difference | None:
        """The first contradiction, of the log with the seed, the rules or itself."""
        try:
            self._follow()
        except Contradiction as fault:
            return Difference(fault.kind, self._locate_fault(fault), self._round, self._event)
        return None

    def _follow(self) -> None:
        self.tracker.opening()
        for number, log in enumerate(self.game.rounds):
            self._round, self._event = number, 0
            wall = WallSeen(next(self._made))
            wall.begin(log)
            self.tracker.begin(log)
            self.compared.begin(log)
            for place, event in enumerate(log.events, 1):
                self._event = place
                wall.take(event)
                self.tracker.take(event)
                self.compared.add(event)
        self.tracker.close()

    def _locate_fault(self, fault: Contradiction) -> Sentence:
        what = fault.sentence
        if self._round is None:
            return what
        if not self._event:
            return say("round {round}: {what}", round=self._round, what=what)
        return say(
            "round {round}: {what} (event {event} of the round)",
            round=self._round,
            what=what,
            event=self._event,
        )
