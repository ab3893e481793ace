"""Character maps and the functions on strings, over bytes that need not be UTF-8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm import strings
from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.utf8 import Fault, characters

BYTES = st.text(st.characters(max_codepoint=255), max_size=12)
TEXT = st.text(max_size=8).filter(lambda text: all(not 0xD800 <= ord(c) < 0xE000 for c in text))


def reporter() -> Reporter:
    report = Reporter(Diagnostics())
    report.warnings.set("everything")
    return report


def messages(report: Reporter) -> list[str]:
    return [item.message for item in report.diagnostics.items]


def as_bytes(text: str) -> str:
    """A text as sources hold it: one character for each byte of its UTF-8."""
    return text.encode().decode("latin-1")


def test_the_longest_mapping_wins() -> None:
    maps = Charmaps(reporter())
    maps.add("a", [1])
    maps.add("abc", [2, 3])
    assert maps.convert("abcaba") == [2, 3, 1, ord("b"), 1]
    assert maps.convert_next("abx", 0) == (1, 1)
    assert (maps.size("abc"), maps.size("ab"), maps.value("abc", 1)) == (2, 0, 3)


def test_maps_are_copied_and_come_back() -> None:
    report = reporter()
    maps = Charmaps(report)
    maps.add("a", [1])
    maps.push()
    maps.new("copy", "main")
    maps.add("b", [2])
    assert maps.convert("ab") == [1, 2]
    maps.pop()
    assert maps.convert("ab") == [1, ord("b")]
    assert dict(maps.all()) == {"main": [("a", (1,))], "copy": [("a", (1,)), ("b", (2,))]}
    assert messages(report) == ["Unmapped character 'b'"]


def test_faults_of_maps() -> None:
    report = reporter()
    maps = Charmaps(report)
    maps.new("main")
    maps.new("other", "nothing")
    maps.set("nothing")
    maps.pop()
    maps.add("", [1])
    maps.push()
    maps.check_stack()
    assert messages(report) == [
        "Charmap `main` is already defined",
        "Undefined base charmap `nothing`",
        "Undefined charmap `nothing`",
        "No entries in the charmap stack",
        "Cannot map an empty string",
        "`PUSHC` without corresponding `POPC`",
    ]


def test_bytes_above_127_have_a_sign() -> None:
    # so DW writes $FFC3 $FFA9, as rgbasm does
    assert Charmaps(reporter()).convert(as_bytes("é")) == [0xC3 - 256, 0xA9 - 256]


def test_reverse() -> None:
    maps = Charmaps(reporter())
    maps.add("x", [1, 2])
    maps.add("y", [3])
    maps.add("z", [3])
    assert maps.reverse([1, 2]) == ("x", True)
    assert maps.reverse([3]) == ("", False)
    assert maps.reverse([9]) == ("", True)


@given(BYTES)
def test_characters_cover_the_text(text: str) -> None:
    found = list(characters(text))
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(one.fault is None for one in found) == _is_utf8(text)


def _is_utf8(text: str) -> bool:
    try:
        text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.slow
@given(TEXT, st.integers(-10, 10), st.integers(-10, 10))
def test_slices_are_pythons(text: str, start: int, stop: int) -> None:
    found = strings.cut(as_bytes(text), start, stop, reporter())
    size = len(text)
    first, last = (max(i + size, 0) if i < 0 else i for i in (start, stop))
    assert found == as_bytes(text[first:last])


@pytest.mark.slow
@given(TEXT)
def test_lengths(text: str) -> None:
    report = reporter()
    assert strings.length(as_bytes(text), report) == len(text)
    assert strings.entries(as_bytes(text), Charmaps(report)) == len(text)
    assert not report.errors


@pytest.mark.parametrize(
    ("text", "size", "fault"),
    [
        ("a\xffb", 3, "STRLEN: Invalid UTF-8 byte 0xFF"),
        ("\xc3", 1, "STRLEN: Incomplete UTF-8 character"),
        ("\xc3a", 1, "STRLEN: Invalid UTF-8 byte 0x61"),
        ("\xe0\x80\x80", 2, "STRLEN: Invalid UTF-8 byte 0x80"),
    ],
)
def test_broken_characters(text: str, size: int, fault: str) -> None:
    report = reporter()
    assert strings.length(text, report) == size
    assert messages(report)[0] == fault


def test_a_character_at_the_end_may_be_cut_off() -> None:
    assert [one.fault for one in characters("a\xe2\x82")] == [None, Fault.INCOMPLETE]


def test_indexes_out_of_range_are_warned_about() -> None:
    report = reporter()
    maps = Charmaps(report)
    assert strings.byte("abc", 3, report) == 0
    assert strings.byte("abc", -5, report) == ord("a")
    assert strings.cut("abc", 5, None, report) == ""
    assert strings.entry("abc", 3, report, maps) == ""
    assert strings.replace("abc", "", "x", report) == "abc"
    assert messages(report) == [
        "STRBYTE: Index 3 is past the end of the string",
        "STRBYTE: Index starts at 0",
        "STRSLICE: Start index 5 is past the end of the string",
        "STRCHAR: Index 3 is past the end of the string",
        "STRRPL: Cannot replace an empty string",
    ]
    assert not report.errors


def test_only_ascii_letters_change_case() -> None:
    assert strings.upper(as_bytes("aé")) == as_bytes("Aé")
    assert strings.lower(as_bytes("AÉ")) == as_bytes("aÉ")
