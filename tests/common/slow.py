"""What is left to ``make test-slow``: ``make test`` tries some cases of each kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def slow_but(
    quick: Collection[Any], cases: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow
) -> list[Any]:
    """The ``cases`` as parameters: those that are not among the ``quick`` ones are marked.

    Raises ValueError where one of the ``quick`` ones is none of the cases.
    """
    rows = list(cases)
    for one in quick:
        if one not in rows:
            raise ValueError(f"{one!r} is none of the cases")
    return [
        pytest.param(
            *(row if isinstance(row, tuple) else (row,)), marks=() if row in quick else mark
        )
        for row in rows
    ]
