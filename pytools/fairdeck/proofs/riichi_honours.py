"""The costs of the honours, kind by kind; on the SM83 kinds are counted by what is held of them,
and blocks are made out of those of which most is held.

Of the steps of all ways to hold seven kinds it is followed in the model that they lead to the costs
by definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.proofs.stages import Next, Staged, Stages, Values, with_loops
from fairdeck.riichi.shanten import MELDS, Costs, suit_costs
from fairdeck.riichi.tables import COSTS, HONOURS
from fairdeck.tiles import COPIES, KINDS
from romproof import Asked, Finding, Image, Proof, Prover, Stage, Verdict, choose

FIRST = 27
"""The kind of the first honour."""
PLACE = 3 * COSTS
"""Where their costs are among those of the suits."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""

Kinds = tuple[tuple[int, int], ...]
"""(held, melded) of some kinds."""

MELDED = (0, 3, 4)
"""Tiles of one honour that can be melded: a triplet or four."""
TYPES = tuple((held, melded) for melded in MELDED for held in range(COPIES - melded + 1))
"""What there can be of one honour: tiles in the hand, and melded ones."""

BETWEEN_6502 = """
    ; in:        X suits[40]
    ; invariant: @kind: X in 27..33, all j in 30..39: suits[j] <= 14
    """


def proofs_6502(own: Prover) -> Iterable[Proof]:
    """Of the 6502: the contract, and a kind at a stage."""
    yield own.routine(HONOUR_COSTS, with_loops(own, HONOUR_COSTS, BETWEEN_6502, cycles=None))
    yield own.simulates(stages_6502(), {"suits": "suits"})


def prove_contract_6502(own: Prover) -> Proof:
    """Of the 6502: all that the source says, both ends of its cycles included."""
    return own.routine("honour_costs")


def check_rows(costs: Callable[[Kinds], Sequence[int]]) -> Finding:
    """Whether the ``costs`` that the steps of seven kinds lead to are those by definition, whatever
    they are.

    It does not matter in which order they come: each adds to what the others cost.
    """
    hands = [
        hand
        for hand in combinations_with_replacement(TYPES, HONOURS)
        if sum(melded > 0 for _, melded in hand) <= MELDS
    ]
    wrong = [
        hand
        for hand in hands
        if _select_costs(hand, costs(hand)) != _select_costs(hand, by_definition(hand))
    ]
    return Finding(
        ProofFact.HONOURS(hands=len(hands)),
        Verdict.REFUTED if wrong else Verdict.PROVED,
        Evidence.NOT_FOR_HAND(hand=str(wrong[0])) if wrong else None,
    )


def _select_costs(kinds: Kinds, costs: Sequence[int]) -> list[int]:
    """The costs that count: a hand has four melds, called ones among them."""
    most = MELDS - sum(melded > 0 for _, melded in kinds)
    return [cost for entry, cost in enumerate(costs) if entry % PAIR <= most]


@cache
def by_definition(kinds: Kinds) -> Costs:
    """The costs of honours."""
    held = tuple(own for own, _ in kinds)
    return suit_costs(held, tuple(COPIES - melded for _, melded in kinds), False)


# ---------------------------------------------------------------- 6502


