"""Directives by topic: each a function that reads what follows its word, and a row here.

It is given the parser, to read from, and the parts of the assembler that its topic needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from romproof.toolchains.rgbds.asm.directives import (
    charmap,
    control,
    data,
    files,
    messages,
    options,
    sections,
    symbols,
)
from romproof.toolchains.rgbds.asm.values import Values


class Parts(
    charmap.Parts,
    control.Parts,
    data.Parts,
    files.Parts,
    messages.Parts,
    options.Parts,
    sections.Parts,
    symbols.Parts,
    Protocol,
):
    """The parts of the assembler that directives of all topics need together."""


Directive = Callable[[Values, Parts], None]

CONTROL: Mapping[str, Directive] = control.LINES
"""Those that are alone at the start of a line, without a label, and end the line themselves."""

DATA: Mapping[str, Directive] = data.DIRECTIVES
"""Those of which several may be in a line, like instructions."""

DIRECTIVES: Mapping[str, Directive] = {
    **charmap.DIRECTIVES,
    **control.DIRECTIVES,
    **files.DIRECTIVES,
    **messages.DIRECTIVES,
    **options.DIRECTIVES,
    **sections.DIRECTIVES,
    **symbols.DIRECTIVES,
}
"""All others."""
