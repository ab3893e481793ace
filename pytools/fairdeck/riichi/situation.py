"""What a win depends on besides the tiles."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.riichi.hand import WINDS, BadHand

FLAGS = frozenset({"riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan"})
"""Facts a situation may have: declarations, the last tile, a tile after or out of a kan."""


@dataclass(frozen=True, slots=True)
class Situation:
    """``tsumo``: the winning tile was drawn. Winds are kinds; ``open_tanyao`` is a rule."""

    tsumo: bool
    seat_wind: int = WINDS["E"]
    round_wind: int = WINDS["E"]
    open_tanyao: bool = True
    flags: frozenset[str] = frozenset()


def situation(
    tsumo: bool, seat: str, round_: str, open_tanyao: bool, flags: frozenset[str]
) -> Situation:
    """A situation from letters E S W N and names of flags. Raises BadHand."""
    for letter in (seat, round_):
        if letter not in WINDS:
            raise BadHand(f"there is no wind '{letter}'; winds are E S W N")
    unknown = sorted(flags - FLAGS)
    if unknown:
        raise BadHand(f"there is no flag '{unknown[0]}'; flags are {', '.join(sorted(FLAGS))}")
    return Situation(tsumo, WINDS[seat], WINDS[round_], open_tanyao, flags)
