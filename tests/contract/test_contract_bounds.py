"""What follows from requirements for single inputs."""

from __future__ import annotations

import itertools

import pytest
from headers import BYTE, LONG, TABLE, WORD, Numbers, contract_of
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.bounds import Key, bounds_of
from romproof.contract.evaluate import evaluate
from romproof.contract.items import MemoryRange
from romproof.isa.abi import MOS6502, SM83

A, X, _ = MOS6502.registers
C, Z = MOS6502.items["C"][0], MOS6502.items["Z"][0]
H, D = SM83.items["H"][0], SM83.items["D"][0]
W = MemoryRange("word", WORD, 2)
L = MemoryRange("long", LONG, 4)
FOUR: dict[Key, tuple[int, int]] = {TABLE + i: (0, 8) for i in range(4)}


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
        ("A > 300", {A: (301, 255)}),
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
def test_bounds(text: str, bounds: dict[Key, tuple[int, int]]) -> None:
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


@settings(deadline=None)
@given(CONDITIONS)
def test_all_that_fulfils_a_requirement_is_within_the_bounds(text: str) -> None:
    contract = contract_of(f"; requires: {text}")
    bounds = bounds_of(contract)
    for a, x, c in itertools.product(range(6), range(6), range(2)):
        view = Numbers({"A": a, "X": x, "C": c}, {})
        if all(evaluate(condition.expression, view) for condition in contract.requires):
            for key, value in ((A, a), (X, x), (C, c)):
                low, high = bounds.get(key, (value, value))
                assert low <= value <= high
