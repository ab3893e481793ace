"""Values that are forgotten: large ones, always in the same way, and none that must be known."""

from __future__ import annotations

from romproof.symbolic.execute.forget import Forgetting
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import OriginKind
from romproof.symbolic.terms.term import Term

A, B = t.var("a", 8), t.var("b", 8)
STRANGE = t.var("strange", 8)


def product(*terms: Term) -> Term:
    found = terms[0]
    for term in terms[1:]:
        found = t.mul(found, term)
    return found


def test_only_large_values_are_forgotten() -> None:
    forget = Forgetting(most=5, inputs={"a", "b"})
    small, large = product(A, B, A), product(A, B, A, B)
    assert forget(small) is small
    forgotten = forget(large)
    assert forgotten.op == "var"
    assert forgotten.name.kind is OriginKind.HAVOC
    assert forget(large) is forgotten
    assert forget(t.add(large, A)) is not forgotten


def test_an_unknown_value_is_within_the_same_bounds() -> None:
    value = t.concat(t.const(1, 2), t.extract(product(A, B, A, B), 0, 6))
    forgotten = Forgetting(most=5, inputs={"a", "b"})(value)
    assert forgotten.op == "var"
    assert (forgotten.low, forgotten.high) == (0x40, 0x7F)


def test_what_depends_on_something_else_is_kept() -> None:
    forget = Forgetting(most=5, inputs={"a", "b"})
    value = product(A, STRANGE, A, B)
    assert forget(value) is value
    inner = forget(product(A, B, A, B))
    assert forget(product(inner, A, inner, A)).op == "var"