def nothing() -> list[int]:
    """The costs when nothing is held."""
    return [3 * (entry % PAIR) + 2 * (entry // PAIR) for entry in range(COSTS)]


def with_kind(costs: Any, held: Any, melded: Any) -> list[Any]:
    """The costs with a kind more. A block that there is no room for has nothing that is held."""
    triplet = choose(melded >= 2, 3, _lacking(3, held))
    pair = choose(melded >= 3, 2, _lacking(2, held))
    least = list(costs)
    for entry in range(COSTS):
        melds, is_pair = entry % PAIR, entry // PAIR
        if melds:
            least[entry] = _least(least[entry], costs[entry - 1] + triplet)
        if is_pair:
            least[entry] = _least(least[entry], costs[entry - PAIR] + pair)
    return least


def _lacking(wanted: int, held: Any) -> Any:
    return choose(held >= wanted, 0, wanted - held)


def _least(one: Any, other: Any) -> Any:
    return choose(one <= other, one, other)


def add_kinds(kinds: Kinds) -> Costs:
    """The costs of some kinds, one after the other."""
    costs = nothing()
    for held, melded in kinds:
        if held:
            costs = with_kind(costs, held, melded)
    return tuple(costs)


def stages_6502() -> Mapping[str, Stage]:
    """The costs of nothing, and a kind more."""
    label = "honour_costs@kind"

    def begin(held: Any, melded: Any, suits: Any) -> Any:
        suits[PLACE : PLACE + COSTS] = nothing()
        return label, {"kind": FIRST, "held": held, "melded": melded, "suits": suits}

    def add(kind: Any, held: Any, melded: Any, suits: Any) -> Any:
        own_tiles = held[kind]
        if own_tiles != 0:
            costs = [suits[PLACE + entry] for entry in range(COSTS)]
            suits[PLACE : PLACE + COSTS] = with_kind(costs, own_tiles, melded[kind])
        if kind == FIRST + HONOURS - 1:
            return "return", {"suits": suits}
        return label, {"kind": kind + 1, "held": held, "melded": melded, "suits": suits}

    takes = {"held": "hand", "melded": "melded", "suits": "suits"}
    return {"": Stage(takes, begin), label: Stage({"kind": "x", **takes}, add)}


HONOUR_COSTS, BLOCKS = "honour_costs", "honour_blocks"
FAR = 0x80
"""More than any cost, to begin with."""
MAX_TILES = 14
"""In a hand."""
HONOUR_KINDS = range(FIRST, KINDS)


GIVEN = {"held": "hand", "melded": "melded", "suits": "suits"}
GIVES = {"suits": "suits"}
COUNTS = {"three": "b", "two": "c", "one": "d"}
BLOCKED = {"cost": "a", **COUNTS, "page": "h", "place": "l", "suits": "suits"}


def proofs_sm83(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """Of the blocks out of so many kinds, and of the whole, but for its cycles. If not
    ``simulated``, their contracts only."""
    for one in (blocks(own.image), honour_costs(own.image)):
        yield from one.prove(own, simulated)


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
    ; requires:  H == &suits >> 8, L in {start}..{start} + {PAIR}, (L - {start}) % {PAIR} == 0
    ; ensures:   B == old B, C == old C, D == old D
    ; clobbers:  A E L F
    ; stack:     4
    ; invariant: {at}: E in 1..{PAIR}, L == old L + {PAIR} - E,
    ;            L in {start}..{start} + {COSTS - 1}
    ; decreases: {at}: E
    """
    stages = {"": Stage(BLOCKED, begin), at: Stage({**BLOCKED, "left": "e"}, block)}
    return Staged(BLOCKS, contract, stages, GIVES, "B C D")


# ---------------------------------------------------------------- the routine's own contract


def prove_contract_sm83(own: Prover) -> Proof:
    """All that the source says, both ends of its cycles included. The blocks are executed where
    they are made: how long that takes depends on what is held, and on nothing else."""
    return own.routine(HONOUR_COSTS, with_loops(own, HONOUR_COSTS, _at_loop()))


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
    ; in:        hand[34]
    ; invariant: {HONOUR_COSTS}.kind: H == &hand >> 8,
    ;            L in {place} + {FIRST}..{place} + {KINDS - 1},
    ;            B + C + D <= L - {place} - {FIRST}, {counted} <= {MAX_TILES}{tiles}
    ; invariant: {HONOUR_COSTS}.all: B + C + D <= {HONOURS}, {counted} <= {MAX_TILES}
    ; decreases: {HONOUR_COSTS}.kind: {place} + {KINDS} - L
    """


# ---------------------------------------------------------------- all kinds


def count_kind(three: Any, two: Any, one: Any, held: Any, melded: Any) -> tuple[Any, Any, Any]:
    """The counts with a kind more: of those held three times or more, twice, and once alone."""
    alone = (held == 1) & (melded == 0)
    return three + (held >= 3), two + (held == 2), one + alone


def of_counts(image: Image) -> Callable[[Kinds], Sequence[int]]:
    """The costs of as many kinds by the stages: from the counts on the same for all of them."""
    one = honour_costs(image)
    whole = one.ask(lambda **v: v)

    @cache
    def costs(three: int, two: int, one: int) -> Sequence[int]:
        held = [0] * FIRST + [3] * three + [2] * two + [1] * one
        held += [0] * (KINDS - len(held))
        found = whole.function(held=held, melded=[0] * KINDS, suits=[0] * (PLACE + COSTS))
        return tuple(found["suits_after"][PLACE:])

    def of_kinds(kinds: Kinds) -> Sequence[int]:
        counts = (0, 0, 0)
        for held, melded in kinds:
            counts = count_kind(*counts, held, melded)
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
        counts = count_kind(v["three"], v["two"], v["one"], held[kind], melded[kind])
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
    ; requires:  sound_tiles
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
    asked = blocks(image).ask
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


# ---------------------------------------------------------------- among the suits


def hand_on_honours(honours: Any, **_others: Any) -> Next:
    """The end of the costs of a suit, if it is the honours."""
    return "return", {"suits": honours}


def ask_honours(stages: Stages) -> Asked:
    """The costs of the honours, by the stages of either CPU."""
    steps = Asked.of_stages(HONOUR_COSTS, stages, GIVES, lambda **v: v)

    def question(hand: Any, melded: Any, suits: Any, **_others: Any) -> Values:
        return {"held": hand, "melded": melded, "suits": suits}

    def function(**v: Any) -> Values:
        return {"honours": steps.function(**v)["suits_after"]}

    return Asked(HONOUR_COSTS, question, GIVEN, {"honours": "suits"}, function)


PROVE_CONTRACT = {"6502": prove_contract_6502, "sm83": prove_contract_sm83}
"""By CPU."""
