"""What is supposed of a routine, and how contracts write it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from romproof.contract.nouns.model import INTERRUPT, ROUTINE, CycleClaim, claim_text
from romproof.isa.abi import Abi
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.regions import MemorySpan, Regions
from romproof.prover.states.entry import register_name

WIDTH = 100
"""Columns of a line of a block."""

MAX_PARTS = 4
"""Parts of one variable that are listed one by one."""


@dataclass(frozen=True)
class Draft:
    """A contract in the making. Registers and flags are in it by the names of the microcode.

    ``reads`` is memory that is read before it is written, ``writes`` memory that is written and
    depends on the inputs only, ``scratch`` other memory that is written. ``tables`` is
    read-only data that is read with an index: what is required keeps the index within. ``loops``
    are fields that say what is known of loops: ``invariant``, ``decreases`` and ``assumes``, and
    what they leave, ``ensures``;
    ``counts`` are expressions of which the number of iterations depends, with their limits.
    ``areas`` are memory that pointers go through, which is one object whatever lies there.
    """

    inputs: frozenset[str] = frozenset()
    outputs: frozenset[str] = frozenset()
    clobbers: frozenset[str] = frozenset()
    reads: tuple[MemorySpan, ...] = ()
    writes: tuple[MemorySpan, ...] = ()
    scratch: tuple[MemorySpan, ...] = ()
    needs: tuple[Need, ...] = ()
    stack: int | None = None
    cycles: CycleClaim | None = None
    tables: tuple[MemorySpan, ...] = ()
    is_handler: bool = False
    loops: tuple[tuple[str, str], ...] = ()
    counts: tuple[Need, ...] = ()
    areas: tuple[MemorySpan, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of code it is."""
        return INTERRUPT if self.is_handler else ROUTINE

    def with_clobbers(self, names: Collection[str], memory: bool) -> Draft:
        """The same with some outputs (``memory``: and all memory) as clobbered."""
        moved = self.outputs & frozenset(names)
        return replace(
            self,
            outputs=self.outputs - moved,
            clobbers=self.clobbers | moved,
            writes=() if memory else self.writes,
            scratch=merge_spans([*self.scratch, *self.writes]) if memory else self.scratch,
        )

    def with_ensures(self, conditions: Iterable[str]) -> Draft:
        """The same with more that is ensured."""
        told = [text for name, text in self.loops if name == "ensures"]
        text = ", ".join([*told, *conditions])
        others = self.without_ensures()
        return replace(others, loops=(*others.loops, ("ensures", text))) if text else self

    def with_assumptions(self, changes: Iterable[str]) -> Draft:
        """The same with more that is assumed to change."""
        told = [text for name, text in self.loops if name == "assumes"]
        text = ", ".join(dict.fromkeys([*told, *changes]))
        others = tuple(each for each in self.loops if each[0] != "assumes")
        return replace(self, loops=(*others, ("assumes", text))) if text else self

    def without_ensures(self) -> Draft:
        """The same without all that is ensured."""
        return replace(self, loops=tuple(each for each in self.loops if each[0] != "ensures"))

    def with_reads_clobbered(self, arrays: Iterable[MemorySpan]) -> Draft:
        """The same with what of ``arrays`` is also read as clobbered: what each byte depends on is
        seldom to be proved of a loop that may read what it wrote."""
        both = merge_spans(
            MemorySpan(max(w.start, a.start), min(w.end, a.end))
            for w in self.writes
            for a in arrays
            if w.start < a.end
            and a.start < w.end
            and any(w.start < r.end and r.start < w.end for r in self.reads)
        )
        left = tuple(part for span in self.writes for part in span.subtract(both))
        return replace(self, writes=left, scratch=merge_spans([*self.scratch, *both]))


def merge_spans(spans: Iterable[MemorySpan]) -> tuple[MemorySpan, ...]:
    """The spans in order; those that overlap or touch are one."""
    joined: list[MemorySpan] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if joined and span.start <= joined[-1].end:
            joined[-1] = joined[-1].join(span)
        else:
            joined.append(span)
    return tuple(joined)


def fill_gaps(spans: Iterable[MemorySpan], regions: Regions) -> tuple[MemorySpan, ...]:
    """The spans, where many lie in one variable from the first to the last of them: every fourth
    byte of an array is nothing that people want to read one by one."""
    left = list(merge_spans(spans))
    by_variable: dict[MemorySpan, list[MemorySpan]] = {}
    for span in left:
        own = regions.symbol_at(span.start)
        if own is not None and own.covers(span):
            by_variable.setdefault(own, []).append(span)
    for inside in by_variable.values():
        if len(inside) > MAX_PARTS:
            left.append(inside[0].join(inside[-1]))
    return merge_spans(left)


