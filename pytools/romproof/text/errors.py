"""The one root of all exceptions the toolkit raises on purpose."""

from __future__ import annotations


class RomproofError(Exception):
    """Something the user can act on; its text is shown without a traceback."""


class BadInput(RomproofError):
    """An argument, or the object that it names, cannot be used; the exit code is 2."""


class RomproofWarning(RomproofError, UserWarning):
    """Something suspicious that a program does; a test fails of it where warnings are errors."""


class MissingExtra(BadInput):
    """An optional package is needed and not installed; the message ends with the remedy."""
