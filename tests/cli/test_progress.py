"""Progress goes to standard error, and what a command answers to standard output."""

from __future__ import annotations

import sys

import pytest

from romproof import progress


@pytest.mark.parametrize("total", [None, 3])
def test_a_bar_leaves_the_answer_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], total: int | None
) -> None:
    """A terminal looks on at standard error only; rich would take standard output there as well."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    monkeypatch.setenv("TERM", "xterm")
    with progress("counting", total) as tick:
        for number in range(3):
            print(number)
            tick()
    told = capsys.readouterr()
    assert told.out == "0\n1\n2\n"
    assert "counting" in told.err


@pytest.mark.parametrize(("total", "told"), [(None, "x: 2\nx: 4\n"), (4, "x: 2 of 4\n")])
def test_without_a_terminal_there_are_lines(
    capsys: pytest.CaptureFixture[str], total: int | None, told: str
) -> None:
    with progress("x", total, every=2) as tick:
        for _ in range(4):
            tick()
    assert capsys.readouterr().err == told
