"""Directives by topic: each a function that reads what follows its word, and a row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser

Directive = Callable[["Parser"], None]

CONTROL: Mapping[str, Directive] = control.LINES
"""Those that stand alone at the start of a line, without a label, and end the line themselves."""

DATA: Mapping[str, Directive] = data.DIRECTIVES
"""Those of which several may stand in a line, like instructions."""

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
