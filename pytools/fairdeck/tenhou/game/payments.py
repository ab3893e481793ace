"""Who pays how much: values of hands, and what a result moves between the seats.

Values are points, what is moved hundreds of points. The rules are Tenhou's: no rounding up to
mangan, thirteen han are a yakuman, yakuman add up, three players' absent fourth does not pay.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

_MANGAN = 2000
_LIMITS = ((13, 8000, 5), (11, 6000, 4), (8, 4000, 3), (6, 3000, 2), (5, _MANGAN, 1))
"""Han from which on, base points, and Tenhou's number of the limit."""
STICK = 10
"""A riichi stick, in hundreds."""
_COUNTER = 1
"""What each payer of a drawn win pays for each counter, in hundreds."""
_EXHAUSTED = {4: 30, 3: 20}
"""What moves after a drawn wall, in hundreds, by number of players."""


def base_points(han: int, fu: int, yakuman: int = 0) -> tuple[int, int]:
    """The base of a hand, and its limit (0 none, 1 mangan ... 5 yakuman)."""
    if yakuman:
        return 8000 * yakuman, 5
    for least, base, limit in _LIMITS:
        if han >= least:
            return base, limit
    base = fu << han + 2
    return (base, 0) if base < _MANGAN else (_MANGAN, 1)


def shares(base: int, winner: int, source: int, dealer: int, players: int) -> list[int]:
    """What each seat pays, in hundreds, without counters; ``source`` is the winner if drawn."""
    paid = [0] * players
    if source != winner:
        paid[source] = _hundreds(base * (6 if winner == dealer else 4))
        return paid
    for seat in range(players):
        if seat != winner:
            paid[seat] = _hundreds(base * (2 if dealer in (winner, seat) else 1))
    return paid


def _hundreds(points: int) -> int:
    return -(-points // 100)


def win_change(
    paid: Sequence[int], winner: int, source: int, honba: int, sticks: int
) -> tuple[int, ...]:
    """What a win moves: ``paid`` by ``shares``, counters and sticks on top."""
    change = [-amount for amount in paid]
    payers = len(paid) - 1
    if source == winner:
        for seat in range(len(paid)):
            change[seat] -= _COUNTER * honba * (seat != winner)
    else:
        change[source] -= _COUNTER * payers * honba
    change[winner] = -sum(change) + change[winner] + STICK * sticks
    return tuple(change)


def liable_change(
    paid: Sequence[int], winner: int, source: int, liable: int, honba: int, sticks: int
) -> tuple[int, ...]:
    """The same when ``liable`` has to pay for the hand: all of it, or half of a discard's."""
    change = [0] * len(paid)
    total, counters = sum(paid), _COUNTER * (len(paid) - 1) * honba
    if source in (winner, liable):
        change[liable] = -total - counters
    else:
        change[source] = -(total // 2)
        change[liable] = -(total - total // 2) - counters
    change[winner] = total + counters + STICK * sticks
    return tuple(change)


def payments_of_draw(ready: Collection[int], players: int) -> tuple[int, ...]:
    """What moves after a drawn wall between those who are ``ready`` and those who are not."""
    if len(ready) in (0, players):
        return (0,) * players
    gain = _EXHAUSTED[players] // len(ready)
    loss = _EXHAUSTED[players] // (players - len(ready))
    return tuple(gain if seat in ready else -loss for seat in range(players))


def orphans_change(winners: Collection[int], dealer: int, players: int) -> tuple[int, ...]:
    """What moves when ``winners`` discarded terminals and honours only: a drawn mangan each."""
    change = [0] * players
    for winner in winners:
        for seat, moved in enumerate(
            win_change(shares(_MANGAN, winner, winner, dealer, players), winner, winner, 0, 0)
        ):
            change[seat] += moved
    return tuple(change)
