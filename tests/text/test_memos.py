"""What is kept once it is made, beside the standard library's."""

from __future__ import annotations

import functools
import types
from typing import Any

import pytest

from romproof.text import memos


@pytest.mark.parametrize("home", [functools, memos])
def test_a_function_is_called_once_for_each_argument(home: Any) -> None:
    calls: list[int] = []

    def double(number: int) -> int:
        """Twice the number."""
        calls.append(number)
        return 2 * number

    kept = home.cache(double)
    assert [kept(2), kept(3), kept(2), kept(number=2)] == [4, 6, 4, 4]
    assert calls == [2, 3, 2]
    assert (kept.__name__, kept.__doc__, kept.__wrapped__) == ("double", double.__doc__, double)
    assert kept.__qualname__ == double.__qualname__
    assert kept.__module__ == __name__
    assert tuple(kept.cache_info()) == (1, 3, None, 3)
    assert kept.cache_info().hits == 1
    assert kept.cache_parameters() == {"maxsize": None, "typed": False}
    kept.cache_clear()
    assert kept(3) == 6
    assert calls == [2, 3, 2, 3]


@pytest.mark.parametrize("home", [functools, memos])
def test_only_so_many_results_are_kept(home: Any) -> None:
    calls: list[int] = []

    @home.lru_cache(maxsize=2)
    def same(number: int) -> int:
        calls.append(number)
        return number

    for number in (1, 2, 1, 3, 1, 2):
        assert same(number) == number
    assert calls == [1, 2, 3, 2]


@pytest.mark.parametrize("home", [functools, memos])
def test_a_property_is_worked_out_once(home: Any) -> None:
    class Text:
        def __init__(self) -> None:
            self.asked = 0

        @home.cached_property
        def long(self) -> str:
            """A long text."""
            self.asked += 1
            return "x" * 3

    text = Text()
    assert (text.long, text.long, text.asked) == ("xxx", "xxx", 1)
    assert text.__dict__["long"] == "xxx"
    assert Text.long.__doc__ == "A long text."
    text.__dict__["long"] = "y"
    assert text.long == "y"
    assert Text().long == "xxx"


def test_a_mapping_that_nobody_changes_is_the_original() -> None:
    assert memos.MappingProxyType is types.MappingProxyType
