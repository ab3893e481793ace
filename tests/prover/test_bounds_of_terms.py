"""Cycles without what makes no difference: pages, and how long calls take within their limits."""

from __future__ import annotations

from itertools import product

import pytest

from romproof.prover.calls.costs import extreme
from romproof.prover.exploration.pages import drop_pages
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Terms, new_name, using
from romproof.symbolic.terms.origin import CYCLES, OriginKind, stem_of
from romproof.symbolic.terms.term import Term


def _value(term: Term, **values: int) -> int:
    return Model(values, {}).value(term)


def _crosses(page: Term, low: Term, more: int) -> Term:
    """Whether an address with an index is in the page of the address."""
    after = t.add(t.concat(page, low), t.const(more, page.width + low.width))
    return t.eq(t.extract(after, low.width, page.width), page)


@pytest.mark.parametrize("more", range(16))
def test_whether_a_page_is_left_is_asked_without_the_page(more: int) -> None:
    with using(Terms()):
        page, low = t.var("page", 2), t.var("low", 2)
        stays = _crosses(page, low, more)
        (plain,) = drop_pages([stays])
        for one, other in product(range(4), range(4)):
            assert _value(plain, page=one, low=other) == _value(stays, page=one, low=other)
        assert page not in t.variables([plain])


def test_other_questions_on_pages_stay_as_they_are() -> None:
    with using(Terms()):
        page, low, other = t.var("page", 2), t.var("low", 2), t.var("other", 2)
        after = t.extract(t.add(t.concat(page, low), t.zext(other, 4)), 2, 2)
        for question in (t.eq(after, other), t.eq(t.extract(after, 0, 1), t.extract(page, 0, 1))):
            (plain,) = drop_pages([question])
            for values in product(range(4), repeat=3):
                given = dict(zip(("page", "low", "other"), values, strict=True))
                assert _value(plain, **given) == _value(question, **given)


def _call(low: int, high: int) -> Term:
    return t.var(new_name(stem_of(OriginKind.CALL, CYCLES)), 32, low, high)


def test_calls_take_their_least_and_their_most() -> None:
    with using(Terms()):
        one, other, flag = _call(10, 20), _call(3, 5), t.var("flag", 1)
        twice = t.add(t.add(one, one), t.add(other, t.const(7, 32)))
        chosen = t.add(t.ite(flag, one, t.const(100, 32)), t.const(1, 32))
        for sign, sums, flagged in ((1, 52, 21), (-1, 30, 11)):
            total, either = extreme(twice, sign), extreme(chosen, sign)
            assert total is not None
            assert either is not None
            assert _value(total) == sums
            assert [_value(either, flag=f) for f in (1, 0)] == [flagged, 101]
        assert extreme(flag, 1) is flag


def test_of_one_call_all_times_are_tried() -> None:
    with using(Terms()):
        call = _call(0x3BB06, 0x3C385)
        # the call and 8 more, as parts: its highest bits stay what they are
        low, high = t.extract(call, 0, 3), t.add(t.extract(call, 3, 12), t.const(1, 12))
        parts = t.concat(t.const(7, 3), high, low)
        less = t.sub(t.const(0x40000, 32), call)
        asked = t.ite(t.eq(call, t.const(0x3BB07, 32)), t.const(1, 32), t.const(2, 32))
        for term, most, least in ((parts, 0x3C38D, 0x3BB0E), (less, 0x44FA, 0x3C7B), (asked, 2, 1)):
            for sign, wanted in ((1, most), (-1, least)):
                found = extreme(term, sign)
                assert found is not None
                assert found.is_const
                assert found.number == wanted


def test_what_does_not_grow_with_a_call_has_no_extreme() -> None:
    with using(Terms()):
        call, long, flag = _call(10, 20), _call(10, 1 << 20), t.var("flag", 1)
        less = t.sub(t.zext(flag, 32), call)
        asked = t.ite(t.eq(call, t.const(12, 32)), t.zext(flag, 32), t.const(2, 32))
        for term in (less, asked, t.sub(t.const(1 << 21, 32), long)):
            for sign in (1, -1):
                assert extreme(term, sign) is None


def test_of_two_calls_all_times_of_both_are_tried() -> None:
    with using(Terms()):
        call, other = _call(10, 20), _call(3, 5)
        less = t.sub(t.add(call, t.const(100, 32)), other)
        asked = t.ite(t.eq(call, t.const(12, 32)), t.sub(t.const(9, 32), other), t.const(2, 32))
        for term, most, least in ((less, 117, 105), (asked, 6, 2)):
            for sign, wanted in ((1, most), (-1, least)):
                found = extreme(term, sign)
                assert found is not None
                assert found.number == wanted
