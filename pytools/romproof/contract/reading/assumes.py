"""The field ``assumes:``: what a proof may take for granted of ports, ``assumes: JOY1 changes``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.reading.lists import ListReader, ListWord
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.explained import strip_explanations
from romproof.contract.text.fieldtext import FieldLines
from romproof.text.diagnostic import Diagnostics

_ENTRY = re.compile(r"\s*(?P<name>[^\s\[\],]+)(?:\[(?P<size>[^\]]*)\])?\s+changes\s*$")
_FORM = "write assumes: PORT changes; separate several with commas"


def changing(
    field: FieldText | None, inputs: Iterable[Item], lists: ListReader, diagnostics: Diagnostics
) -> tuple[MemoryRange, ...]:
    """The ports that are assumed to change: inputs, or bytes of a longer one, of which each read
    brings a new value."""
    if field is None:
        return ()
    known = {item.name: item for item in inputs if isinstance(item, MemoryRange)}
    listed = {address for item in known.values() for address in item.addresses()}
    ports = {address for item in lists.volatile for address in item.addresses()}
    ports |= {address for start, end in lists.abi.volatile for address in range(start, end)}
    text, made = FieldLines(strip_explanations(field, diagnostics)), list[MemoryRange]()
    start = 0
    for entry in text.whole.split(","):
        end = start + len(entry)
        at = text.span(start + len(entry) - len(entry.lstrip()), end)
        start = end + 1
        match = _ENTRY.match(entry)
        if match is None:
            diagnostics.error(f"'{entry.strip()}' cannot be assumed", at, _FORM)
            continue
        name = match["name"]
        port: Item | None = known.get(name) if match["size"] is None else None
        if port is None:
            port = next(iter(lists.listed([ListWord(name, match["size"], False, at)])), None)
            if port is None:
                continue  # what is wrong with the name was reported
        if not isinstance(port, MemoryRange) or not listed.issuperset(port.addresses()):
            help_ = f"a port is an input: in: volatile {name}[1]"
            diagnostics.error(f"'{name}' is not listed under 'in:'", at, help_)
        elif not ports.issuperset(port.addresses()):
            diagnostics.error(
                f"'{port.name}' is not a port: it keeps the values written to it",
                at,
                f"if it is a port, write in: volatile {port}",
            )
        else:
            made.append(port)
    return tuple(made)
