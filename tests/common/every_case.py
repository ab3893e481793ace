"""Many small cases in one test: for a test of its own each of them costs more than it does.

Used as ``pytest.mark.parametrize`` is. All cases are tried; what fails is told with its name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from slow import slow_but

SHOWN = 10
"""Failures that are shown in full; of the others the names are told."""
ALL, SOME, OTHERS = "all", "some", "others"
"""The cases that a test tries."""


def every_case(
    names: str,
    cases: Iterable[Any],
    ids: Callable[[Any], object] | Iterable[object] | None = None,
    some: int = 1,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test once for each of the ``cases``, in a single test.

    ``names`` are those of its arguments, with commas between them. ``ids`` name the cases: a
    function of the first value, or a name for each. Other arguments of the test are fixtures, or
    parametrized. Raises ValueError when there are no cases.

    ``some``: one of so many cases is tried by the test; the others by a second one, which is slow.
    """
    arguments = [name.strip() for name in names.split(",")]
    rows = [_values(case, len(arguments)) for case in cases]
    if not rows:
        raise ValueError(f"no cases for {names}")
    if ids is None or callable(ids):
        told = [_id(case) or (ids or repr)(row[0]) for case, row in zip(cases, rows, strict=True)]
    else:
        told = list(ids)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(part: str = ALL, **others: Any) -> None:
            failed: dict[str, Exception] = {}
            for number, (name, row) in enumerate(zip(told, rows, strict=True)):
                if part != ALL and (part == SOME) != (number % some == 0):
                    continue
                try:
                    check(**dict(zip(arguments, row, strict=True)), **others)
                except Exception as error:
                    error.add_note(f"in the case {name}")
                    failed[str(name)] = error
            if failed:
                which = f"{len(failed)} of {len(rows)} cases fail: {', '.join(failed)}"
                raise ExceptionGroup(which, list(failed.values())[:SHOWN])

        signature = inspect.signature(check)
        rest = [each for name, each in signature.parameters.items() if name not in arguments]
        test.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(test, name, getattr(check, name))
        test.__dict__.update(check.__dict__)  # marks
        if some == 1:
            return test
        part = inspect.Parameter("part", inspect.Parameter.KEYWORD_ONLY)
        test.__signature__ = signature.replace(parameters=[*rest, part])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("part", slow_but((SOME,), (SOME, OTHERS)))(test)

    return decorate


def _values(case: Any, count: int) -> tuple[Any, ...]:
    """The values of a case, which may be a ``pytest.param``."""
    if hasattr(case, "values") and hasattr(case, "marks"):
        assert not case.marks
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)


def _id(case: Any) -> str | None:
    return getattr(case, "id", None) if hasattr(case, "marks") else None
