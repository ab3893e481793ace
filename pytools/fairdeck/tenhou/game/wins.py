"""Is a logged win one? Its tiles, yaku, dora, points and payments against the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairdeck.riichi.situation import Situation
from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.events import Rules, Win
from fairdeck.tenhou.game.payments import (
    STICK,
    base_points,
    liable_change,
    shares,
    win_change,
)
from fairdeck.tenhou.game.seats import Seat
from fairdeck.tenhou.game.sentences import (
    Listed,
    Sentence,
    list_values,
    say,
    seat_text,
    tile_text,
    tiles_text,
    word,
)
from fairdeck.tenhou.game.worth import NAMES, Extras, Worth, compute_value
from fairdeck.tiles import kind

_EAST = 27


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a win depends on besides the winner's tiles.

    ``flags`` are those of fairdeck.riichi.situation; ``first`` says that it comes on the winner's
    first draw and nobody called anything; ``counters`` are honba and sticks that are paid out.
    """

    rules: Rules
    dealer: int
    wind: int
    flags: frozenset[str]
    first: bool
    indicators: tuple[int, ...]
    counters: tuple[int, int]


def check_win_of(win: Win, seat: Seat, here: Circumstances) -> tuple[int, ...]:
    """What the win moves, in hundreds by seat. Raises Contradiction.

    In a game with rules of its own the points are taken as the log has them, if they add up.
    """
    _check_tiles(win, seat)
    _check_indicators(win, seat, here)
    if win.source != win.seat:
        _check_furiten(win, seat)
    worth = win_value(win, seat, here)
    if worth is None:
        raise Contradiction(
            Kind.WIN,
            "seat {seat} wins on {tile} with a hand that does not win",
            seat=win.seat,
            tile=tile_text(win.tile),
        )
    _check_worth(win, worth, here)
    _check_liable(win, liable_for(worth, seat))
    return change_of(win, seat, worth, here)


def _check_tiles(win: Win, seat: Seat) -> None:
    held = set(seat.tiles) | {win.tile}
    require(
        Counter(win.hand) == Counter(held),
        Kind.WIN,
        "seat {seat} wins with other tiles than it holds: {more} too many, {fewer} missing",
        seat=win.seat,
        more=tiles_text(sorted(set(win.hand) - held)),
        fewer=tiles_text(sorted(held - set(win.hand))),
    )
    shown = [meld.tiles for meld in win.melds]
    called = [meld.tiles for meld in seat.melds] + [(tile,) for tile in seat.norths]
    require(
        sorted(shown) == sorted(called) and set(seat.melds) <= set(win.melds),
        Kind.WIN,
        "seat {seat} wins with other melds than it called",
        seat=win.seat,
    )


def _check_indicators(win: Win, seat: Seat, here: Circumstances) -> None:
    require(
        win.dora == here.indicators,
        Kind.DORA,
        "the win shows the dora indicators {logged}; turned were {wanted}",
        logged=tiles_text(win.dora),
        wanted=tiles_text(here.indicators),
    )
    wanted = len(here.indicators) if seat.riichi is not None else 0
    require(
        len(win.ura) == wanted,
        Kind.DORA,
        "the win shows {logged} indicators beneath; it has to show {wanted}",
        logged=len(win.ura),
        wanted=wanted,
    )


def _check_furiten(win: Win, seat: Seat) -> None:
    require(
        not is_furiten(seat),
        Kind.WIN,
        "seat {seat} wins on a discard, though it is furiten",
        seat=win.seat,
    )


def is_furiten(seat: Seat) -> bool:
    """Whether a wait was discarded, or let go by since: then no discard may be won on."""
    return not seat.waits().isdisjoint(seat.passed | {kind(tile) for tile in seat.discards})


def win_value(win: Win, seat: Seat, here: Circumstances) -> Worth | None:
    """What the hand is worth, whatever the log says of it; None when it does not win."""
    rules = here.rules
    hand = seat.hand(without=win.tile)
    situation = Situation(
        tsumo=win.source == win.seat,
        seat_wind=_EAST + (win.seat - here.dealer) % rules.players,
        round_wind=_EAST + here.wind,
        open_tanyao=rules.open_tanyao,
        flags=here.flags,
        north=bool(seat.norths),
    )
    blessing = None
    if here.first and win.source == win.seat:
        blessing = "tenhou" if win.seat == here.dealer else "chiihou"
    melded = [tile for meld in seat.melds for tile in meld.tiles]
    extras = Extras(
        tiles=(*win.hand, *melded, *seat.norths),
        dora=win.dora,
        ura=win.ura,
        norths=len(seat.norths),
        players=rules.players,
        red_fives=rules.red_fives,
    )
    return compute_value(hand, kind(win.tile), situation, blessing, extras)


