"""What is wrong with a file that another program wrote."""

from __future__ import annotations

from romproof.text.errors import BadInput


class BadImage(BadInput):
    """An image of a program cannot be loaded."""


class BadSymbols(BadInput):
    """A file with symbols or debug information cannot be read, or belongs to another image."""
