"""The cheap ``contextmanager`` does what that of the standard library does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from romproof.text import contexts

Blocks = list[str]


def _plain(seen: Blocks) -> Iterator[int]:
    seen.append("begin")
    try:
        yield 5
    finally:
        seen.append("end")


def _swallows(seen: Blocks) -> Iterator[int]:
    try:
        yield 6
    except ValueError:
        seen.append("swallowed")


def _replaces(seen: Blocks) -> Iterator[int]:
    try:
        yield 7
    except ValueError as fault:
        raise KeyError("other") from fault


def _twice(seen: Blocks) -> Iterator[int]:
    yield 1
    yield 2


def _again(seen: Blocks) -> Iterator[int]:
    try:
        yield 1
    except ValueError:
        yield 2


def _never(seen: Blocks) -> Iterator[int]:
    yield from ()


FUNCTIONS = (_plain, _swallows, _replaces, _twice, _again, _never)
RAISED = (
    None,
    ValueError("v"),
    KeyError("k"),
    StopIteration(3),
    RuntimeError("r"),
    KeyboardInterrupt(),
)


def _outcome(decorator: Callable[..., Any], function: Any, raised: BaseException | None) -> object:
    """What the block saw, and what came out of it, with what it came from."""
    seen: Blocks = []
    try:
        with decorator(function)(seen) as value:
            seen.append(str(value))
            if raised is not None:
                raised.__cause__ = raised.__context__ = None
                raise raised
        seen.append("after")
    except BaseException as fault:
        return seen, type(fault), str(fault), fault is raised, type(fault.__cause__)
    return seen


@pytest.mark.parametrize("raised", RAISED, ids=repr)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_the_original(function: Any, raised: BaseException | None) -> None:
    ours = _outcome(contexts.contextmanager, function, raised)
    assert ours == _outcome(contextlib.contextmanager, function, raised)


def test_it_is_called_as_the_function() -> None:
    made = contexts.contextmanager(_plain)
    assert (made.__name__, made.__doc__, made.__module__) == ("_plain", None, __name__)
    with made(seen=(seen := [])) as value:
        assert value == 5
    assert seen == ["begin", "end"]
