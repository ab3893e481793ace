"""What follows from a round: the next one's number, dealer and counters, or the end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.tenhou.game.contradiction import Kind, require
from fairdeck.tenhou.game.events import RoundLog, Rules, Settlement
from fairdeck.tenhou.game.round_end import Round
from fairdeck.tenhou.game.sentences import Listed, list_values

START = {4: 250, 3: 350}
"""Everyone's score at the start, in hundreds, by number of players."""
_GOAL = {4: 300, 3: 400}
"""What somebody must have for the game to end by its rounds, in hundreds."""
_BONUS = {4: (0, 10, -10, -20), 3: (0, 0, -20)}
"""What is added to the points of each place but the first, in thousands."""
_EARLY_BONUS = (0, 5, -5, -10)
_ROUNDS_OF_A_WIND = 4


@dataclass(frozen=True, slots=True)
class Next:
    """What a round leaves to the next.

    ``stays``: the dealer does; None where the log does not tell how the round ended. ``blank``:
    it ended without a win, and the log tells no more. ``ends``: the game is over; None where
    the rules leave that open.
    """

    stays: bool | None
    honba: int
    sticks: int
    scores: tuple[int, ...]
    ends: bool | None
    blank: bool = False


def following(number: int, players: int) -> int:
    """The round after ``number`` when the dealer does not stay; three players have no fourth."""
    skip = players == 3 and number % _ROUNDS_OF_A_WIND == 2
    return number + 1 + skip


def outcome(played: Round) -> Next:
    """What a round leaves to the next."""
    log, scores = played.log, tuple(played.scores)
    dealer = log.dealer
    if played.results:
        stays: bool | None = any(win.seat == dealer for win in played.results)
        honba = log.honba + 1 if stays else 0
    elif played.no_win is None or played.early:
        return Next(None, log.honba + 1, played.sticks, scores, None, blank=True)
    else:
        broken_off = played.no_win.why not in (None, "nm")
        stays = broken_off or dealer in played.ready
        honba = log.honba + 1
    broken = played.no_win is not None and played.no_win.why not in (None, "nm")
    ends = None if not played.rules.known else _ends(played, bool(stays), broken)
    blank = played.no_win is not None and played.no_win.is_blank
    return Next(stays, honba, played.sticks, scores, ends, blank)


def _ends(played: Round, stays: bool, broken_off: bool) -> bool | None:
    """Whether the game is over by Tenhou's rules; None where they leave that open."""
    rules, scores, log = played.rules, played.scores, played.log
    if min(scores) < 0:
        return True
    last = rules.winds * _ROUNDS_OF_A_WIND - (2 if rules.players == 3 else 1)
    if log.number < last or broken_off:
        return False
    best = max(scores)
    wind_over = log.number >= last + _ROUNDS_OF_A_WIND
    if stays:
        # the dealer who leads stops
        dealer = scores[log.dealer]
        leads = dealer == best and scores.index(best) == log.dealer
        over = leads and best >= _GOAL[rules.players]
        # a dealer who leads and only is ready went on in the logs of 2010, and stops in later ones
        return None if over and not played.results else over
    return best >= _GOAL[rules.players] or wind_over


def check_first(log: RoundLog, rules: Rules, first_dealer: int | None) -> None:
    """The first round of a game. Raises Contradiction."""
    require(
        (log.number, log.honba, log.sticks) == (0, 0, 0),
        Kind.ROUND,
        "the game begins with round {round}, {honba} counters, {sticks} sticks",
        round=log.number,
        honba=log.honba,
        sticks=log.sticks,
    )
    require(
        first_dealer is None or log.dealer == first_dealer,
        Kind.ROUND,
        "the first dealer is seat {seat}; TAIKYOKU says seat {wanted}",
        seat=log.dealer,
        wanted=first_dealer or 0,
    )
    if rules.known:
        start = (START[rules.players],) * rules.players
        require(
            log.scores == start,
            Kind.SCORE,
            "the game begins with the scores {logged} and not {wanted}",
            logged=str(log.scores),
            wanted=str(start),
        )


