"""The shift register: its published steps, its linearity, and its true periods."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gf2_polynomials as gf2
import pytest
from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck.tarot.draw import Generator, flip
from fairdeck.tarot.feedback import (
    DEFAULT_FEEDBACK,
    FEEDBACKS,
    NONZERO_STATES,
    Feedback,
    next_byte,
    polynomial_of,
    step,
)

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot.json").read_text())["lfsr"]

# the other two bytes of full period, which the vectors also cover
OTHERS = {
    name: Feedback(name, mask, polynomial_of(mask), (NONZERO_STATES,), 1, "full period")
    for name, mask in (("af", 0xAF), ("f5", 0xF5))
}
ALL = {**FEEDBACKS, **OTHERS}

states = st.integers(0, NONZERO_STATES)
feedbacks = st.sampled_from(list(ALL.values()))


@every_case("case", VECTORS, ids=lambda c: f"{c['feedback']}-{c['state']}")
def test_register_follows_the_vectors(case: dict[str, Any]) -> None:
    feedback = ALL[case["feedback"].lower()]
    start = state = int(case["state"], 16)
    for expected in case["first_8_single_steps"]:
        state = step(state, feedback)
        assert f"{state:08X}" == expected

    state, taken = start, bytearray()
    after = {int(calls): text for calls, text in case["state_after_calls"].items()}
    for call in range(1, max(after) + 1):
        state, byte = next_byte(state, feedback)
        taken.append(byte)
        if call in after:
            assert f"{state:08X}" == after[call]
    assert taken[:64].hex().upper() == case["bytes_64"]

    generator, flips = Generator(start, feedback), ""
    for _ in range(64):
        generator, bit = flip(generator)
        flips += str(bit)
    assert flips == case["first_64_flips"]


@settings(deadline=None)
@given(states, feedbacks)
def test_word_form_is_the_byte_form(state: int, feedback: Feedback) -> None:
    # the published pseudo code, byte by byte, each byte handing its low bit on as a 128
    lfsr = list(state.to_bytes(4, "big"))
    for _ in range(8):
        carry = 0
        for i in range(4):
            out = lfsr[i] & 1
            lfsr[i] = (lfsr[i] >> 1) + carry
            carry = 128 * out
        if carry:
            lfsr[0] ^= feedback.mask
    assert next_byte(state, feedback) == (int.from_bytes(bytes(lfsr), "big"), lfsr[0])


@settings(deadline=None)
@given(states, states, feedbacks)
def test_eight_steps_are_linear(a: int, b: int, feedback: Feedback) -> None:
    both = next_byte(a ^ b, feedback)[0]
    assert both == next_byte(a, feedback)[0] ^ next_byte(b, feedback)[0]


@pytest.mark.parametrize("feedback", ALL.values(), ids=ALL)
def test_polynomial_is_the_one_the_register_follows(feedback: Feedback) -> None:
    assert feedback.polynomial == polynomial_of(feedback.mask)
    for bit in range(32):
        # p(M) is the zero map: the states at the polynomial's exponents cancel
        state, total = 1 << bit, 0
        for exponent in range(33):
            if feedback.polynomial >> exponent & 1:
                total ^= state
            state = step(state, feedback)
        assert total == 0


@pytest.mark.quick_cases("c5", "cf")
@pytest.mark.parametrize("feedback", ALL.values(), ids=ALL)
def test_cycle_lengths_follow_from_the_factors(feedback: Feedback) -> None:
    found = gf2.cycles(feedback.polynomial)
    assert sorted(found, reverse=True) == list(feedback.cycles)
    assert set(found.values()) == {1}
    assert sum(feedback.cycles) == NONZERO_STATES
    # odd lengths: bytes repeat after as many calls as states after steps
    assert all(length % 2 for length in feedback.cycles)


@pytest.mark.slow_cases("a3")
@pytest.mark.parametrize("name", FEEDBACKS)
def test_factor_degrees(name: str) -> None:
    degrees = [f.bit_length() - 1 for f in gf2.factors(FEEDBACKS[name].polynomial)]
    assert degrees == {"a3": [32], "c5": [5, 11, 16], "cf": [3, 13, 16]}[name]


def test_only_three_bytes_have_full_period_and_the_published_ones_have_not() -> None:
    full = {mask for mask in range(256) if _is_primitive(polynomial_of(mask))}
    assert full == {0xA3, 0xAF, 0xF5}
    assert {name for name, f in FEEDBACKS.items() if f.full_period} == {"a3"}
    assert DEFAULT_FEEDBACK.full_period


def _is_primitive(polynomial: int) -> bool:
    # x^k = 1 for k = 2^32-1 and for no proper divisor of it
    if gf2.power_of_x(NONZERO_STATES, polynomial) != 1:
        return False
    return all(
        gf2.power_of_x(NONZERO_STATES // p, polynomial) != 1 for p in gf2.primes(NONZERO_STATES)
    )


@pytest.mark.parametrize("name", ["c5", "cf"])
def test_short_cycles_by_walking_them(name: str) -> None:
    feedback = FEEDBACKS[name]
    parts = gf2.factors(feedback.polynomial)
    walked = {_cycle_length(feedback.short, feedback)}
    for kept in parts:
        # the states that p/f maps to are those with minimal polynomial f
        others = gf2.divide(feedback.polynomial, kept)[0]
        walked.add(_cycle_length(_apply(others, 1, feedback), feedback))
    # and one with the two small factors together
    walked.add(_cycle_length(_apply(parts[-1], 1, feedback), feedback))
    assert walked == set(feedback.cycles[3:])
    assert min(walked) == _cycle_length(feedback.short, feedback)


def _apply(polynomial: int, state: int, feedback: Feedback) -> int:
    """The polynomial of the step map, applied to a state."""
    total = 0
    while polynomial:
        if polynomial & 1:
            total ^= state
        state, polynomial = step(state, feedback), polynomial >> 1
    return total


def _cycle_length(start: int, feedback: Feedback) -> int:
    state, length = step(start, feedback), 1
    while state != start:
        state, length = step(state, feedback), length + 1
        assert length <= 100_000
    return length


def test_share_of_states_off_the_main_cycle() -> None:
    shares = {name: f"{float(f.off_main_cycle):.4f}" for name, f in FEEDBACKS.items()}
    assert shares == {"a3": "0.0000", "c5": "0.0317", "cf": "0.1251"}


def test_zero_never_changes() -> None:
    for feedback in FEEDBACKS.values():
        assert next_byte(0, feedback) == (0, 0)
