"""Contracts that stand in files of their own, for programs whose sources are not to be changed.

Such a file has comments as they stand above routines: ``;; name – what it does`` and the fields
below. What else is in it counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from romproof.formats.errors import BadSymbols
from romproof.program.image import Symbol
from romproof.text.diagnostic import suggest
from romproof.text.span import Source, Span

_TITLE = re.compile(r"\s*;;\s*(?P<name>[\w:@.$#]*[\w@.$#])\s*(?:[-‐‑‒–—―−:]+(?:\s.*)?)?$")
_PREDICATE = re.compile(r"\s*;;\s*predicate\b")
_COMMENT = re.compile(r"\s*;")
FIELDS = (
    "kind", "in", "pointer", "requires", "ghost", "out", "ensures", "clobbers", "stack", "cycles",
    "budget", "invariant", "assert", "decreases", "loops", "secret", "assumes",
)  # fmt: skip
"""What the lines of a contract begin with."""
_FIELD = re.compile(rf"\s*;\s*(?:{'|'.join(FIELDS)})\s*:", re.IGNORECASE)


def contract_places(source: Source, symbols: Sequence[Symbol]) -> Iterator[tuple[str, Span]]:
    """The routines that blocks of a file name, each with the place right below its block.

    Raises BadSymbols for a name that is no label, and where there is text, but no block at all.
    """
    labels = {symbol.name for symbol in symbols if symbol.is_label}
    any_there = False
    for name, at, below in _blocks(source):
        any_there = True
        if name not in labels:
            hint = suggest(name, labels) or "a block begins with the name of a label"
            raise BadSymbols(f"no label '{name}' in the image", at, hint)
        yield name, below
    if not any_there and source.text.strip() and "predicate" not in source.text:
        raise BadSymbols(
            f"{source.name}: this file has no contract",
            help="a contract begins with: ;; name – description",
        )


def _blocks(source: Source) -> Iterator[tuple[str, Span, Span]]:
    """The name of each block, where it stands, and the line after the block."""
    lines = source.lines
    number, in_title = 1, False
    while number <= len(lines):
        text = lines[number - 1]
        title = None if in_title or _PREDICATE.match(text) else _TITLE.match(text)
        in_title = text.lstrip().startswith(";;")
        if title is None or not in_title:
            number += 1
            continue
        end = number + 1
        marked = True
        while end <= len(lines) and _COMMENT.match(lines[end - 1]):
            now = lines[end - 1].lstrip().startswith(";;")
            if now and not marked and not _PREDICATE.match(lines[end - 1]):
                break  # the next block
            marked = now
            end += 1
        at = Span(source, number, title.start("name") + 1, len(title["name"]))
        if any(map(_FIELD.match, lines[number : end - 1])):  # else it is prose
            yield title["name"], at, Span(source, end, 1)
        number, in_title = end, False
