"""Sources for RGBDS 0.5 and 0.6, read as those releases read them.

What they write otherwise than 1.0 is put in today's form, line by line, before anything else is
read: rgbasm-old(5) lists it. What they mean otherwise by the same words are the three options
that a dialect switches on: numbers of the release, a NOP behind HALT, LDH in place of LD.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

_NAME = r"(?:[A-Za-z_]|\{[^}\n]*\}|\\[0-9@])(?:[\w#@$.]|\{[^}\n]*\}|\\[0-9@])*"
_LINE = r"(?m)^"
_STATEMENT = r"(?im)^(?P<start>[ \t]+|[ \t]*[\w.@#$]+:+[ \t]*)"
_BLANKS = r"[ \t]+"
_Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rule(old: str, new: str | Callable[[re.Match[str]], str]) -> _Rewrite:
    return re.compile(old), new


_TO_0_9 = (
    _rule(_STATEMENT + r"ldio\b", r"\g<start>ldh"),
    _rule(_STATEMENT + r"ld(?=[ \t]+a[ \t]*,[ \t]*\[[ \t]*c[ \t]*\])", r"\g<start>ldh"),
    _rule(_STATEMENT + r"ld(?=[ \t]+\[[ \t]*c[ \t]*\][ \t]*,[ \t]*a\b)", r"\g<start>ldh"),
)
_TO_0_8 = (_rule(rf"{_LINE}({_NAME})[ \t]+(::?)", r"\1\2"),)
_TO_0_7 = (
    _rule(
        rf"{_LINE}(?!(?i:RE)?(?i:DEF)\b)({_NAME})[ \t]*"
        r"((?i:[ \t](?:EQUS?|R[BWL])\b)|=(?!=)|(?:[-+*/%&|^]|<<|>>)=)",
        r"DEF \1 \2",
    ),
)
_TO_0_6 = (
    _rule(rf"{_LINE}({_NAME})[ \t]*::?[ \t]*(?i:MACRO)\b", r"MACRO \1"),
    _rule(rf"{_LINE}({_NAME}):[ \t]+:", r"\1::"),
)
_TO_0_5 = (
    _rule(rf"{_LINE}(?:(?i:DEF){_BLANKS})?({_NAME}){_BLANKS}(?i:SET){_BLANKS}", r"DEF \1 = "),
    _rule(_STATEMENT + r"PRINT[TV]\b", r"\g<start>PRINT"),
    _rule(_STATEMENT + r"PRINTI[ \t]+([^;\n]+)", r'\g<start>PRINT STRFMT("%d", \2)'),
    _rule(_STATEMENT + r"PRINTF[ \t]+([^;\n]+)", r'\g<start>PRINT STRFMT("%f", \2)'),
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The language of a release; ``version`` is the last of its kind."""

    version: tuple[int, int, int]
    rewrites: tuple[_Rewrite, ...]

    def in_todays_form(self, text: str) -> str:
        """A source with what was written otherwise in today's form; lines stay where they are."""
        for pattern, new in self.rewrites:
            text = pattern.sub(new, text)
        return text

    @property
    def has_pi(self) -> bool:
        """Whether there is a symbol _PI."""
        return self.version < (0, 6, 0)


_SINCE_0_6 = (*_TO_0_6, *_TO_0_7, *_TO_0_8, *_TO_0_9)
DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "0.5": Dialect((0, 5, 2), (*_TO_0_5, *_SINCE_0_6)),
        "0.6": Dialect((0, 6, 1), _SINCE_0_6),
    }
)
"""By what ``--dialect`` calls them."""