def fields(draft: Draft, regions: Regions) -> list[str]:
    """The fields of a block, as lines of comments."""
    abi = regions.program.abi
    read = [*_names(draft.inputs, abi), *_memory(draft.reads, draft, regions)]
    written = [*_names(draft.outputs, abi), *_memory(draft.writes, draft, regions)]
    lost = [*_names(draft.clobbers, abi), *_memory(draft.scratch, draft, regions)]
    rows = [
        ("kind", INTERRUPT if draft.is_handler else ""),
        ("in", " ".join(read) or "none"),
        ("requires", ", ".join(map(str, draft.needs))),
        ("out", " ".join(written) or "none"),
        ("clobbers", " ".join(lost) or "none"),
        ("stack", "" if draft.stack is None else str(draft.stack)),
        ("cycles", "" if draft.cycles is None else claim_text(draft.cycles)),
        *draft.loops,
    ]
    return [line for name, value in rows if value for line in _wrap(name, value)]


def block(name: str, summary: str, draft: Draft, regions: Regions) -> str:
    """The whole block: ``;; name – summary`` and the fields."""
    return "\n".join([f";; {name} – {summary}", *fields(draft, regions)]) + "\n"


def spell(draft: Draft, regions: Regions) -> Draft:
    """The same with the bytes of requirements by their addresses where the contract lists only a
    part of their variable, in which they are not: ``name[9]`` would be no byte of ``name[4]``."""
    listed: dict[str, int] = {}
    for name, size in _items([*draft.reads, *draft.writes, *draft.scratch], draft, regions):
        listed[name] = max(listed.get(name, 0), size)
    return replace(draft, needs=tuple(_spell(need, listed, regions) for need in draft.needs))


def _spell(need: Need, listed: Mapping[str, int], regions: Regions) -> Need:
    text = need.text
    for address in filter(None, (name.address for name in need.names)):
        own = regions.symbol_at(address)
        name = None if own is None else regions.name(own.start)
        if own is None or name is None or address - own.start < listed.get(name, own.size):
            continue
        text = re.sub(
            rf"(?<![\w.]){re.escape(name)}\[{address - own.start}\]", _byte(address), text
        )
    return need if text == need.text else replace(need, text=text)


def _byte(address: int) -> str:
    return f"${address:04X}[0]"


def _wrap(name: str, value: str) -> Iterator[str]:
    begin = f"; {name}:".ljust(13)
    yield from textwrap.wrap(
        value,
        WIDTH,
        initial_indent=begin,
        subsequent_indent=";" + " " * 12,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _names(names: Collection[str], abi: Abi) -> Iterator[str]:
    """Registers and flags in the order of the CPU, those of a group together."""
    left = [item.name for item in abi.contents if register_name(abi, item) in names]
    groups = {g: members for g, members in abi.groups.items() if "A" not in members}
    whole = {g: m for g, m in groups.items() if set(m) <= set(left)}
    for name in left:
        group = next((g for g, members in whole.items() if name in members), None)
        if group is None:
            yield name
        elif whole[group][0] == name:
            yield group


def _memory(spans: Iterable[MemorySpan], draft: Draft, regions: Regions) -> Iterator[str]:
    return (f"{name}[{size}]" for name, size in _items(spans, draft, regions))


def _items(
    spans: Iterable[MemorySpan], draft: Draft, regions: Regions
) -> Iterator[tuple[str, int]]:
    """Memory as contracts list it: what each item is called, and its size."""
    for span in merge_spans(spans):
        at = span.start
        for area in draft.areas:
            first, end = max(at, area.start), min(span.end, area.end)
            if first < end:
                yield from _name(MemorySpan(at, first), regions)
                yield f"${first:04X}", end - first
                at = end
        yield from _name(MemorySpan(at, span.end), regions)


def _name(span: MemorySpan, regions: Regions) -> Iterator[tuple[str, int]]:
    if span.size:
        for part in regions.parts(span):
            yield memory_name(part.start, regions), part.size


def memory_name(address: int, regions: Regions) -> str:
    """What contracts call the memory from an address on."""
    return regions.name(address) or f"${address:04X}"
