"""Enumerations of ours beside those of the standard library."""

from __future__ import annotations

import copy
import enum
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from romproof.program.address_size import AddressSize
from romproof.text import enums
from romproof.text.diagnostic import Severity


def colour(base: Any) -> Any:
    """An enumeration with another name of a member, and with methods."""

    class Colour(base):  # type: ignore[misc]
        """Three of them."""

        RED = "r"
        GREEN = "g"
        """The second."""
        SCARLET = "r"

        def twice(self) -> str:
            """Its letter, twice."""
            return str(self.value) * 2

        @property
        def loud(self) -> str:
            """Its name."""
            return str(self.name) + "!"

    return Colour


def size(base: Any) -> Any:
    """An enumeration of numbers."""

    class Size(base):  # type: ignore[misc]
        SMALL = 1
        LARGE = 3

    return Size


SAID: list[Callable[[Any], object]] = [
    lambda e: [member.name for member in e],
    lambda e: [member.value for member in e],
    lambda e: [member._name_ for member in e],
    lambda e: list(e.__members__),
    lambda e: len(e),
    lambda e: [repr(member) for member in e],
    lambda e: [str(member) for member in e],
    lambda e: [f"{member}" for member in e],
    lambda e: e.SCARLET is e.RED,
    lambda e: e("g") is e.GREEN,
    lambda e: e(e.GREEN) is e.GREEN,
    lambda e: e["GREEN"] is e.GREEN,
    lambda e: (e.RED == "r", e.RED != e.GREEN, e.RED is e.RED, e.RED in e),
    lambda e: {e.RED: 1, e.GREEN: 2, e.SCARLET: 3}[e.RED],
    lambda e: e.RED.twice() + e.GREEN.loud,
    lambda e: isinstance(e.RED, e),
    lambda e: bool(e.RED),
    lambda e: copy.copy(e.RED) is e.RED and copy.deepcopy([e.RED])[0] is e.RED,
]
OF_NUMBERS: list[Callable[[Any], object]] = [
    lambda e: [repr(member) for member in e],
    lambda e: [str(member) for member in e],
    lambda e: [f"{member:02X}" for member in e],
    lambda e: (e.SMALL + 1, e.LARGE > e.SMALL, max(e) is e.LARGE, e.SMALL == 1, e(3) is e.LARGE),
    lambda e: json.dumps([e.SMALL, {"a": e.LARGE}]),
    lambda e: {1: "one"}[e.SMALL],
    lambda e: bytes([e.LARGE]),
    lambda e: (isinstance(e.SMALL, int), list(range(5))[e.LARGE]),
]


@pytest.mark.parametrize("said", SAID)
def test_an_enumeration_is_like_the_original(said: Callable[[Any], object]) -> None:
    assert said(colour(enums.Enum)) == said(colour(enum.Enum))


@pytest.mark.parametrize("said", OF_NUMBERS)
def test_an_enumeration_of_numbers_is_like_the_original(said: Callable[[Any], object]) -> None:
    assert said(size(enums.IntEnum)) == said(size(enum.IntEnum))


@pytest.mark.parametrize("base", [enums.Enum, enum.Enum])
def test_what_is_no_member_is_refused(base: Any) -> None:
    made = colour(base)
    with pytest.raises(ValueError, match="is not a valid"):
        made("b")
    with pytest.raises(KeyError, match="BLUE"):
        made["BLUE"]


def test_members_are_pickled_as_themselves() -> None:
    for member in (Severity.NOTE, AddressSize.FAR):
        assert pickle.loads(pickle.dumps(member)) is member