def _check_worth(win: Win, worth: Worth, here: Circumstances) -> None:
    logged = dict(win.yaku)
    require(
        len(logged) == len(win.yaku)
        and logged == worth.yaku
        and Counter(win.yakuman) == Counter(worth.yakuman),
        Kind.WIN,
        "the win has the yaku {logged}; the tiles give {wanted}",
        logged=_yaku(logged, win.yakuman),
        wanted=_yaku(worth.yaku, worth.yakuman),
    )
    if not here.rules.known:
        return
    paid = shares(worth.base, win.seat, win.source, here.dealer, here.rules.players)
    value = 100 * sum(paid)
    require(
        (win.fu, win.value, win.limit) == (worth.fu, value, worth.limit),
        Kind.WIN,
        "the win is reported as {logged}; the hand gives {wanted}",
        logged=_describe_value(win.fu, win.value, win.limit),
        wanted=_describe_value(worth.fu, value, worth.limit),
    )


def _describe_value(fu: int, value: int, limit: int) -> Sentence:
    return say("{fu} fu, {value} points, limit {limit}", fu=fu, value=value, limit=limit)


def _yaku(usual: Mapping[int, int], yakuman: Iterable[int]) -> Listed:
    names = [
        say("{yaku} ({han})", yaku=_yaku_name(number), han=han)
        for number, han in sorted(usual.items())
    ]
    names += [_yaku_name(number) for number in sorted(yakuman)]
    return list_values(names)


def _yaku_name(number: int) -> Sentence:
    return word(NAMES[number]) if number < len(NAMES) else say("number {number}", number=number)


def liable_for(worth: Worth, seat: Seat) -> int | None:
    """Who has to pay for the win, as that player let the last meld of a yakuman be called."""
    return next((seat.liable[n] for n in sorted(worth.yakuman) if n in seat.liable), None)


def _check_liable(win: Win, liable: int | None) -> None:
    require(
        win.liable == liable or (win.liable is None and liable == win.source),
        Kind.WIN,
        "{logged} is reported as liable for the win; the calls say {wanted}",
        logged=seat_text(win.liable),
        wanted=seat_text(liable),
    )


def change_of(win: Win, seat: Seat, worth: Worth, here: Circumstances) -> tuple[int, ...]:
    """What the win moves, in hundreds by seat, counters and sticks included."""
    honba, sticks = here.counters
    if not here.rules.known:
        _check_sum(win, sticks)
        return win.settlement.change
    paid = shares(worth.base, win.seat, win.source, here.dealer, here.rules.players)
    liable = liable_for(worth, seat)
    if liable is None:
        return win_change(paid, win.seat, win.source, honba, sticks)
    whole = liable_change(paid, win.seat, win.source, liable, honba, sticks)
    if len(worth.yakuman) > 1:
        part = _change_of_part(win, worth, here, liable)
        return part if win.settlement.change == part else whole
    return whole


def _check_sum(win: Win, sticks: int) -> None:
    """Whatever a win is worth: the winner is given what the others pay, and the sticks."""
    change = win.settlement.change
    require(
        sum(change) == STICK * sticks
        and all(moved <= 0 for seat, moved in enumerate(change) if seat != win.seat),
        Kind.SCORE,
        "the result moves {logged}; the winner receives all payments, and {sticks} sticks",
        logged=str(change),
        sticks=sticks,
    )


def _change_of_part(win: Win, worth: Worth, here: Circumstances, liable: int) -> tuple[int, ...]:
    """What moves when ``liable`` pays for one of several yakuman only, as some tables play it."""
    honba, sticks = here.counters
    one, rest = (
        shares(base, win.seat, win.source, here.dealer, here.rules.players)
        for base in (base_points(0, 0, 1)[0], worth.base - base_points(0, 0, 1)[0])
    )
    paid = liable_change(one, win.seat, win.source, liable, honba, sticks)
    others = win_change(rest, win.seat, win.source, 0, 0)
    return tuple(a + b for a, b in zip(paid, others, strict=True))
