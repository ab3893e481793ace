"""Format specs: what rgbasm 1.0.3 prints, and Python's formatting as a second opinion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm.format import FormatSpec, format_string
from romproof.toolchains.rgbds.asm.report import Reporter

WORDS = st.integers(0, (1 << 32) - 1)


def reporter() -> Reporter:
    return Reporter(Diagnostics())


def spec(text: str) -> FormatSpec:
    made, length = FormatSpec.parse(text)
    assert length == len(text)
    return made


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("5.3q8f", 98304, "384.000"),
        ("+d", 7, "+7"),
        ("#08x", 0x2A, "$000002a"),
        ("-6u", 5, "5     "),
        ("b", 5, "101"),
        ("o", 8, "10"),
        ("f", -98304, "-1.50000"),
        (" .2f", 147456, " 2.25"),
        ("u", -5, "4294967291"),
        ("d", -(1 << 31), "-2147483648"),
        ("#.3q4f", -5, "-0.312q4"),
        (".f", 294912, "4"),
        ("+#012X", 300, "+$000000012C"),
        ("+-8d", 3, "+3      "),
    ],
)
def test_numbers(text: str, value: int, shown: str) -> None:
    report = reporter()
    assert spec(text).number(value, report, 16) == shown
    assert report.errors == 0


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("s", "abc", "abc"),
        ("5s", "x", "    x"),
        ("-5s", "y", "y    "),
        ("#s", 'a\n"{', 'a\\n\\"\\{'),
    ],
)
def test_strings(text: str, value: str, shown: str) -> None:
    assert spec(text).string(value, reporter()) == shown


def test_without_a_spec() -> None:
    assert FormatSpec().number(42, reporter(), 16) == "$2A"
    assert FormatSpec().string("a", reporter()) == "a"
    assert not FormatSpec().is_valid


@pytest.mark.parametrize(
    ("text", "value", "message"),
    [
        ("#d", 1, "Formatting type 'd' with exact flag '#'"),
        (".2x", 1, "Formatting type 'x' with fractional width"),
        ("q4d", 1, "Formatting type 'd' with fractional precision"),
        ("s", 1, "Formatting number as type 's'"),
        (".300f", 1, "Fractional width 300 too long, limiting to 255"),
        ("q40f", 1, "Fixed-point constant precision 40 invalid, defaulting to 16"),
        ("99999d", 1, "Format width 99999 too long, limiting to 65535"),
        ("+s", "a", "Formatting string with sign flag '+'"),
        ("05s", "a", "Formatting string with padding flag '0'"),
        ("d", "a", "Formatting string as type 'd'"),
    ],
)
def test_what_does_not_fit(text: str, value: int | str, message: str) -> None:
    report = reporter()
    if isinstance(value, str):
        spec(text).string(value, report)
    else:
        spec(text).number(value, report, 16)
    assert message in [item.message for item in report.diagnostics.items]


@given(WORDS, st.sampled_from("dxXbo"), st.integers(0, 40), st.booleans())
def test_as_python_formats(value: int, kind: str, width: int, zero: bool) -> None:
    signed = value - (1 << 32) if kind == "d" and value >> 31 else value
    pattern = f"{'0' if zero else ''}{width or ''}{kind}"
    assert spec(pattern).number(value, reporter(), 16) == format(signed, pattern)


@given(st.text("%dxs05q.", max_size=12), st.lists(st.integers(0, 9) | st.just("a"), max_size=3))
def test_any_text_is_a_format_string(text: str, values: list[int | str]) -> None:
    report = reporter()
    shown = format_string(text, values, report, 16)
    assert report.errors or text.count("%") >= len(values)
    assert isinstance(shown, str)


def test_too_many_and_too_few_arguments() -> None:
    report = reporter()
    assert format_string("%d|%d", [1], report, 16) == "1|%"
    assert format_string("%d", [1, 2, 3], report, 16) == "1"
    assert format_string("100%", [], report, 16) == "100%"
    assert [item.message for item in report.diagnostics.items] == [
        "STRFMT: Not enough arguments for format spec (expected 2, got 1)",
        "STRFMT: 2 unformatted arguments",
        "STRFMT: Illegal '%' at end of format string",
    ]
