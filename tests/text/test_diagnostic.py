"""Diagnostics as people read them, and how they are collected."""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import (
    MAX_SHOWN,
    BuildFailed,
    Diagnostic,
    Diagnostics,
    Severity,
    TooManyErrors,
    render,
    suggest,
)
from romproof.text.span import Source, Span, Via

MAIN = Source("main.s", "first\n\tlda #300\nlast")


def test_a_message_shows_place_line_caret_and_help() -> None:
    span = Span(MAIN, 2, 7, 3)
    text = render(Diagnostic(Severity.ERROR, "too large", span, "use '<'"))
    assert text.splitlines() == [
        "main.s:2:7: error: too large",
        "    2 | \tlda #300",
        "      | \t     ^^^",
        "  help: use '<'",
    ]


def test_the_caret_stays_inside_the_line() -> None:
    text = render(Diagnostic(Severity.ERROR, "odd", Span(MAIN, 1, 4, 99)))
    assert text.splitlines()[-1] == "      |    ^^"


def test_a_message_tells_how_the_text_came_there() -> None:
    included = Source("lib.inc", "inner\n", Via("included", Span(MAIN, 1, 1)))
    via = Via("in macro 'add', used", Span(included, 1, 1))
    text = render(Diagnostic(Severity.WARNING, "odd", Span(MAIN, 3, 1, 4, via)))
    assert "  in macro 'add', used at lib.inc:1:1\n  included at main.s:1:1" in text


def test_long_chains_are_cut() -> None:
    via: Via | None = None
    for _ in range(20):
        via = Via("in macro 'm', used", Span(MAIN, 1, 1, 1, via))
    text = render(Diagnostic(Severity.ERROR, "deep", Span(MAIN, 1, 1, 1, via)))
    assert text.count("in macro") == 8
    assert "… and 12 more" in text


def test_notes_show_their_own_line() -> None:
    note = ("the first definition is", Span(MAIN, 1, 1, 5))
    text = render(Diagnostic(Severity.ERROR, "twice", Span(MAIN, 3, 1), notes=(note,)))
    assert "  note: the first definition is at main.s:1:1\n    1 | first\n      | ^^^^^" in text


def test_colour_is_only_added_on_request() -> None:
    diagnostic = Diagnostic(Severity.ERROR, "bad")
    assert render(diagnostic) == "error: bad"
    assert "\x1b[1;31merror\x1b[0m" in render(diagnostic, colour=True)


def test_the_same_error_at_the_same_place_is_kept_once() -> None:
    found = Diagnostics()
    for _ in range(3):
        found.error("bad", Span(MAIN, 1, 1))
    found.error("bad", Span(MAIN, 2, 1))
    assert found.errors == 2
    with pytest.raises(BuildFailed, match=r"main\.s:1:1: error: bad") as failure:
        found.raise_if_failed()
    assert len(failure.value.diagnostics) == 2


def test_warnings_do_not_fail_a_build() -> None:
    found = Diagnostics()
    found.warning("hm")
    found.raise_if_failed()
    assert [d.severity for d in found.items] == [Severity.WARNING]


def test_a_full_collector_gives_up() -> None:
    found = Diagnostics(limit=2)
    found.error("one")
    with pytest.raises(TooManyErrors):
        found.error("two")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("lad", "did you mean 'lda'?"),
        ("shuflfe", "did you mean 'shuffle'?"),
        ("Deck", "did you mean 'deck'?"),
        ("zzz", None),
    ],
)
def test_suggestions(name: str, hint: str | None) -> None:
    assert suggest(name, ["lda", "pla", "shuffle", "deck", "ldx"]) == hint


def test_a_source_cannot_give_orders_to_the_terminal() -> None:
    source = Source("main.s", "\tlda\x1b]0;t\x07 #1\x7f")
    text = render(Diagnostic(Severity.ERROR, "odd", Span(source, 1, 5)))
    assert text.splitlines()[1:] == ["    1 | \tlda␛]0;t␇ #1␡", "      | \t   ^"]


@pytest.mark.parametrize("column", [1, 50, 500, 999, 1000])
def test_of_a_long_line_the_part_around_the_place_is_shown(column: int) -> None:
    line = "".join(chr(ord("a") + number % 26) for number in range(1000))
    shown, caret = render(
        Diagnostic(Severity.ERROR, "odd", Span(Source("main.s", line), 1, column))
    ).splitlines()[1:]
    assert len(shown) <= len("    1 | ") + MAX_SHOWN + 2
    assert shown[caret.index("^")] == line[column - 1]
    assert shown.startswith("    1 | …") is (column > 81)
    assert shown.endswith("…") is (column < 840)


def test_a_long_token_ends_where_the_line_is_cut() -> None:
    span = Span(Source("main.s", "x" * 1000), 1, 1, 1000)
    shown, caret = render(Diagnostic(Severity.ERROR, "odd", span)).splitlines()[1:]
    assert (shown.count("x"), caret.count("^")) == (MAX_SHOWN, MAX_SHOWN)
