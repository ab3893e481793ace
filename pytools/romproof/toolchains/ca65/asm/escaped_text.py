"""Strings with escapes of C. A module of its own, as mypyc compiles no class that is a str."""

from __future__ import annotations


class EscapedText(str):
    """A string's value, of which some characters are codes already: ``given`` says which, counted
    from 0."""

    given: frozenset[int]

    def __new__(cls, text: str, given: frozenset[int]) -> EscapedText:
        made = super().__new__(cls, text)
        made.given = given
        return made
