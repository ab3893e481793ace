"""What routines clobber, with what they take over from others:

    ; clobbers: as shanten
    ; clobbers: A X callees, tenhou_at tenhou_word
    ; clobbers: callees, hand_kind except X suits[40]

``as ROUTINE`` is all that this routine may change: its ``out:`` and its ``clobbers:``. ``callees``
is the same of each routine with a contract that the code reaches
(romproof.contract.reading.callees). What the contract itself has under ``out:`` or has listed
before is left out, and so is what follows ``except``, up to the end of the field. What comes out is
a list as if it had been written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from romproof.contract.names.names import ScopeNames
from romproof.contract.nouns.items import Item, MemoryRange, name_of
from romproof.contract.reading.callees import Undetermined, callees_of
from romproof.contract.reading.fields import fields_of
from romproof.contract.reading.lists import ListReader, ListWord, words_of
from romproof.contract.reading.pointers import read_blocks
from romproof.contract.text.blocks import FieldText, find_block
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Span

AS, CALLEES, EXCEPT = "as", "callees", "except"
MAX_NESTED = 60
"""How many lists may take over one another in a row."""

_WRITE_OUT = "list the places they change, or use the list of one routine: as ROUTINE"


@dataclass(frozen=True, slots=True)
class RoutineChanges:
    """What a routine may change, and which of it are ports."""

    items: tuple[Item, ...]
    volatile: tuple[MemoryRange, ...]


@dataclass(frozen=True, slots=True)
class _Sources:
    """``names`` are the routines behind ``as``; ``callees`` is that word, if it is written."""

    own: tuple[ListWord, ...]
    names: tuple[ListWord, ...]
    callees: ListWord | None
    excepted: tuple[ListWord, ...]


class Clobbers:
    """Reads the fields ``clobbers:`` of the program's contracts; faults go to ``diagnostics``."""

    def __init__(self, image: Image, diagnostics: Diagnostics) -> None:
        self._image = image
        self._diagnostics = diagnostics
        self._known: dict[tuple[str, str], RoutineChanges] = {}
        self._at_work: list[Symbol] = []
        self._contracts: dict[tuple[int, str | None], Symbol | None] = {}
        self._areas = {segment.name: segment.area for segment in image.segments}
        self._labels: dict[int, list[Symbol]] = {}
        for symbol in image.symbols:
            if symbol.is_label and symbol.span is not None:
                self._labels.setdefault(symbol.value, []).append(symbol)

    def items(
        self, field: FieldText | None, routine: Symbol, lists: ListReader, outputs: tuple[Item, ...]
    ) -> tuple[Item, ...]:
        """What ``clobbers:`` of a routine expands to; ``outputs`` is what it has under ``out:``."""
        if field is None:
            return ()
        words = list(words_of(field, self._diagnostics))
        sources = self._sources(words)
        if len(sources.own) == len(words):
            return lists.items(field)
        lists.field = field.name
        own = lists.read_items(sources.own, is_all=False)
        self._at_work.append(routine)
        try:
            taken = [
                *self._collect_named(sources, lists.names),
                *self._collect_called(sources, routine),
            ]
        finally:
            self._at_work.pop()
        but = lists.read_items(sources.excepted, is_all=False)
        others = _subtract([item for changes in taken for item in changes.items], but)
        self._check_excepted(sources, but, own, taken)
        items = list(own)
        for item in others:
            if not _is_covered(item, (*outputs, *items)):
                items.append(item)
        for port in dict.fromkeys(port for changes in taken for port in changes.volatile):
            if port in items and port not in lists.volatile:
                lists.volatile.append(port)
        return tuple(items)

    def _sources(self, words: Sequence[ListWord]) -> _Sources:
        """The words of a field, by what they are for."""
        own: list[ListWord] = []
        names: list[ListWord] = []
        excepted: list[ListWord] = []
        callees: ListWord | None = None
        into = own
        rest = iter(words)
        for word in rest:
            if word.size is not None or word.name not in (AS, CALLEES, EXCEPT):
                into.append(word)
            elif into is excepted:
                self._diagnostics.error(
                    f"'{word.name}' follows '{EXCEPT}', which ends the list",
                    word.span,
                    f"write '{EXCEPT}' and its items last",
                )
                if word.name == AS:
                    next(rest, None)
            elif word.name == EXCEPT:
                into = excepted
                if not names and callees is None:
                    self._diagnostics.error(
                        f"'{EXCEPT}' has no list before it to exclude items from",
                        word.span,
                        f"write it after '{AS} ROUTINE' or '{CALLEES}'",
                    )
            elif word.name == CALLEES:
                if callees is not None:
                    self._diagnostics.error(f"'{CALLEES}' is written twice", word.span)
                callees = word
            else:
                routine = next(rest, None)
                if routine is None or routine.name in (AS, CALLEES, EXCEPT, "?"):
                    self._diagnostics.error(
                        f"'{AS}' needs the name of a routine",
                        word.span,
                        "write for example: as hash_output",
                    )
                else:
                    names.append(routine)
        return _Sources(tuple(own), tuple(names), callees, tuple(excepted))

    def _collect_named(self, sources: _Sources, names: ScopeNames) -> Iterable[RoutineChanges]:
        """What the routines behind ``as`` change."""
        for word in sources.names:
            symbol = names.symbol(word.name, word.span)
            if symbol is None:
                continue
            if not self._has_contract(symbol):
                known = [s.name for some in self._labels.values() for s in some if s.exported]
                near = suggest(word.name, [n for n in known if n != word.name])
                self._diagnostics.error(
                    f"'{word.name}' has no contract whose list could be used",
                    word.span,
                    near
                    or "add a comment above it that begins with ;; and its name and lists "
                    "the places it changes",
                )
                continue
            yield self._changes(symbol, word.span)

    def _collect_called(self, sources: _Sources, routine: Symbol) -> Iterable[RoutineChanges]:
        """What the routines that are called change."""
        word = sources.callees
        if word is None:
            return
        if routine not in self._image.symbols:
            message = f"'{CALLEES}' has no meaning for a fragment of code"
            self._diagnostics.error(message, word.span, _WRITE_OUT)
            return
        try:
            callees = callees_of(self._image, routine, self._contract_at)
        except Undetermined as fault:
            line = self._image.line_at(fault.address)
            where = () if line is None else (("there", line.span),)
            place = "" if where else f", at {self._image.describe(fault.address)}"
            message = f"the callees of '{routine.name}' are not known: {fault.reason}{place}"
            self._diagnostics.error(message, word.span, _WRITE_OUT, where)
            return
        if not callees:
            message = f"'{routine.name}' calls no routine that has a contract"
            self._diagnostics.error(message, word.span, f"remove '{CALLEES}'")
        for callee in callees:
            yield self._changes(callee, word.span)

    def _changes(self, routine: Symbol, span: Span) -> RoutineChanges:
        """What a routine with a contract may change; taken over at ``span``."""
        key = (routine.name, routine.module)
        if routine in self._at_work:
            circle = [*self._at_work[self._at_work.index(routine) :], routine]
            self._diagnostics.error(
                f"'{routine.name}' uses its own list: {' → '.join(s.name for s in circle)}",
                span,
                "write the list of one of them out",
            )
            return RoutineChanges((), ())
        if len(self._at_work) > MAX_NESTED:
            message = f"more than {MAX_NESTED} lists use one another in a row"
            self._diagnostics.error(message, span, "write the list of one of them out")
            return RoutineChanges((), ())
        if key not in self._known:
            place = self._image.below_comment(routine)
            block = find_block(place) if place else None
            assert block is not None, "only routines with contracts are asked for"
            fields = fields_of(block, self._diagnostics)
            one = {name: first for name, (first, *_) in fields.items()}
            names = ScopeNames(self._image, routine, self._diagnostics)
            blocks = read_blocks(fields.get("pointer", ()), Diagnostics())
            lists = ListReader(names, self._diagnostics, blocks)
            outputs = lists.items(one.get("out"))
            clobbers = self.items(one.get("clobbers"), routine, lists, outputs)
            ports = tuple(port for port in lists.volatile if port in (*outputs, *clobbers))
            self._known[key] = RoutineChanges((*outputs, *clobbers), ports)
        return self._known[key]

    def _has_contract(self, symbol: Symbol) -> bool:
        """Whether a contract stands above a label, be it exported or not."""
        place = self._image.below_comment(symbol)
        block = find_block(place) if symbol.is_label and place else None
        if block is None or block.name not in (symbol.name, symbol.name.rpartition("::")[2]):
            return False
        return bool(fields_of(block, Diagnostics()))

    def _contract_at(self, address: int, area: str | None) -> Symbol | None:
        """The routine with a contract at an address in a memory area."""
        key = (address, area)
        if key not in self._contracts:
            here = [
                symbol
                for symbol in self._labels.get(address, ())
                if self._areas.get(symbol.segment or "", area) == area
                and self._has_contract(symbol)
            ]
            here.sort(key=lambda symbol: not symbol.exported)
            self._contracts[key] = here[0] if here else None
        return self._contracts[key]

    def _check_excepted(
        self,
        sources: _Sources,
        but: Sequence[Item],
        own: Sequence[Item],
        taken: Sequence[RoutineChanges],
    ) -> None:
        """What is left out must be there, whole, and not be listed all the same."""
        if not sources.excepted:
            return
        span = sources.excepted[0].span
        every = [item for changes in taken for item in changes.items]
        for item in but:
            if _overlaps(item, own):
                self._diagnostics.error(f"'{name_of(item)}' is both listed and excluded", span)
            elif taken and not _overlaps(item, every):
                self._diagnostics.error(
                    f"'{name_of(item)}' is excluded but not in the lists before '{EXCEPT}'", span
                )
        for item in dict.fromkeys(_subtract(every, but)):
            if _overlaps(item, but):
                self._diagnostics.error(
                    f"only a part of {name_of(item)} is excluded",
                    span,
                    "exclude all of it or nothing",
                )


def _subtract(items: Iterable[Item], but: Sequence[Item]) -> list[Item]:
    return [item for item in items if not _is_covered(item, but)]


def _is_covered(item: Item, others: Sequence[Item]) -> bool:
    """Whether an item is among others, memory with all of its bytes."""
    if not isinstance(item, MemoryRange):
        return item in others
    here = {a for one in others if isinstance(one, MemoryRange) for a in _intersect(item, one)}
    return len(here) == item.size


def _overlaps(item: Item, others: Sequence[Item]) -> bool:
    if not isinstance(item, MemoryRange):
        return item in others
    return any(_intersect(item, one) for one in others if isinstance(one, MemoryRange))


def _intersect(one: MemoryRange, other: MemoryRange) -> range:
    start = max(one.address, other.address)
    return range(start, max(start, min(one.address + one.size, other.address + other.size)))
