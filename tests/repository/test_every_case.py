"""Many cases in one test: none is left out, and what fails is named."""

from __future__ import annotations

import inspect

import pytest
from every_case import every_case

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
