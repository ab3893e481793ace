"""Many cases in one test: none is left out, and what fails is named."""

from __future__ import annotations

import inspect

import pytest
from every_case import OTHERS, SOME, every_case
from slow import slow_but

SEEN: list[tuple[int, int]] = []


@every_case("first, second", [(1, 2), (3, 4), pytest.param(5, 6, id="last")])
def collected(first: int, second: int) -> None:
    SEEN.append((first, second))
    assert first == 1, "not one"


def test_all_cases_are_tried_and_those_that_fail_are_named() -> None:
    SEEN.clear()
    with pytest.raises(ExceptionGroup, match=r"2 of 3 cases fail: 3, last") as caught:
        collected()
    assert SEEN == [(1, 2), (3, 4), (5, 6)]
    notes = [error.__notes__ for error in caught.value.exceptions]
    assert notes == [["in the case 3"], ["in the case last"]]


def test_other_arguments_stay_arguments() -> None:
    @every_case("number", range(3), ids=lambda number: f"n{number}")
    def check(number: int, limit: int) -> None:
        """About numbers."""
        assert number < limit

    assert list(inspect.signature(check).parameters) == ["limit"]
    assert (check.__name__, check.__doc__) == ("check", "About numbers.")
    check(limit=3)
    with pytest.raises(ExceptionGroup, match="1 of 3 cases fail: n2"):
        check(limit=2)


def test_no_cases_are_no_test() -> None:
    with pytest.raises(ValueError, match="no cases for number"):
        every_case("number", [])


def test_some_are_tried_now_and_the_others_by_a_slow_test() -> None:
    tried: list[int] = []

    @every_case("number", range(7), some=3)
    def check(number: int) -> None:
        tried.append(number)

    (mark,) = check.pytestmark  # type: ignore[attr-defined]
    name, (some, others) = mark.args
    assert (name, some.values, some.marks) == ("part", (SOME,), ())
    assert (others.values, [each.name for each in others.marks]) == ((OTHERS,), ["slow"])
    check(part=SOME)
    assert tried == [0, 3, 6]
    check(part=OTHERS)
    assert sorted(tried) == list(range(7))


def test_what_is_not_quick_is_slow() -> None:
    one, two = slow_but(["b"], ["a", "b"])
    assert [each.name for each in one.marks] == ["slow"]
    assert not two.marks
    with pytest.raises(ValueError, match="'c' is none of the cases"):
        slow_but(["c"], ["a", "b"])
