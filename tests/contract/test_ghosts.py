"""``ghost:`` in contracts: a name for ``old`` of a number."""

from __future__ import annotations

import pytest
from headers import contract_of, fault_of

from romproof.contract.nouns.expr import Comparison, Old
from romproof.text.diagnostic import BuildFailed

FIELDS = "; in: A X C word\n; clobbers: A\n; ghost: n = A + 2 * word\n"


@pytest.mark.parametrize(
    ("ghost", "plain"),
    [
        ("A == n", "A == old (A + 2 * word)"),
        ("A < n + 1", "A < old (A + 2 * word) + 1"),
        ("old n == A", "old (A + 2 * word) == A"),
        ("old (n + X) == A", "old (A + 2 * word + X) == A"),
        ("all n in 0..3: A > n", "all n in 0..3: A > n"),
    ],
)
def test_a_ghost_is_old_of_its_number(ghost: str, plain: str) -> None:
    (one,) = contract_of(f"{FIELDS}; ensures: {ghost}").ensures
    (other,) = contract_of(f"{FIELDS}; ensures: {plain}").ensures
    assert one.expression == other.expression
    assert one.text == ghost


def test_everything_after_the_entry_knows_it() -> None:
    contract = contract_of(
        f"{FIELDS}; ghost: c = C\n; ensures: c -> A == n\n; assert: @step_1: A <= n\n"
        "; invariant: @step: A == n\n; decreases: @step: n - A"
    )
    for one in (*contract.invariants, *contract.assertions):
        expression = one.conditions[0].expression
        assert isinstance(expression, Comparison)
        assert isinstance(expression.right, Old)
    assert contract.decreases[0].text == "n - A"


@pytest.mark.parametrize(
    "fields",
    [
        "; ghost: n\n",
        "; ghost: n == A\n",
        "; ghost: n = \n",
        "; ghost: n = old A\n",
        "; ghost: n = A, m = X\n",
        "; ghost: n = A < 3\n",
        "; ghost: n = m\n; ghost: m = A\n",
        "; ghost: m = A\n; ghost: n = m\n",
        "; ghost: n = A\n; ghost: n = X\n",
        "; ghost: A = X\n",
        "; ghost: word = X\n",
        "; ghost: local = X\n",
        "; ghost: SIZE = X\n",
        "; ghost: old = X\n",
        "; ghost: n = A\n; requires: X < n\n",
        "; ghost: n = A\n; ensures: n[0] == 1\n",
        "; ghost: n = A\n; ensures: &n == 1\n",
        "; ghost: n = A\n; loops: @step n\n",
    ],
)
def test_what_is_no_ghost(fields: str) -> None:
    with pytest.raises(BuildFailed):
        contract_of(f"; in: A X word\n; clobbers: A\n{fields}")


def test_a_taken_name_is_told_with_its_place() -> None:
    assert "'word' is a symbol in the program" in str(fault_of("; in: A word\n; ghost: word = A"))
