"""What a win depends on besides the tiles, and what of it cannot be together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from fairdeck.riichi.hand import WINDS, BadHand, Hand
from fairdeck.tiles import COPIES

FLAGS = frozenset({"riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan"})
"""Facts a situation may have: declarations, the last tile, a tile after or out of a kan."""


class Fact(Enum):
    """What hand and tile say, as flags may contradict it; the value is how messages name it."""

    TSUMO = "a drawn tile (tsumo)"
    RON = "another player's tile (no tsumo)"
    OPEN = "an open hand"
    NO_RIICHI = "no riichi or double_riichi"
    NO_KAN = "no kan of the hand's own"
    OWN_KANS = "four kans of the hand's own"
    HELD = "a hand that has the winning tile already"


Term = str | Fact
"""A flag, or what hand and tile say."""
_LAST = "no kan is declared when the wall has no tile left"
CLASHES: tuple[tuple[Term, Term, str], ...] = (
    ("riichi", "double_riichi", "a riichi is the one or the other"),
    ("riichi", Fact.OPEN, "riichi is declared with a closed hand"),
    ("double_riichi", Fact.OPEN, "riichi is declared with a closed hand"),
    ("ippatsu", Fact.NO_RIICHI, "ippatsu is the first turn after riichi"),
    ("ippatsu", "rinshan", "a kan ends ippatsu"),
    ("haitei", Fact.RON, "haitei is the last draw"),
    ("houtei", Fact.TSUMO, "houtei is the last discard"),
    ("rinshan", Fact.RON, "rinshan is the draw after a kan"),
    ("chankan", Fact.TSUMO, "chankan takes the tile of another player's kan"),
    ("haitei", "houtei", "the one is drawn, the other discarded"),
    ("haitei", "rinshan", "the one is the wall's last tile, the other comes from the dead wall"),
    ("haitei", "chankan", _LAST),
    ("houtei", "rinshan", "the one is discarded, the other drawn"),
    ("houtei", "chankan", _LAST),
    ("rinshan", "chankan", "the one is drawn, the other another player's"),
    ("rinshan", Fact.NO_KAN, "rinshan is the draw after a kan"),
    ("chankan", Fact.HELD, "who declares the kan has all four"),
    ("chankan", Fact.OWN_KANS, "a round has four kans"),
)
"""Which two cannot be together, and why: the one table for the model, the commands and the
verifier of logs. Flags that are not in it go with everything."""


@dataclass(frozen=True, slots=True)
class Situation:
    """``tsumo``: the winning tile was drawn. Winds are kinds; ``open_tanyao`` is a rule.

    ``north``: of three players, the winner has set a north aside, whose replacement counts as
    that of a kan.
    """

    tsumo: bool
    seat_wind: int = WINDS["E"]
    round_wind: int = WINDS["E"]
    open_tanyao: bool = True
    flags: frozenset[str] = frozenset()
    north: bool = False


def situation(
    tsumo: bool, seat: str, round_: str, open_tanyao: bool, flags: Collection[str]
) -> Situation:
    """A situation from letters E S W N and names of flags. Raises BadHand."""
    for letter in (seat, round_):
        if letter not in WINDS:
            raise BadHand(f"there is no wind '{letter}'; winds are E S W N")
    unknown = sorted(set(flags) - FLAGS)
    if unknown:
        raise BadHand(f"there is no flag '{unknown[0]}'; flags are {', '.join(sorted(FLAGS))}")
    twice = sorted(flag for flag in set(flags) if sum(one == flag for one in flags) > 1)
    if twice:
        raise BadHand(f"the flag '{twice[0]}' is given twice")
    return Situation(tsumo, WINDS[seat], WINDS[round_], open_tanyao, frozenset(flags))


def facts_of(hand: Hand, win: int, here: Situation) -> frozenset[Fact]:
    """What a hand (without the winning tile), the tile and its source say."""
    kans = sum(meld.kind.is_kan for meld in hand.melds)
    facts = {
        Fact.TSUMO: here.tsumo,
        Fact.RON: not here.tsumo,
        Fact.OPEN: not hand.is_closed,
        Fact.NO_RIICHI: not here.flags & {"riichi", "double_riichi"},
        Fact.NO_KAN: not kans and not here.north,
        Fact.OWN_KANS: kans == COPIES,
        Fact.HELD: hand.closed[win] + hand.melded[win] > 0,
    }
    return frozenset(fact for fact, holds in facts.items() if holds)


def check_flags(hand: Hand, win: int, here: Situation) -> None:
    """Raise BadHand, naming both, where two things are said that cannot be together."""
    given: frozenset[Term] = here.flags | facts_of(hand, win, here)
    for one, other, why in CLASHES:
        if one in given and other in given:
            raise BadHand(f"{_name_term(one)} with {_name_term(other)} cannot be: {why}")


def _name_term(term: Term) -> str:
    return term.value if isinstance(term, Fact) else f"'{term}'"
