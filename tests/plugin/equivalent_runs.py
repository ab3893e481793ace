"""Running pytest on a user's test files, with the same random inputs each time."""

from __future__ import annotations

import re
from importlib.metadata import entry_points

import pytest
from hypothesis import settings

# pytester forgets what a run imports, and numpy can be imported once only
import romproof.pytest_plugin.proof
import romproof.pytest_plugin.sampling  # noqa: F401


def plugin() -> tuple[str, ...]:
    """Options for pytest where romproof is not installed."""
    return (
        () if entry_points(group="pytest11", name="romproof") else ("-p", "romproof.pytest_plugin")
    )


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run of pytest; it remembers no examples."""
    usual = settings.default
    settings.register_profile("equivalent", derandomize=True, database=None)
    settings.load_profile("equivalent")
    try:
        return pytester.runpytest_inprocess(*plugin(), "-p", "no:cacheprovider", *arguments)
    finally:
        settings.register_profile("usual", usual)
        settings.load_profile("usual")


def told(pytester: pytest.Pytester, *arguments: str) -> str:
    """What the one failing test of a run shows."""
    result = run(pytester, *arguments)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "Traceback" not in text
    assert "last call" not in text
    assert "/pytools/" not in text
    body = re.search(r"_{5,} \w+ _{5,}\n(.*?)\n=+ short test summary", text, re.DOTALL)
    assert body
    return body[1]


def pasted(text: str) -> str:
    """The test function that a failure shows."""
    return text.partition("a test that shows it:\n\n")[2] + "\n"