def check_next(log: RoundLog, before: Round, left: Next) -> None:
    """A round against what the one before it left. Raises Contradiction.

    After a round whose end is not told, the next may be any that can follow at all.
    """
    players = before.players
    require(
        log.scores == left.scores,
        Kind.SCORE,
        "the round begins with the scores {logged}; the one before left {wanted}",
        logged=str(log.scores),
        wanted=str(left.scores),
    )
    require(
        log.sticks == left.sticks,
        Kind.ROUND,
        "the round begins with {logged} sticks; the one before left {wanted}",
        logged=log.sticks,
        wanted=left.sticks,
    )
    last = before.log
    moved_on = following(last.number, players)
    wanted = {last.number if left.stays else moved_on}
    if left.blank:
        wanted |= {last.number + 1} | ({last.number} if left.stays is None else set())
    require(
        log.number in wanted,
        Kind.ROUND,
        "round number {logged} follows number {before}; it has to be {wanted}",
        logged=log.number,
        before=last.number,
        wanted=_any(wanted),
    )
    counters = {left.honba}
    if left.blank and log.number != last.number:
        counters.add(0)
    require(
        log.honba in counters,
        Kind.ROUND,
        "the round begins with {logged} counters; it has to be {wanted}",
        logged=log.honba,
        wanted=_any(counters),
    )
    dealer = last.dealer if log.number == last.number else (last.dealer + 1) % players
    require(
        log.dealer == dealer,
        Kind.ROUND,
        "the dealer is seat {logged}; it has to be seat {wanted}",
        logged=log.dealer,
        wanted=dealer,
    )
    require(left.ends is not True, Kind.GAME_END, "the game goes on, though it is over")


def _any(values: set[int]) -> Listed:
    return list_values(sorted(values), " or ")


def check_end(settled: Settlement, played: Round, left: Next, rules: Rules) -> None:
    """The final scores and points of a game. Raises Contradiction."""
    assert settled.final is not None
    require(
        left.ends is not False, Kind.GAME_END, "the game ends here, though it goes on by the rules"
    )
    final = list(left.scores)
    final[final.index(max(final))] += 10 * left.sticks
    require(
        list(settled.final) == final,
        Kind.GAME_END,
        "the final scores are reported as {logged}; they are {wanted}",
        logged=str(settled.final),
        wanted=str(tuple(final)),
    )
    if rules.known:
        points = points_for(settled.final, rules)
        require(
            settled.points in points,
            Kind.GAME_END,
            "the final points are reported as {logged}; they are {wanted}",
            logged=str(settled.points),
            wanted=str(points[0]),
        )


def points_for(final: tuple[int, ...], rules: Rules) -> tuple[tuple[float, ...], ...]:
    """What the players get for their scores: rounded to thousands, or (in some lobbies) not.

    The first is given what the others lose; equals are in the order of their seats. In 2009
    places were worth less for a while, so there are further ways.
    """
    players = len(final)
    order = sorted(range(players), key=lambda seat: (-final[seat], seat))
    bonuses = (_EARLY_BONUS,) if rules.early and players == 4 else ()
    uma = []
    for bonus in (_BONUS[players], *bonuses):
        for unit in (10, 1):
            points = [0] * players
            for place, seat in enumerate(order[1:], 1):
                points[seat] = _round_score(final[seat], unit) - _GOAL[players] + 10 * bonus[place]
            points[order[0]] = -sum(points)
            uma.append(tuple(value / 10 for value in points))
    return tuple(uma)


def _round_score(score: int, unit: int) -> int:
    """To the nearest multiple of ``unit``, halves away from zero."""
    size = (abs(score) + unit // 2) // unit * unit
    return size if score >= 0 else -size
