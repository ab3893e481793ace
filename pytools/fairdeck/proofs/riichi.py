"""Riichi hands: the costs of suits and honours, seven pairs, and the thirteen orphans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from fairdeck.proofs import (
    riichi_hands_6502,
    riichi_hands_sm83,
    riichi_honours,
    riichi_joins,
    riichi_suits_6502,
    riichi_suits_sm83,
    riichi_target_6502,
    riichi_target_sm83,
)
from fairdeck.proofs.riichi_hands import (
    CALLS,
    CHIITOI,
    COMPLETE,
    DISCARD,
    JOIN,
    KOKUSHI,
    NORMAL,
    SHANTEN,
    UKEIRE,
    WANTED,
)
from fairdeck.proofs.riichi_hands_6502 import LOWERS
from fairdeck.proofs.riichi_hands_sm83 import JOIN_CONTRACT
from fairdeck.proofs.riichi_suits import SUIT_COSTS
from fairdeck.proofs.riichi_target_6502 import TARGET
from fairdeck.proofs.riichi_walk import MAX_HELD, MAX_TILES
from fairdeck.proofs.stages import Staged
from fairdeck.proofs.statement import CPUS, Row, Statement, bank, prove_whole, statements_of
from fairdeck.riichi.on_machine import RIICHI_ROMS
from fairdeck.riichi.shanten import kokushi
from romproof import Finding, Proof, ProofOptions, Prover

LONG = (("sm83", "join"), ("sm83", "join_wanted"))
"""What takes minutes: the costs may be at several places, to which pointers lead."""
HANDS = (
    ("target", "the costs of a suit of numbers are those of the model, for every hand and its "
     "melds, number by number, and block by block of its states; melds for which there is no room "
     "cost as much as without tiles"),
    ("suit_costs-model", "the costs of any suit are the model's, for every hand and its melds: by "
     "the automaton's rows, by all targets or as honours, for which there are other statements"),
    ("normal_shanten", "the number of tiles missing to melds and a pair is the model's, for every "
     "hand: the costs of the suits, one by one, are joined"),
    ("shanten", "the shanten of every hand is the model's: the least of all that apply"),
    ("complete", "a hand is complete if and only if its shanten is -1, for every hand"),
    ("ukeire", "the tiles that lower the shanten are the model's, for every hand and all that may "
     "still be drawn: each kind of each suit is tried"),
    ("best_discard", "the shanten and the tiles that help after each discard are those of the "
     "hand without it, and the best are marked, for every hand and all that may still be drawn; "
     "both lists of discards are among the inputs, as it is not shown that they are filled"),
    ("call_options", "the possible calls are the model's, for every hand and each discard"),
)  # fmt: skip
"""What is proved of routines on hands, each in minutes: a subject, and the claim."""
RESTING = {
    "6502": "; it ends, and the contract holds except for its cycles, with the states of targets "
    "among the inputs, as a block of them is read only if its mark shows that it was written",
    "sm83": "; it ends, and the contract holds except for its cycles, with the states of targets "
    "and joined costs among the inputs, as no more of them is read than was written",
}


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    rows: tuple[Row, ...] = (
        ("suit_costs",
         f"the automaton is asked for a suit of numbers without melded tiles, with at most "
         f"{MAX_TILES} tiles and at most {MAX_HELD} of a number, and for no other; its costs are "
         "those by definition: the way in, the step at a number and the way out are proved for all "
         "rows, counts and tiles so far, and the steps of every such suit are followed in the ROM",
         _suit_costs),
        ("honour_costs", "the costs of the honours are those by definition, for every hand and its "
         "melds: the step at a kind is proved for all kinds and costs or counts so far, and the "
         "steps of all ways to hold seven kinds are followed in the model", _honour_costs),
        ("chiitoi_shanten", "the number of tiles missing to seven pairs is the model's, for every "
         "hand: its kinds and pairs are counted, a kind at a stage; it ends", _chiitoi),
        ("kokushi_shanten", "the tiles missing to the thirteen orphans are those of the model, for "
         "every hand; the contract holds, its fewest and its most cycles included", _kokushi),
        ("own_kans", "the kans of a hand are those of the model, for every hand and its pons; the "
         "contract holds, its fewest and its most cycles included", _own_kans),
        ("join", "the costs of suits together are the least sums by definition, of all bytes, and "
         "wherever the costs are", partial(_joins, riichi_joins.join)),
        ("join_wanted", "the number of tiles missing to the wanted melds and the pair is the least "
         "sum by definition, of all bytes, and wherever the costs are",
         partial(_joins, riichi_joins.join_wanted)),
    )  # fmt: skip
    hands = tuple(
        Statement(
            "riichi", cpu, subject, claim + RESTING[cpu], partial(_hand, subject, cpu), long=True
        )
        for cpu in CPUS
        for subject, claim in HANDS
    )
    pieces = tuple(
        replace(one, long=(one.cpu, one.subject) in LONG) for one in statements_of("riichi", rows)
    )
    honours: Row = (
        "honour_costs-contract",
        "the routine keeps to its contract, its fewest and its most cycles included",
        _honours_contract,
    )
    return *hands, *pieces, *statements_of("riichi", [honours], honours[:1])


class SuitProofs(Protocol):
    """What the module of either CPU proves about the costs of a suit."""

    def automaton_proofs(self, own: Prover) -> Iterable[Proof]: ...

    def check_rows(self, own: Prover) -> Finding: ...

    def proofs(self, own: Prover, simulated: bool = True) -> Iterator[Proof]: ...


SUITS: Mapping[str, SuitProofs] = {"6502": riichi_suits_6502, "sm83": riichi_suits_sm83}


def _suit_costs(cpu: str, options: ProofOptions) -> Proof:
    own, parts = bank(RIICHI_ROMS[cpu], options), SUITS[cpu]
    return Proof.join("suit_costs", *parts.automaton_proofs(own), facts=[parts.check_rows(own)])


def _honour_costs(cpu: str, options: ProofOptions) -> Proof:
    own = bank(RIICHI_ROMS[cpu], options)
    mos = cpu == "6502"
    proofs = riichi_honours.proofs_6502(own) if mos else riichi_honours.proofs_sm83(own)
    costs = riichi_honours.add_kinds if mos else riichi_honours.of_counts(own.image)
    return Proof.join("honour_costs", *proofs, facts=[riichi_honours.check_rows(costs)])


def _honours_contract(cpu: str, options: ProofOptions) -> Proof:
    return riichi_honours.PROVE_CONTRACT[cpu](bank(RIICHI_ROMS[cpu], options))


def _chiitoi(cpu: str, options: ProofOptions) -> Proof:
    own = bank(RIICHI_ROMS[cpu], options)
    return riichi_joins.prove_pairs(own, cpu)


def _kokushi(cpu: str, options: ProofOptions) -> Proof:
    def model(hand: Any) -> Any:
        return kokushi(hand) & 0xFF

    own = bank(RIICHI_ROMS[cpu], options)
    return prove_whole(own, KOKUSHI, model, {"hand": "hand"}, "a")


def _own_kans(cpu: str, options: ProofOptions) -> Proof:
    takes = {"held": "hand", "pons": "pons"}
    own = bank(RIICHI_ROMS[cpu], options)
    return prove_whole(own, "own_kans", riichi_joins.kans, takes, "kans")


def _joins(prove: Callable[[Prover, str], Proof], cpu: str, options: ProofOptions) -> Proof:
    return prove(bank(RIICHI_ROMS[cpu], options), cpu)


# ---------------------------------------------------------------- routines on hands

ASKED: Mapping[str, Sequence[str]] = {
    NORMAL: (),
    SHANTEN: (NORMAL,),
    COMPLETE: (NORMAL, SHANTEN),
    UKEIRE: (NORMAL, SHANTEN, LOWERS),
    CALLS: (NORMAL, SHANTEN, COMPLETE),
    DISCARD: (NORMAL, SHANTEN, LOWERS, UKEIRE),
}
"""What is proved before each, beside costs; the SM83 calls LOWERS ``fewer``."""


def _hand(subject: str, cpu: str, options: ProofOptions) -> Proof:
    own = bank(RIICHI_ROMS[cpu], options)
    routine = subject.removesuffix("-model")
    facts = [SUITS[cpu].check_rows(own)] if routine == SUIT_COSTS else []
    return Proof.join(subject, *prove_hand(own, cpu, routine), facts=facts)


def prove_hand(own: Prover, cpu: str, routine: str) -> Iterator[Proof]:
    """Of a routine, and of all that it asks: what each asks is proved by its contract, and the
    routine itself with its stages."""
    if routine == TARGET:
        target = riichi_target_6502.proofs if cpu == "6502" else riichi_target_sm83.proofs
        yield from target(own)
        return
    yield from SUITS[cpu].proofs(own, simulated=routine == SUIT_COSTS)
    if routine == SUIT_COSTS:
        return
    joined = own.contract(JOIN_CONTRACT, JOIN) if cpu == "sm83" else None
    yield own.routine(JOIN, joined, exact=False)
    for name in (WANTED, CHIITOI, KOKUSHI):
        yield own.routine(name, exact=False)
    for name in (*ASKED[routine], routine):
        one = stages_of_routine(own, cpu, name)
        # that a tile lowers the shanten is said by no other statement
        yield from one.prove(own, simulated=name in (routine, LOWERS))


def stages_of_routine(own: Prover, cpu: str, name: str) -> Staged:
    """The model of a routine."""
    return (_stages_6502 if cpu == "6502" else _stages_sm83)(own)[name]()


def _stages_6502(own: Prover) -> Mapping[str, Callable[[], Staged]]:
    hands, image = riichi_hands_6502, own.image
    return {
        NORMAL: hands.normal_shanten,
        SHANTEN: hands.shanten,
        COMPLETE: hands.complete,
        LOWERS: hands.lowers,
        UKEIRE: partial(hands.ukeire, image, own.fixed),
        DISCARD: partial(hands.best_discard, image, own.fixed),
        CALLS: hands.call_options,
    }


def _stages_sm83(own: Prover) -> Mapping[str, Callable[[], Staged]]:
    hands, image = riichi_hands_sm83, own.image
    return {
        NORMAL: partial(hands.normal_shanten, image),
        SHANTEN: partial(hands.shanten, image),
        COMPLETE: partial(hands.complete, image),
        LOWERS: partial(hands.fewer, image),
        UKEIRE: partial(hands.ukeire, image, own.fixed),
        DISCARD: partial(hands.best_discard, image, own.fixed),
        CALLS: partial(hands.call_options, image),
    }
