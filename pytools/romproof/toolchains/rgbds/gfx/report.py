"""What rgbgfx says: errors and warnings with the words of the original, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from romproof.text.diagnostic import Severity
from romproof.text.errors import RomproofError
from romproof.toolchains.rgbds.obj.warnings import ALL, DEFAULT, EVERYTHING, WarningSettings

WARNINGS: Mapping[str, tuple[int, ...]] = {
    "embedded": (EVERYTHING,),
    "obsolete": (DEFAULT,),
    "trim-nonempty": (ALL,),
}
"""The warnings of rgbgfx(1), and from which group on each is on."""

MAX_MESSAGES = 1000
"""After this many errors the rest would only repeat them."""


class Aborted(RomproofError):
    """The conversion failed; the reasons are in the report."""


class PictureReport:
    """All messages so far; ``lines`` are pairs of a kind and a text.

    The kind is ``error``, ``warning`` or ``FATAL``, or "" for a line that belongs to the message
    before it.
    """

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.errors = 0
        self.settings = WarningSettings(WARNINGS)

    def note(self, text: str) -> None:
        """A line that goes with the message before it."""
        self.lines.append(("", text))

    def warn(self, text: str) -> None:
        """A warning that no option governs, not even ``-w``."""
        self.lines.append(("warning", text))

    def warning(self, name: str, text: str) -> None:
        """The warning ``-Wname``; it may be off, or an error."""
        severity = self.settings.severity(name)
        if severity is Severity.ERROR:
            self.error(f"{text} [-Werror={name}]")
        elif severity is not None:
            self.warn(f"{text} [-W{name}]")

    def error(self, text: str) -> None:
        """An error; the conversion goes on to look for more. Raises Aborted after very many."""
        self.lines.append(("error", text))
        self.errors += 1
        if self.errors >= MAX_MESSAGES:
            self.give_up()

    def fatal(self, text: str) -> NoReturn:
        """An error behind which nothing can be converted. Raises Aborted."""
        self.lines.append(("FATAL", text))
        self.errors += 1
        self.give_up()

    def give_up(self) -> NoReturn:
        """Raise Aborted."""
        raise Aborted(f"Conversion aborted after {self.errors} error{'s'[: self.errors != 1]}")

    def require_no_errors(self) -> None:
        """Raise Aborted if there was an error."""
        if self.errors:
            self.give_up()
