"""Is a logged game what its seed says? Every tile, die and indicator is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from fairdeck.tenhou.commitment import Match, commitment, find_seats, seat_strings
from fairdeck.tenhou.mjlog import GameLog, Indicator, RoundLog
from fairdeck.tenhou.seed import Seed, SeedError, UnverifiableSeed, parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.wall import Round, rounds
from fairdeck.tiles import hand_text, name


class Verdict(Enum):
    """How a game stands; ``exit_code`` is what a command returns for it."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    UNVERIFIABLE = "unverifiable"

    @property
    def exit_code(self) -> int:
        """0, 1 or 2."""
        return list(Verdict).index(self)


class Kind(Enum):
    """What disagrees first, or is missing."""

    HAND = "hand"
    DICE = "dice"
    DORA = "dora"
    DRAW = "draw"
    SEED = "seed"
    NO_SEED = "no seed"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as the seed says; ``round`` counts from 0, None: none at all."""

    kind: Kind
    sentence: str
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    """The hash of seats and seed. ``published`` and ``match`` are None if none was given, found."""

    seats: str
    hash: str
    published: str | None
    match: Match | None

    @property
    def kept(self) -> bool:
        """False when a published hash fits no order of seats."""
        return self.published is None or self.match is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about a game of ``rounds`` rounds."""

    verdict: Verdict
    rounds: int
    difference: Difference | None = None
    commitment: Committed | None = None


def verify(game: GameLog, published: str | None = None) -> Report:
    """Compare a game with the walls of its seed; ``published`` is the hash from before it."""
    count = len(game.rounds)
    try:
        seed = parse_seed(game.seed) if game.seed is not None else None
    except UnverifiableSeed as error:
        return Report(Verdict.UNVERIFIABLE, count, Difference(Kind.NO_SEED, str(error)))
    except SeedError as error:
        return Report(Verdict.MISMATCH, count, Difference(Kind.SEED, str(error), 0))
    if seed is None:
        missing = Difference(Kind.NO_SEED, "the log has no seed: nothing can be checked")
        return Report(Verdict.UNVERIFIABLE, count, missing)
    if not game.rounds:
        empty = Difference(Kind.NO_SEED, "the log has no round: there is nothing to check")
        return Report(Verdict.UNVERIFIABLE, 0, empty)
    committed = _committed(game, seed, published)
    difference = first_difference(game, seed)
    if difference is None and committed is not None and not committed.kept:
        difference = Difference(Kind.SEED, "the published hash fits the seed with no seat order")
    verdict = Verdict.VERIFIED if difference is None else Verdict.MISMATCH
    return Report(verdict, count, difference, committed)


def _committed(game: GameLog, seed: Seed, published: str | None) -> Committed | None:
    if len(game.names) != game.players:
        return None
    seats = seat_strings(game.names)[0]
    match = find_seats(published, game.names, seed) if published is not None else None
    if match is not None:
        seats = match.seats
    return Committed(seats, commitment(seats, seed), published, match)


def first_difference(game: GameLog, seed: Seed) -> Difference | None:
    """The first difference between the log and the walls of ``seed``, None if there is none."""
    made = islice(rounds(seed, TABLES[game.players]), len(game.rounds))
    for number, (logged, round_) in enumerate(zip(game.rounds, made, strict=True)):
        for difference in _differences(logged, round_):
            return Difference(
                difference.kind, f"round {number}: {difference.sentence}", round=number
            )
    return None


def _differences(logged: RoundLog, made: Round) -> Iterator[Difference]:
    yield from _hands(logged, made)
    if logged.dice != made.dice:
        yield Difference(
            Kind.DICE, f"the dice show {_pair(logged.dice)}; the seed gives {_pair(made.dice)}"
        )
    if logged.dora != made.dora:
        yield _wrong(Kind.DORA, "the first dora indicator", logged.dora, made.dora)
    yield from _events(logged, made)


def _hands(logged: RoundLog, made: Round) -> Iterator[Difference]:
    for seat, (hand, dealt) in enumerate(zip(logged.hands, made.hands(logged.dealer), strict=True)):
        if sorted(hand) != sorted(dealt):
            yield Difference(
                Kind.HAND,
                f"the hand dealt to seat {seat} is {_hand(hand, dealt)}; "
                f"the seed gives {_hand(dealt, hand)}",
            )


def _events(logged: RoundLog, made: Round) -> Iterator[Difference]:
    table, pairs, wall = made.table, made.pairs, made.logged
    live, draws, replaced = table.first_draw, 0, 0
    for event in logged.events:
        if isinstance(event, Indicator):
            place = table.ura if event.beneath else table.dora
            if event.number >= _MOST_INDICATORS:
                yield Difference(Kind.DORA, f"there are more than {_MOST_INDICATORS} indicators")
                return
            wanted = wall[place(event.number, pairs)]
            if event.tile != wanted:
                side = "ura " if event.beneath else ""
                what = f"{side}dora indicator {event.number + 1}"
                yield _wrong(Kind.DORA, what, event.tile, wanted)
            continue
        draws += 1
        if draws > table.draws or replaced >= table.rinshan:
            yield Difference(Kind.DRAW, f"more tiles are drawn than the wall has ({table.draws})")
            return
        if event.replacement:
            index = table.replacement(replaced, pairs)
            replaced += 1
        else:
            index = live
            live -= 1
        if event.tile != wall[index]:
            what = f"draw {draws} (seat {event.seat}{', after a kan' * event.replacement})"
            yield _wrong(Kind.DRAW, what, event.tile, wall[index])


_MOST_INDICATORS = 5


def _wrong(kind: Kind, what: str, logged: int, wanted: int) -> Difference:
    return Difference(kind, f"{what} is {_tile(logged)}; the seed gives {_tile(wanted)}")


def _tile(tile: int) -> str:
    return f"{name(tile)} (tile {tile})"


def _hand(hand: Sequence[int], other: Sequence[int]) -> str:
    """The hand, and the ids of what the other one does not have: copies look alike."""
    own = sorted(set(hand) - set(other))
    return f"{hand_text(hand)} (tile{'s' * (len(own) != 1)} {', '.join(map(str, own)) or 'twice'})"


def _pair(dice: tuple[int, int]) -> str:
    return f"{dice[0]} and {dice[1]}"
