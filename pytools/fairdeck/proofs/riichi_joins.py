"""The costs of suits together, and the kans of a hand: one function of what is in memory each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from fairdeck.tiles import COPIES, KINDS
from romproof import Proof, Prover, choose

PAIR = MELDS + 1
"""Where the costs with the pair begin."""
HIGHEST = 63
"""Costs are far less: a hand lacks fourteen tiles at most."""


def joined(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
    """The costs of two suits together."""
    without = [_without(one, other, melds) for melds in range(MELDS + 1)]
    return without + [wanted(one, other, melds) for melds in range(MELDS + 1)]


def _without(one: Sequence[Any], other: Sequence[Any], melds: int) -> Any:
    return _least([one[m] + other[melds - m] for m in range(melds + 1)])


def wanted(one: Sequence[Any], other: Sequence[Any], melds: int) -> Any:
    """What is missing to so many melds and the pair, which either of two suits has."""
    sums = []
    for m in range(melds + 1):
        sums += [one[PAIR + m] + other[melds - m], one[m] + other[PAIR + melds - m]]
    return _least(sums)


def _least(sums: Sequence[Any]) -> Any:
    least = sums[0]
    for each in sums[1:]:
        least = choose(each < least, each, least)
    return least


def kans(held: Sequence[Any], pons: Sequence[Any]) -> list[Any]:
    """What own_kans has of each kind: 1 of a closed kan, 2 of one that a pon becomes, else 0."""
    return [
        choose(held[k] == COPIES, 1, choose(held[k] == 0, 0, 2 * pons[k])) for k in range(KINDS)
    ]


JOIN_SM83 = """
    ;; join – the costs of two suits, or of more that were joined, together.
    ; in:       HL DE C suits[70]
    ; requires: HL == {one}, DE == {other}, C == {to}
    ; out:      suits[70]
    ; clobbers: A BC DE HL F
    """
WANTED_SM83 = """
    ;; join_wanted – the fewest tiles that are missing to a complete hand.
    ; in:       HL DE melds suits[70]
    ; requires: place_of_costs(HL), place_of_costs(DE), melds <= MELDS
    ; out:      A
    ; clobbers: BC DE HL F
    """
"""Their own, with all costs as one area."""


def join(own: Prover, cpu: str) -> Proof:
    """That ``join`` is ``joined``."""
    if cpu == "6502":
        return _join_6502(own)
    return Proof.joined("join", *(_join_at(own, *at) for at in _places(own)))


def _places(own: Prover) -> Iterator[tuple[int, int, int]]:
    """Where two suits' costs may be, and those of both together."""
    first, answers, end = (own.image.address(n) for n in ("suits", "join_01", "target_own"))
    costs = range(first, end, COSTS)
    for to in range(answers, end, COSTS):
        yield from ((one, other, to) for one in costs for other in costs if to not in (one, other))


def _join_at(own: Prover, one: int, other: int, to: int) -> Proof:
    first = own.image.address("suits")

    def model(costs: Any) -> Any:
        left, right = _at(costs, one - first), _at(costs, other - first)
        costs[to - first : to - first + COSTS] = joined(left, right)
        return costs

    def requires(costs: Any) -> Any:
        return _small([*_at(costs, one - first), *_at(costs, other - first)])

    text = JOIN_SM83.format(one=one, other=other, to=to & 0xFF)
    takes = {"costs": "suits"}
    return own.piece(text, "join", model=model, takes=takes, gives="suits", requires=requires)


def _join_6502(own: Prover) -> Proof:
    def model(place: Any, one: Any, suits: Any) -> Any:
        return joined(one, _at(suits, place))

    def requires(place: Any, one: Any, suits: Any) -> Any:
        return _small([*one, *_at(suits, place)]) & (one[0] == 0) & (suits[place] == 0)

    takes = {"place": "x", "one": "joined", "suits": "suits"}
    contract = own.contracts["join"]
    return own.piece(
        contract, "join", model=model, takes=takes, gives="joined", requires=requires
    )


def join_wanted(own: Prover, cpu: str) -> Proof:
    """That ``join_wanted`` is the one of ``joined`` that a hand with so many melds wants."""

    def found(one: Sequence[Any], other: Sequence[Any], melds: Any) -> Any:
        least = wanted(one, other, MELDS)
        for called in range(1, MELDS + 1):
            least = choose(melds == called, wanted(one, other, MELDS - called), least)
        return least

    def model(place: Any, one: Any, suits: Any, melds: Any) -> Any:
        return found(one, _at(suits, place), melds)

    def requires(place: Any, one: Any, suits: Any, melds: Any) -> Any:
        return _small([*one, *_at(suits, place)]) & (melds <= MELDS)

    if cpu == "6502":
        takes = {"place": "x", "one": "joined", "suits": "suits", "melds": "melds"}
        contract = own.contracts["join_wanted"]
        return own.piece(
            contract, "join_wanted", model=model, takes=takes, gives="a", requires=requires
        )
    first = own.image.address("suits")

    def model_sm83(hl: Any, de: Any, melds: Any, costs: Any) -> Any:
        return found(_at(costs, hl - first), _at(costs, de - first), melds)

    def requires_sm83(hl: Any, de: Any, melds: Any, costs: Any) -> Any:
        return _small([*_at(costs, hl - first), *_at(costs, de - first)])

    takes = {"hl": "hl", "de": "de", "melds": "melds", "costs": "suits"}
    return own.piece(
        WANTED_SM83, "join_wanted", model=model_sm83, takes=takes, gives="a", requires=requires_sm83
    )


def _at(costs: Any, place: Any) -> list[Any]:
    return [costs[place + entry] for entry in range(COSTS)]


def _small(costs: Sequence[Any]) -> Any:
    """Whether all of them may be costs."""
    small: Any = True
    for cost in costs:
        small = small & (cost <= HIGHEST)
    return small


def own_kans(own: Prover) -> Proof:
    """That ``own_kans`` is ``kans``."""
    takes = {"held": "hand", "pons": "pons"}
    contract = own.contracts["own_kans"]
    return own.piece(contract, "own_kans", model=kans, takes=takes, gives="kans")
