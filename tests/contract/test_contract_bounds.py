"""What follows from requirements for single inputs."""

from __future__ import annotations

import itertools

import pytest
from headers import BYTE, LONG, TABLE, WORD, Numbers, contract_of, fault_of
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.names.bounds import BoundKey, bounds_of
from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import MOS6502, SM83
from romproof.text.diagnostic import BuildFailed

A, X, _ = MOS6502.registers
C, Z = MOS6502.items["C"][0], MOS6502.items["Z"][0]
H, D = SM83.items["H"][0], SM83.items["D"][0]
W = MemoryRange("word", WORD, 2)
L = MemoryRange("long", LONG, 4)
FOUR: dict[BoundKey, tuple[int, int]] = {TABLE + i: (0, 8) for i in range(4)}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("A <= 127", {A: (0, 127)}),
        ("A < SIZE", {A: (0, 77)}),
        ("127 >= A", {A: (0, 127)}),
        ("A > 3, A < 9", {A: (4, 8)}),
        ("3 < A <= 9", {A: (4, 9)}),
        ("A in 3..9", {A: (3, 9)}),
        ("A == 7", {A: (7, 7)}),
        ("A != 0", {A: (1, 255)}),
        ("A != 255", {A: (0, 254)}),
        ("A != 7", {A: (0, 255)}),
        ("A <= 999", {A: (0, 255)}),
        ("not A > 7", {A: (0, 7)}),
        ("not not A > 7", {A: (8, 255)}),
        ("C", {C: (1, 1)}),
        ("not C", {C: (0, 0)}),
        ("C == 0", {C: (0, 0)}),
        ("C and A < 3", {C: (1, 1), A: (0, 2)}),
        ("A == 3 or A == 9", {A: (3, 9)}),
        ("A == 3 or X == 9", {}),
        ("A < 3 and C or A == 9 and X < 2 and C", {A: (0, 9), C: (1, 1)}),
        ("C -> A < 3", {}),
        ("A < X", {}),
        ("A & 7 == 0", {}),
        ("A + X <= 9", {A: (0, 9), X: (0, 9)}),
        ("A - 16 in 0..18", {A: (16, 34)}),
        ("byte <= 4", {BYTE: (0, 4)}),
        ("byte[0] <= 4", {BYTE: (0, 4)}),
        ("table[3] <= 4", {TABLE + 3: (0, 4)}),
        ("table[X] <= 4", {}),
        ("all j in 1..3: table[j - 1] <= 4", {TABLE + i: (0, 4) for i in range(3)}),
        ("all j in 1..3: table[j] <= 2 * j", {TABLE + i: (0, 2 * i) for i in (1, 2, 3)}),
        ("all j in 0..1: all k in 0..1: table[2 * j + k] < 9", FOUR),
        ("word in 1..624", {W: (1, 624), WORD + 1: (0, 2)}),
        ("word == $0203", {W: (0x203, 0x203), WORD + 1: (2, 2), WORD: (3, 3)}),
        ("long >= $01000000", {L: (1 << 24, (1 << 32) - 1), LONG + 3: (1, 255)}),
        ("$0300[2] == 1", {TABLE + 2: (1, 1)}),
    ],
)
def test_bounds(text: str, bounds: dict[BoundKey, tuple[int, int]]) -> None:
    assert dict(bounds_of(contract_of(f"; requires: {text}"))) == bounds


def test_bounds_of_pairs() -> None:
    contract = contract_of("; requires: HL in $C000..$C0FF, DE < $8000", "sm83")
    assert dict(bounds_of(contract)) == {H: (0xC0, 0xC0), D: (0, 0x7F)}


def test_a_pair_that_is_known_has_two_known_registers() -> None:
    contract = contract_of("; requires: HL == $C123", "sm83")
    assert dict(bounds_of(contract)) == {H: (0xC1, 0xC1), SM83.items["L"][0]: (0x23, 0x23)}


def test_what_is_not_required_has_no_bounds() -> None:
    assert not bounds_of(contract_of("; ensures: A < 3\n; invariant: @step: X < 3"))


PARTS = st.sampled_from(
    ["A < 3", "A >= 2", "A != 0", "X == 1", "A + X <= 3", "X - A in 0..1", "C", "A == X", "3 > X"]
)
CONDITIONS = st.recursive(
    PARTS,
    lambda inner: st.one_of(
        inner.map(lambda text: f"(not ({text}))"),
        st.tuples(inner, st.sampled_from(["and", "or", "->"]), inner).map(
            lambda t: f"(({t[0]}) {t[1]} ({t[2]}))"
        ),
    ),
    max_leaves=5,
)

SMALL = tuple(itertools.product(range(6), range(6), range(2)))


def _fulfilled(conditions: tuple[Condition, ...], a: int, x: int, c: int) -> bool:
    view = Numbers({"A": a, "X": x, "C": c}, {})
    return all(evaluate(condition.expression, view) for condition in conditions)


@settings(deadline=None)
@given(CONDITIONS)
def test_all_that_fulfils_a_requirement_is_within_the_bounds(text: str) -> None:
    try:
        contract = contract_of(f"; requires: {text}")
    except BuildFailed:
        # whatever is refused is true of nothing
        contract = contract_of(f"; ensures: {text}")
        assert not any(_fulfilled(contract.ensures, *one) for one in SMALL)
        return
    bounds = bounds_of(contract)
    for a, x, c in SMALL:
        if _fulfilled(contract.requires, a, x, c):
            for key, value in ((A, a), (X, x), (C, c)):
                low, high = bounds.get(key, (value, value))
                assert low <= value <= high


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("A < 5, A > 10", "A > 10", "A would be at least 11 and at most 4"),
        ("A > 300", "A > 300", "A > 300 is never true"),
        ("A == 3, X < 5, A == 4", "A == 4", "A would be at least 4 and at most 3"),
        ("1 == 2", "1 == 2", "1 == 2 is never true"),
        ("A + X == 511", "A + X == 511", "A + X == 511 is never true"),
        ("A > 255 or X < 0", "A > 255 or X < 0", "A > 255 or X < 0 is never true"),
        ("C, not C", "not C", "C would be at least 1 and at most 0"),
        ("A in 5..2", "A in 5..2", "A has no such value"),
        ("word < 256, word[1] != 0", "word[1] != 0", "the byte at $0013 would be at least 1"),
        ("word > 5, word == 5", "word == 5", "word would be at least 6 and at most 5"),
    ],
)
def test_what_no_input_fulfils_is_refused(text: str, place: str, reason: str) -> None:
    told = fault_of(f"; requires: {text}")
    assert f"error: no input satisfies 'requires:': {reason}" in told
    column = len("; requires: ") + text.rindex(place) + 1
    assert f"prog.s:2:{column}: error" in told
    assert "^" * len(place) in told


@pytest.mark.parametrize("text", ["A * A == 2", "A - A == 1", "A < 3 or A > 300", "A < 5 -> A > 9"])
def test_what_takes_more_than_single_inputs_is_left_to_proofs(text: str) -> None:
    assert len(contract_of(f"; requires: {text}").requires) == 1
