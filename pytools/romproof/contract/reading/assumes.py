"""The field ``assumes:``: what a proof may take for granted of memory that others write.

``assumes: JOY1 changes`` is about a port, ``assumes: frames changes by nmi_handler`` about a byte
that the handler of an interrupt writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from romproof.contract.nouns.changes import AssumedChange
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.reading.lists import ListReader, ListWord
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.explained import strip_explanations
from romproof.contract.text.fieldtext import FieldLines
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

_ENTRY = re.compile(
    r"\s*(?P<name>[^\s\[\],]+)(?:\[(?P<size>[^\]]*)\])?\s+changes(?:\s+by\s+(?P<handler>\S+))?\s*$"
)
_FORM = "write assumes: PORT changes, or assumes: VARIABLE changes by HANDLER"


def read_changes(
    field: FieldText | None, inputs: Iterable[Item], lists: ListReader, diagnostics: Diagnostics
) -> tuple[AssumedChange, ...]:
    """The memory that is assumed to change: inputs, or bytes of a longer one. A port changes with
    each read, other memory by interrupts."""
    if field is None:
        return ()
    known = {item.name: item for item in inputs if isinstance(item, MemoryRange)}
    listed = {address for item in known.values() for address in item.addresses()}
    ports = {address for item in lists.volatile for address in item.addresses()}
    ports |= {address for start, end in lists.abi.volatile for address in range(start, end)}
    changes: list[AssumedChange] = []
    for entry, span in _entries(field, diagnostics):
        match = _ENTRY.match(entry)
        if match is None:
            diagnostics.error(f"'{entry.strip()}' cannot be assumed", span, _FORM)
            continue
        name, handler = match["name"], match["handler"] or ""
        memory: Item | None = known.get(name) if match["size"] is None else None
        if memory is None:
            memory = next(
                iter(lists.read_items([ListWord(name, match["size"], False, span)])), None
            )
            if memory is None:
                continue  # what is wrong with the name was reported
        if not isinstance(memory, MemoryRange) or not listed.issuperset(memory.addresses()):
            help_ = f"a port is an input: in: volatile {name}[1]; so is a variable: in: {name}[1]"
            diagnostics.error(f"'{name}' is not listed under 'in:'", span, help_)
            continue
        is_port = not ports.isdisjoint(memory.addresses())
        change = AssumedChange(memory, is_port, handler)
        if _is_possible(change, ports, span, lists, diagnostics):
            changes.append(change)
    return tuple(changes)


def _entries(field: FieldText, diagnostics: Diagnostics) -> Iterator[tuple[str, Span]]:
    """The parts of the field between commas, each with its place."""
    text = FieldLines(strip_explanations(field, diagnostics))
    start = 0
    for entry in text.whole.split(","):
        end = start + len(entry)
        yield entry, text.span(start + len(entry) - len(entry.lstrip()), end)
        start = end + 1


def _is_possible(
    change: AssumedChange,
    ports: set[int],
    span: Span,
    lists: ListReader,
    diagnostics: Diagnostics,
) -> bool:
    """Whether this can be assumed of the memory; reports why not."""
    memory = change.memory
    if change.is_port:
        if change.handler:
            diagnostics.error(
                f"'{memory.name}' is a port, which no handler writes",
                span,
                f"remove 'by {change.handler}'",
            )
        elif not ports.issuperset(memory.addresses()):
            diagnostics.error(
                f"a part of '{memory.name}' is a port, and a part is not",
                span,
                "name the part that changes, with its size",
            )
        else:
            return True
        return False
    if memory.size != 1:
        diagnostics.error(
            f"'{memory.name}' has {memory.size} bytes; a loop waits for one byte of what an "
            "interrupt changes",
            span,
            f"write {memory.name}[1] for the first, or the name of the byte",
        )
        return False
    return not change.handler or lists.names.symbol(change.handler, span) is not None
