"""The tarot shuffle's routines, but for the shuffle itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

from fairdeck.proofs.draws import DRAWN, GENERATOR, draw_stages, generator
from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.proofs.statement import Statement, prove_whole
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.distribution import distribution
from fairdeck.tarot.draw import Reduction, flip
from fairdeck.tarot.feedback import FEEDBACKS, Feedback, next_byte
from fairdeck.tarot.targets import TARGETS, Target
from fairdeck.tarot.variants import BALANCED, FAST, SMALL, Variant
from romproof import Finding, Proof, ProofOptions, Verdict

GENERATORS = (
    ("next_byte", "next_byte", "by tables", FAST),
    ("next_byte", "next_byte_balanced", "of the balanced variant", BALANCED),
    ("next_byte", "next_byte_stepwise", "of the small variant, step by step,", SMALL),
    ("next_byte_small", "next_byte_small", "without tables", SMALL),
)
"""The routine, what the statement about it is called, what it is, and in which variant."""

STATE = {"state": "lfsr:big"}
FROM, MAX = 2, 128
"""The numbers a draw can be from: the range it draws from is doubled within a byte."""


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    listed: list[Statement] = []
    for target in TARGETS.values():
        for feedback in FEEDBACKS.values():
            for routine, subject, how, variant in GENERATORS:
                listed.append(
                    Statement(
                        "tarot",
                        target.name,
                        f"{subject}-{feedback.name}",
                        f"the generator {how} takes eight steps with the feedback "
                        f"${feedback.mask:02X}, from each of the 2^32 states",
                        partial(_next_byte, target, feedback, routine, variant),
                    )
                )
        rows: Sequence[tuple[str, str, Callable[[Target, ProofOptions], Proof]]] = (
            ("flip", "the next flip is the next bit, and the generator after it is the model's",
             _flip),
            ("draw", "a draw is the model's, flip by flip, for every state of the generator and "
             "every number of results from 1 to 128; by the model's exact distribution every "
             "result is equally likely if the flips are fair. A draw ends with probability one: "
             "by that distribution the results' probabilities add up to 1", _draw),
            ("swap", "any two places of any deck are exchanged, and nothing else", _swap),
            ("deck_init", "the deck comes in order, whatever was there", _deck_init),
        )  # fmt: skip
        listed += [
            Statement(
                "tarot",
                target.name,
                subject,
                claim,
                partial(prove, target),
                "it draws until the flips decide" if subject == "draw" else "",
            )
            for subject, claim, prove in rows
        ]
    return tuple(listed)


def _next_byte(
    target: Target, feedback: Feedback, routine: str, variant: Variant, options: ProofOptions
) -> Proof:
    own = tarot_bank(target, options, variant, feedback)

    def model(state: Any) -> Any:
        return next_byte(state, feedback)

    return prove_whole(own, routine, model, STATE, ("lfsr:big", "a"))


def _flip(target: Target, options: ProofOptions) -> Proof:
    own = tarot_bank(target, options)
    own.routine("next_byte")
    carry = "c" if target.name == "6502" else "cf"

    def model(state: Any, remainder: Any, flips_left: Any) -> Any:
        after, bit = flip(generator(state, remainder, flips_left))
        return bit, after.state, after.remainder, after.flips_left

    return prove_whole(own, "flip", model, GENERATOR, (carry, "lfsr:big", "rng", "flips_left"))


def _swap(target: Target, options: ProofOptions) -> Proof:
    one, other = target.swaps

    def model(one: Any, other: Any, deck: Any) -> Any:
        deck[one], deck[other] = deck[other], deck[one]
        return deck

    takes = {"one": one, "other": other, "deck": "deck"}
    return prove_whole(tarot_bank(target, options), "swap", model, takes, ("deck",))


def _deck_init(target: Target, options: ProofOptions) -> Proof:
    def model() -> Any:
        return bytes(range(78))

    return prove_whole(tarot_bank(target, options), "deck_init", model, {}, ("deck",))


def _draw(target: Target, options: ProofOptions) -> Proof:
    own = tarot_bank(target, options)
    for callee in ("next_byte", "flip"):
        own.routine(callee)
    whole = own.routine("draw")
    same = own.simulates(draw_stages(target), DRAWN)
    return Proof.join("draw", whole, same, facts=[_uniform()])


@cache
def _uniform() -> Finding:
    """The model's distribution, in exact fractions."""
    unfair = [
        n for n in range(FROM, MAX + 1)
        if set(distribution(n, Reduction.CORRECT).pmf) != {Fraction(1, n)}
    ]  # fmt: skip
    verdict = Verdict.REFUTED if unfair else Verdict.PROVED
    return Finding(
        ProofFact.UNIFORM(least=FROM, most=MAX),
        verdict,
        Evidence.NOT_FOR(numbers=tuple(unfair)) if unfair else Evidence.EACH_PROBABILITY(),
    )
