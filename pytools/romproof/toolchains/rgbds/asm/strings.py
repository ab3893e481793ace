"""Functions on strings (rgbasm(5), "String expressions").

Strings hold bytes, one in each character. "Characters" are those of UTF-8, "entries" the pieces
that the current charmap knows, or characters where it knows none. Indexes count from 0, or from -1
backwards; one out of range is warned about ([-Wbuiltin-args]) and the next best thing is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.utf8 import Character, Fault, characters

_ARGUMENT = "builtin-args"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_TO_UPPER = str.maketrans(_LOWER, _LOWER.upper())
_TO_LOWER = str.maketrans(_LOWER.upper(), _LOWER)


def upper(text: str) -> str:
    """STRUPR: ASCII letters only."""
    return text.translate(_TO_UPPER)


def lower(text: str) -> str:
    """STRLWR: ASCII letters only."""
    return text.translate(_TO_LOWER)


def compare(left: str, right: str) -> int:
    """STRCMP: -1, 0 or 1."""
    return (left > right) - (left < right)


def replace(text: str, old: str, new: str, report: Reporter) -> str:
    """STRRPL."""
    if not old:
        report.warning("empty-strrpl", "STRRPL: Cannot replace an empty string")
        return text
    return text.replace(old, new)


# -- bytes and characters --------------------------------------------------------------------


def byte(text: str, index: int, report: Reporter) -> int:
    """STRBYTE: the byte at ``index``; 0 where there is none."""
    index = _from_end(index, len(text), "STRBYTE", report)
    if index < len(text):
        return ord(text[index])
    report.warning(_ARGUMENT, f"STRBYTE: Index {index} is past the end of the string")
    return 0


def length(text: str, report: Reporter) -> int:
    """STRLEN: how many characters there are; broken ones are errors, and count."""
    split = list(characters(text))
    for character in split:
        _check_character(text, character, "STRLEN", report)
    return len(split)


def cut(text: str, start: int, stop: int | None, report: Reporter) -> str:
    """STRSLICE: the characters from ``start`` up to ``stop``, exclusive, or to the end."""
    name = "STRSLICE"
    split = list(characters(text))
    count = len(split)
    start = _from_end(start, count, name, report)
    stop = count if stop is None else _from_end(stop, count, name, report)
    past = f"{name}: Start index {start} is past the end of the string"
    _check_range(text, split, (start, stop), past, name, report)
    if stop > count:
        report.warning(_ARGUMENT, f"{name}: Stop index {stop} is past the end of the string")
    return "".join(text[one.start : one.end] for one in split[start:stop])


def cut_by_length(text: str, position: int, size: int | None, report: Reporter) -> str:
    """STRSUB, which is deprecated: ``size`` characters from ``position``, counted from 1."""
    name = "STRSUB"
    report.warning("obsolete", "`STRSUB` is deprecated; use 0-indexed `STRSLICE` instead")
    split = list(characters(text))
    count = len(split)
    position = _position_from_end(position, count, name, report)
    size = max(count + 1 - position, 0) if size is None else size
    start = position - 1
    past = f"{name}: Position {position} is past the end of the string"
    begin = _check_range(text, split, (start, start + size), past, name, report)
    if count - begin < size:
        report.warning(_ARGUMENT, f"{name}: Length too big: {size}")
    return "".join(text[one.start : one.end] for one in split[start : start + size])


def _check_range(
    text: str,
    split: list[Character],
    wanted: tuple[int, int],
    past_end: str,
    name: str,
    report: Reporter,
) -> int:
    """Report broken characters up to the end of a range, and a start (``past_end``) that is none.

    Gives the start, or where there would be one: at the end, before a character that is cut off.
    """
    start, stop = wanted
    whole = len(split) - bool(split and split[-1].fault is Fault.INCOMPLETE)
    for character in split[: min(start, whole)]:
        _check_character(text, character, name, report)
    if start > whole:
        report.warning(_ARGUMENT, past_end)
        start = whole
    for character in split[start : max(start, stop)]:
        _check_character(text, character, name, report)
    return start


def _check_character(text: str, character: Character, name: str, report: Reporter) -> None:
    if character.fault is Fault.INVALID:
        wrong = ord(text[character.end - 1])
        report.error(f"{name}: Invalid UTF-8 byte 0x{wrong:02X}")
    elif character.fault is Fault.INCOMPLETE:
        report.error(f"{name}: Incomplete UTF-8 character")


# -- entries of the charmap ------------------------------------------------------------------


def entries(text: str, charmaps: Charmaps) -> int:
    """CHARLEN: into how many entries the text falls."""
    count = at = 0
    while at < len(text):
        _, at = charmaps.convert_next(text, at)
        count += 1
    return count


def entry(text: str, index: int, report: Reporter, charmaps: Charmaps) -> str:
    """STRCHAR: the part of the text that is entry ``index``."""
    count = entries(text, charmaps)
    index = _from_end(index, count, "STRCHAR", report)
    part = _entry(text, index, charmaps)
    if not part:
        report.warning(_ARGUMENT, f"STRCHAR: Index {index} is past the end of the string")
    return part


def entry_by_position(text: str, position: int, report: Reporter, charmaps: Charmaps) -> str:
    """CHARSUB, which is deprecated: the same, counted from 1."""
    report.warning("obsolete", "`CHARSUB` is deprecated; use 0-indexed `STRCHAR` instead")
    count = entries(text, charmaps)
    position = _position_from_end(position, count, "CHARSUB", report)
    part = _entry(text, position - 1, charmaps)
    if not part:
        report.warning(_ARGUMENT, f"CHARSUB: Position {position} is past the end of the string")
    return part


def _entry(text: str, index: int, charmaps: Charmaps) -> str:
    start = 0
    for _ in range(index):
        if start >= len(text):
            break
        _, start = charmaps.convert_next(text, start)
    _, end = charmaps.convert_next(text, start)
    return text[start:end]


def compare_entries(left: str, right: str, charmaps: Charmaps) -> int:
    """CHARCMP: -1, 0 or 1, by the numbers the texts denote."""
    for one, other in zip_longest(_numbers(left, charmaps), _numbers(right, charmaps)):
        if one is None or other is None:
            return -1 if one is None else 1
        if one != other:
            return 1 if one > other else -1
    return 0


def _numbers(text: str, charmaps: Charmaps) -> Iterator[int]:
    """What a text denotes, converted as far as it is asked for: the rest is not warned of."""
    at = 0
    while at < len(text):
        output: list[int] = []
        _, at = charmaps.convert_next(text, at, output)
        yield from output


def entry_size(text: str, report: Reporter, charmaps: Charmaps) -> int:
    """CHARSIZE: how many numbers a text denotes."""
    size = charmaps.size(text)
    if size == 0:
        report.error(f'CHARSIZE: No character mapping for "{text}"')
    return size


def entry_value(text: str, report: Reporter, charmaps: Charmaps) -> int:
    """CHARVAL with one operand: the one number a text denotes."""
    size = charmaps.size(text)
    if size == 0:
        report.error(f'CHARVAL: No character mapping for "{text}"')
        return 0
    if size > 1:
        report.error(f'CHARVAL: Character mapping for "{text}" must have a single value')
        return 0
    return charmaps.value(text, 0) or 0


def entry_value_at(text: str, index: int, report: Reporter, charmaps: Charmaps) -> int:
    """CHARVAL with two operands: one of the numbers a text denotes."""
    size = charmaps.size(text)
    if size == 0:
        report.error(f'CHARVAL: No character mapping for "{text}"')
        return 0
    index = _from_end(index, size, "CHARVAL", report)
    value = charmaps.value(text, index)
    if value is None:
        report.warning(
            _ARGUMENT, f"CHARVAL: Index {index} is past the end of the character mapping"
        )
        return 0
    return value


def from_values(values: list[int], report: Reporter, charmaps: Charmaps) -> str:
    """REVCHAR: the one text that denotes ``values``."""
    text, unique = charmaps.reverse(values)
    if not unique:
        report.error("REVCHAR: Multiple character mappings to values")
    elif not text:
        report.error("REVCHAR: No character mapping to values")
    return text


# -- strings as numbers ----------------------------------------------------------------------


def character_number(text: str, report: Reporter, charmaps: Charmaps) -> int:
    """What a character literal is worth."""
    values = charmaps.convert(text)
    if len(values) == 1:
        return values[0]
    report.error("Character literals must be a single charmap unit")
    return 0


def string_number(text: str, report: Reporter, charmaps: Charmaps) -> int:
    """What a string is worth where a number is wanted, which is deprecated."""
    report.warning(
        "obsolete",
        "Treating strings as numbers is deprecated; use character literals or `CHARVAL` instead",
    )
    values = charmaps.convert(text)
    if len(values) == 1:
        return values[0]
    report.error("Strings as numbers must be a single charmap unit")
    return 0


def _from_end(index: int, count: int, name: str, report: Reporter) -> int:
    """An index from the beginning, 0 at least."""
    if index < 0:
        index += count
    if index < 0:
        report.warning(_ARGUMENT, f"{name}: Index starts at 0")
        return 0
    return index


def _position_from_end(position: int, count: int, name: str, report: Reporter) -> int:
    """The same for the functions that count from 1."""
    if position < 0:
        position += count + 1
    if position < 1:
        report.warning(_ARGUMENT, f"{name}: Position starts at 1")
        return 1
    return position
