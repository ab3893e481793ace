"""What a wheel has of its patterns beforehand: the module that ``patterns.py`` looks for."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from typing import Any

from romproof.text.patterns import Translated, depends_on, made_of


def translated(patterns: Iterable[str | bytes]) -> str:
    """The source of the module with these patterns, for the Python that runs.

    One that this does not make as ``re`` does is left out: ``re`` is asked for it, then.
    """
    made = {text: translation_of(text) for text in patterns}
    equal = {text: code for text, code in made.items() if _is_right(text, code)}
    return f"MADE_FOR = {depends_on()!r}\nPATTERNS = {equal!r}\n"


def _is_right(text: str | bytes, code: Translated) -> bool:
    as_any: Any = text
    return bool(made_of(as_any, code) == re.compile(text))


def translation_of(text: str | bytes) -> Translated:
    """What ``re`` hands to ``_sre.compile``, of which it has no function for others."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(text, 0)
    state = parsed.state
    numbers: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        numbers[number] = name
    code = array("I", _compiler._code(parsed, 0)).tobytes()
    return int(state.flags), code, state.groups - 1, dict(state.groupdict), tuple(numbers)
