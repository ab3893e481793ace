"""``ghost: NAME = NUMBER``: a name for what a number is when the routine is entered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from romproof.contract.names.names import ScopeNames
from romproof.contract.names.resolve import Resolver
from romproof.contract.nouns.expr import Old
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.reading.expr_parse import ConditionParser
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.fieldtext import FieldLines
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

_NAMED = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)")


def ghosts_of(
    fields: Iterable[FieldText],
    names: ScopeNames,
    declared: Mapping[str, MemoryRange],
    blocks: Mapping[str, Pointer],
    diagnostics: Diagnostics,
) -> dict[str, Old]:
    """The ghosts that ``fields`` define, by name; faults go to ``diagnostics``.

    One is ``old`` of its number wherever its name stands, so it is checked and proved as that is.
    Its number knows no other ghost: names cannot grow by being put into each other.
    """
    made: dict[str, Old] = {}
    resolver = Resolver(names, declared, None, diagnostics, blocks=blocks)
    for field in fields:
        text = FieldLines(field)
        match = _NAMED.match(text.whole)
        if match is None:
            diagnostics.error(
                "a ghost is a name and its value at the entry",
                field.span,
                "write e.g. ; ghost: n = A + X",
            )
            continue
        name, span = match["name"], text.span(*match.span("name"))
        meaning = "another ghost" if name in made else _find_meaning(name, names, declared, span)
        meaning = "a block behind a pointer" if name in blocks else meaning
        if meaning is not None:
            diagnostics.error(f"'{name}' is {meaning}", span, "give the ghost another name")
            continue
        parser = ConditionParser(text, resolver, diagnostics, start=match.end(), has_old=False)
        read = parser.number(of_loop=False)
        if read is not None:
            made[name] = Old(read[0])
    return made


def _find_meaning(
    name: str, names: ScopeNames, declared: Mapping[str, MemoryRange], span: Span
) -> str | None:
    """What a name is already; None for a new one."""
    return "a symbol in the program" if name in declared else names.find_meaning(name, span)
