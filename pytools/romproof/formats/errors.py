"""What is wrong with a file that another program wrote."""

from __future__ import annotations

from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity
from romproof.text.errors import BadInput
from romproof.text.span import Span


class BadImage(BadInput):
    """An image of a program cannot be loaded."""


class BadSymbols(BuildFailed, BadInput):
    """A file with symbols or debug information cannot be read, or belongs to another image.

    ``span`` is where in that file, None for all of it; ``help`` what to do about it.
    """

    def __init__(self, message: str, span: Span | None = None, help: str | None = None) -> None:
        super().__init__([Diagnostic(Severity.ERROR, message, span, help)])


class SymbolWarning(UserWarning):
    """Something in the files of a program is strange, and it was loaded nevertheless."""
