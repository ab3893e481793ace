"""The proofs of the fast shuffles, and what they say of broken ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fairdeck.proofs import shuffle_6502, shuffle_sm83
from fairdeck.proofs.shuffle_groups import without_dependences
from fairdeck.proofs.tarot_bank import tarot_program
from fairdeck.proofs.turns import exchanges
from fairdeck.tarot.targets import MOS6502, SM83, Target
from romproof.prover.catalogue import Property
from romproof.prover.prover import Prover
from romproof.prover.results import Finding, Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of

pytestmark = pytest.mark.proof  # they take long: make proofs
# The last cards, of which there are few enough for many proofs.

LAST_CARDS_6502 = """
    ;; last_cards – the draws for cards 3 and 2.
    ; in:       X Y zp shuffle_stream[69] shuffle_spare shuffle_picks[78]
    ; requires: {requires}
    ; out:      shuffle_picks[78]
    ; ensures:  all j in 2..77: shuffle_picks[j] <= j
    ; clobbers: A X Y N V Z C shuffle_stream[69] shuffle_value shuffle_digits shuffle_spare
    ;   shuffle_shift shuffle_vector[2] shuffle_card shuffle_place shuffle_state shuffle_left
    ;   shuffle_range shuffle_limit shuffle_cut
    """

LAST_CARDS_SM83 = """
    ;; last_cards – the draws for cards 3 to 1, and the way out.
    ; in:       C D H L hram shuffle_stream[67] wram deck[78]
    ; requires: {requires}
    ; out:      lfsr[4] rng flips_left deck[78]
    ; ensures:  flips_left <= 8
    ; clobbers: A BC DE HL F shuffle_stream[67]
    """


def bank_with(target: Target, label: str, old: str, new: str) -> Prover:
    """The program without what stands somewhere after a label, but with something else there."""
    sound = program_of(tarot_program(target))
    before, after = bytes.fromhex(old), bytes.fromhex(new)
    assert len(before) == len(after)
    at = sound.fixed.index(before, sound.image.address(label))
    fixed = sound.fixed[:at] + after + sound.fixed[at + len(after) :]
    return Prover.of(LemmaStore(replace(sound, fixed=fixed), ProofOptions()))


def contract_of(text: str, invariants: list[str], first: str) -> str:
    """Of code that begins at the label ``first``, which has an invariant."""
    (known,) = (line for line in invariants if line.startswith(f"{first}: "))
    lines = "".join(f"    ; invariant: {line}\n" for line in invariants)
    return text.format(requires=known.removeprefix(f"{first}: ")) + lines


def proof_6502(label: str, old: str, new: str) -> Iterator[Finding]:
    own = bank_with(MOS6502, label, old, new)
    yield from shuffle_6502.prove_restream(own).findings
    places = [line for line in shuffle_6502.invariants() if line.startswith(("draw2", "rare"))]
    places.append("rare_draw: shuffle_state in 16..23")
    text = contract_of(LAST_CARDS_6502, places, "draw2::draw_0")
    ends = [f"draw1::draw_{flips}" for flips in range(8)]
    contract = without_dependences(own.contract(text, "draw2::draw_0"))
    yield from own.piece(contract, "draw2::draw_0", *ends).findings


def proof_sm83(label: str, old: str, new: str) -> Iterator[Finding]:
    own = bank_with(SM83, label, old, new)
    image = own.image
    for proof in shuffle_sm83.prove_stream(own):
        yield from proof.findings
    groups = ("shuffle.draw2", "shuffle.flip2", "shuffle.draw1")
    places = [line for line in shuffle_sm83.invariants(image) if line.startswith(groups)]
    # the way to the first of them, on which nothing happens
    begin = "shuffle.ended3_5"
    text = contract_of(LAST_CARDS_SM83, places, "shuffle.draw2_5_0")
    text = text.replace("L in 3..4", "L == 4", 1)
    contract = without_dependences(own.contract(text, "shuffle"))
    yield from own.piece(contract, begin).findings
    yield from exchanges(own, "l", 4)


PROOFS = {"6502": proof_6502, "sm83": proof_sm83}
FAULTS = {
    "6502": (
        # cmp limits+2,x: the limit of the next card
        ("draw2::draw_0", "dd 02", "dd 03", "ensures all j in 2..77: shuffle_picks[j] <= j"),
    ),
    "sm83": (
        # cp l, dec l, ld [de], a; cp 2, which ends the group; cp, how far the stream can be used
        ("shuffle.draw2_0_0", "bd", "bc", "each with one at its own place or before it"),
        ("shuffle.take2_6_0", "2d", "00", "each with one at its own place or before it"),
        ("shuffle.take2_6_0", "12", "00", "only exchanges bytes of deck"),
        ("shuffle.take2_6_0", "fe 02", "fe 01", "L in 3..4"),
        ("shuffle.flip2_0_0", "fe bf", "fe c1", "C <= 190"),
    ),
}


@pytest.mark.parametrize("cpu", PROOFS)
def test_the_last_cards_of_a_sound_shuffle_are_proved(cpu: str) -> None:
    begin = {"6502": "draw2::draw_0", "sm83": "shuffle.draw2_0_0"}[cpu]
    # it draws until the flips decide
    open_ = [f for f in PROOFS[cpu](begin, "", "") if f.verdict is not Verdict.PROVED]
    assert [(str(f.statement), f.verdict) for f in open_] == [
        (str(Property.RETURNS()), Verdict.PARTIAL)
    ]


@pytest.mark.parametrize(
    ("cpu", "label", "old", "new", "broken"),
    [(cpu, *fault) for cpu, faults in FAULTS.items() for fault in faults],
)
def test_of_a_broken_shuffle_that_is_not_proved(
    cpu: str, label: str, old: str, new: str, broken: str
) -> None:
    findings = list(PROOFS[cpu](label, old, new))
    refuted = [f for f in findings if f.verdict is Verdict.REFUTED]
    # nobody knows of states at invariants whether execution comes to them
    shown = refuted + [f for f in findings if f.verdict is Verdict.UNKNOWN and f.state is not None]
    assert [f for f in shown if broken in str(f.statement)]
    assert all(f.replayed is not False for f in refuted)
