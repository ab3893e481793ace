"""Directives by topic: each a function that reads what follows its word, and a row here.

It is given the parser, to read from, and the assembly, to fill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.toolchains.rgbds.asm.assembly import Assembly
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
from romproof.toolchains.rgbds.asm.values import ValueParser

Directive = Callable[[ValueParser, Assembly], None]

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
