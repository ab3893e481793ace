"""The costs of the honours on the SM83, as stages: kinds are counted by what is held of them, and
blocks are made out of those of which most is held."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from fairdeck.proofs.riichi_honours import FIRST, PAIR, PLACE, Kinds
from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.tables import COSTS, HONOURS
from fairdeck.tiles import KINDS
from romproof import Asked, Image, Proof, Prover, Stage, choose

HONOUR_COSTS, BLOCKS = "honour_costs", "honour_blocks"
FAR = 0x80
"""More than any cost, to begin with."""
MAX_TILES = 14
"""In a hand."""
HONOUR_KINDS = range(FIRST, KINDS)

Next = tuple[str, Mapping[str, Any]]
Values = Mapping[str, Any]

GIVEN = {"held": "hand", "melded": "melded", "suits": "suits"}
GIVES = {"suits": "suits"}
COUNTS = {"three": "b", "two": "c", "one": "d"}
BLOCKED = {"cost": "a", **COUNTS, "page": "h", "place": "l", "suits": "suits"}


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """Of the blocks out of so many kinds, and of the whole, but for its cycles. If not
    ``simulated``, their contracts only."""
    for one in (blocks(own.image), honour_costs(own.image)):
        yield own.routine(one.routine, own.contract(one.contract, one.routine), exact=False)
        if simulated:
            yield own.simulates(one.stages, one.gives)


# ---------------------------------------------------------------- blocks


def blocks(image: Image) -> Staged:
    """Costs of 0 to 4 triplets: each next one out of the kind of which most is held."""
    first, at = image.address("suits") & 0xFF, f"{BLOCKS}.block"

    def begin(**v: Any) -> Next:
        return at, {**v, "left": PAIR}

    def block(cost: Any, page: Any, place: Any, left: Any, suits: Any, **counts: Any) -> Next:
        entry = place - first
        suits[entry] = choose(cost < suits[entry], cost, suits[entry])
        if left == 1:
            return "return", {"suits": suits}
        three, two, one = (counts[name] for name in COUNTS)
        lacking = 0
        if three != 0:
            three -= 1
        elif two != 0:
            two, lacking = two - 1, 1
        elif one != 0:
            one, lacking = one - 1, 2
        else:
            lacking = 3
        here = {"three": three, "two": two, "one": one, "page": page, "suits": suits}
        return at, {**here, "cost": cost + lacking & 0xFF, "place": place + 1, "left": left - 1}

    start = f"((&suits & $FF) + {PLACE})"
    contract = f"""
    ;; {BLOCKS} – costs of 0 to 4 triplets beside something that costs A.
    ; in:        A B C D H L suits[40]
    ; requires:  H == &suits >> 8, L in {start}..{start} + {PAIR}, (L - {start}) % {PAIR} == 0
    ; out:       B C D suits[40]
    ; ensures:   B == old B, C == old C, D == old D
    ; clobbers:  A E L F
    ; stack:     4
    ; invariant: {at}: E in 1..{PAIR}, L == old L + {PAIR} - E,
    ;            L in {start}..{start} + {COSTS - 1}
    ; decreases: {at}: E
    """
    stages = {"": Stage(BLOCKED, begin), at: Stage({**BLOCKED, "left": "e"}, block)}
    return Staged(BLOCKS, contract, stages, GIVES)


# ---------------------------------------------------------------- the routine's own contract


def prove_contract(own: Prover) -> Proof:
    """All that the source says, both ends of its cycles included. The blocks are executed where
    they are made: how long that takes depends on what is held, and on nothing else."""
    loops = own.contract(_at_loop(), HONOUR_COSTS)
    stated = own.contracts[HONOUR_COSTS]
    return own.routine(
        HONOUR_COSTS, replace(stated, invariants=loops.invariants, decreases=loops.decreases)
    )


def _at_loop() -> str:
    """What holds when a kind is to be counted, and when all are: those that are counted have no
    more tiles than the hand has beside those that are not."""
    place = "(&hand & $FF)"
    counted = "3 * B + 2 * C + D"
    left = {kind: " + ".join(f"hand[{n}]" for n in range(kind, KINDS)) for kind in HONOUR_KINDS}
    tiles = "".join(
        f",\n    ;            L == {place} + {kind} -> {counted} + {rest} <= {MAX_TILES}"
        for kind, rest in left.items()
    )
    return f"""
    ;; {HONOUR_COSTS} – at its loop.
    ; in:        hand[34]
    ; invariant: {HONOUR_COSTS}.kind: H == &hand >> 8,
    ;            L in {place} + {FIRST}..{place} + {KINDS - 1},
    ;            B + C + D <= L - {place} - {FIRST}, {counted} <= {MAX_TILES}{tiles}
    ; invariant: {HONOUR_COSTS}.all: B + C + D <= {HONOURS}, {counted} <= {MAX_TILES}
    ; decreases: {HONOUR_COSTS}.kind: {place} + {KINDS} - L
    """


# ---------------------------------------------------------------- all kinds


def counted(three: Any, two: Any, one: Any, held: Any, melded: Any) -> tuple[Any, Any, Any]:
    """The counts with a kind more: of those held three times or more, twice, and once alone."""
    alone = (held == 1) & (melded == 0)
    return three + (held >= 3), two + (held == 2), one + alone


def of_counts(image: Image) -> Callable[[Kinds], Sequence[int]]:
    """The costs of as many kinds by the stages: from the counts on the same for all of them."""
    one = honour_costs(image)
    whole = Asked.staged(one.routine, one.stages, one.gives, lambda **v: v)

    @cache
    def costs(three: int, two: int, one: int) -> Sequence[int]:
        held = [0] * FIRST + [3] * three + [2] * two + [1] * one
        held += [0] * (KINDS - len(held))
        found = whole.function(held=held, melded=[0] * KINDS, suits=[0] * (PLACE + COSTS))
        return tuple(found["suits_after"][PLACE:])

    def of_kinds(kinds: Kinds) -> Sequence[int]:
        counts = (0, 0, 0)
        for held, melded in kinds:
            counts = counted(*counts, held, melded)
        return costs(*counts)

    return of_kinds


def honour_costs(image: Image) -> Staged:
    """A kind at a time; then blocks without a pair, and beside each that there can be."""
    kind_at, all_at, pair_at, no_pair_at, no_triplet_at, nothing_at = (
        f"{HONOUR_COSTS}.{name}"
        for name in ("kind", "all", "pair", "no_pair", "no_triplet", "nothing_held")
    )
    hand, suits_at = image.address("hand") & 0xFF, image.address("suits") & 0xFF
    without_pair = {"page": image.address("suits") >> 8, "place": suits_at + PLACE}
    with_pair = {**without_pair, "place": suits_at + PLACE + PAIR}

    def begin(**v: Any) -> Next:
        return kind_at, {**v, "three": 0, "two": 0, "one": 0, "place": hand + FIRST}

    def kind(place: Any, held: Any, melded: Any, suits: Any, **v: Any) -> Next:
        kind = place - hand
        counts = counted(v["three"], v["two"], v["one"], held[kind], melded[kind])
        here = {**dict(zip(COUNTS, counts, strict=True)), "suits": suits}
        if kind == KINDS - 1:
            return all_at, here
        return kind_at, {**here, "held": held, "melded": melded, "place": place + 1}

    def from_nothing(suits: Any, **v: Any) -> Values:
        suits[PLACE : PLACE + COSTS] = [FAR] * COSTS
        return {**v, "suits": suits, "cost": 0, **without_pair}

    def all_kinds(suits_after: Any, **v: Any) -> Next:
        return pair_at, {**v, "suits": suits_after}

    def out_of_two(two: Any, **v: Any) -> Values:
        return {**v, "two": two - 1 & 0xFF, "cost": 0, **with_pair}

    def pair(suits_after: Any, **v: Any) -> Next:
        if v["two"] != 0:
            return "return", {"suits": suits_after}
        return no_pair_at, v

    def out_of_three(three: Any, **v: Any) -> Values:
        return {**v, "three": three - 1 & 0xFF, "cost": 0, **with_pair}

    def no_pair(suits_after: Any, **v: Any) -> Next:
        return no_triplet_at, {**v, "suits": suits_after} if v["three"] != 0 else v

    def out_of_one(one: Any, **v: Any) -> Values:
        return {**v, "one": one - 1 & 0xFF, "cost": 1, **with_pair}

    def no_triplet(suits_after: Any, **v: Any) -> Next:
        return nothing_at, {**v, "suits": suits_after} if v["one"] != 0 else v

    def of_nothing(**v: Any) -> Values:
        return {**v, "cost": 2, **with_pair}

    def nothing_held(suits_after: Any, **_others: Any) -> Next:
        return "return", {"suits": suits_after}

    made = f"H == &suits >> 8, B + C + D <= {HONOURS}"
    contract = f"""
    ;; {HONOUR_COSTS} – the costs of the honours, with those of other suits among the inputs.
    ; in:        hand[34] melded[34] suits[40]
    ; requires:  sound_tiles
    ; out:       suits[40]
    ; clobbers:  as {HONOUR_COSTS}
    ; stack:     6
    ; invariant: {kind_at}: H == &hand >> 8,
    ;            L in (&hand & $FF) + {FIRST}..(&hand & $FF) + {KINDS - 1},
    ;            B + C + D <= L - (&hand & $FF) - {FIRST}
    ; invariant: {all_at}: B + C + D <= {HONOURS}
    ; invariant: {pair_at}: {made}
    ; invariant: {no_pair_at}: {made}
    ; invariant: {no_triplet_at}: {made}
    ; invariant: {nothing_at}: {made}
    ; decreases: {kind_at}: (&hand & $FF) + {KINDS} - L
    """
    so_far = {**COUNTS, "suits": "suits"}
    asked = _asker(image)
    stages = {
        "": Stage(GIVEN, begin),
        kind_at: Stage({**so_far, **GIVEN, "place": "l"}, kind),
        all_at: Stage(so_far, all_kinds, asked(from_nothing)),
        pair_at: Stage(so_far, pair, asked(out_of_two)),
        no_pair_at: Stage(so_far, no_pair, asked(out_of_three)),
        no_triplet_at: Stage(so_far, no_triplet, asked(out_of_one)),
        nothing_at: Stage(so_far, nothing_held, asked(of_nothing)),
    }
    return Staged(HONOUR_COSTS, contract, stages, GIVES)


def _asker(image: Image) -> Any:
    one = blocks(image)
    return lambda question: Asked.staged(BLOCKS, one.stages, one.gives, question)
