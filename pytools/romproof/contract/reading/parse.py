"""Header blocks become contracts; what cannot be right becomes a diagnostic.

    ;; draw – a random number 0..A, using as few flips as possible.
    ; in:        A zp lfsr[4] rng flips_left
    ; requires:  A <= 127, flips_left <= 8
    ; out:       A, lfsr[4] rng flips_left
    ; ensures:   A <= old A
    ; clobbers:  X N V Z C draw_highest draw_range draw_value
    ; stack:     4
    ; cycles:    39..         (entry to RTS inclusive)
    ; invariant: @widen: draw_highest == old A, draw_value < draw_range
    ; loops:     @widened 7
    ; secret:    lfsr rng

Items are registers (6502: A X Y S; SM83: A B C D E H L SP IME, pairs as AF BC DE HL), flags (N V D
I Z C; ZF NF HF CF, all of them as F) and memory: a symbol or a ``$`` address, with ``[size]`` in
bytes unless the symbol's size is known, and a word such as ``zp``, ``ram`` or ``hram`` before it
for the reader. ``volatile`` before it says that it is not memory but a port: each read brings a new
value, whatever was written. Commas or blanks part them. ``clobbers:`` may take over what other
routines change: ``as ROUTINE``, ``callees``, without what follows ``except``
(romproof.contract.reading.clobbers). ``none`` and ``-`` stand for nothing. Text in parentheses is
for the reader, and no other (romproof.contract.text.explained). A line indented more deeply than
its field continues it, unless it begins with a field's name and a colon. Other lines are prose. The
SM83's IME is 1 while interrupts are enabled, from the ``ei`` on that enables them; its addresses
$FF00..$FF7F are volatile anyway.

``requires:`` says what holds of the inputs at the entry, ``ensures:`` what holds after the return,
``old X`` being X at the entry; ``invariant:``, of which there may be several, what holds whenever
the code at a label comes next. ``ghost: n = A + X`` gives a name to a number at the entry
(romproof.contract.reading.ghosts), ``pointer: HL -> src[64]`` one to the block that begins where a
pointer of the entry leads (romproof.contract.reading.pointers). ``decreases:`` goes with an
invariant: a natural number there, such as ``@step: X``, that is smaller at each visit until the
innermost loop around that place is left, so that the loop ends. Conditions are parted by commas;
their language is that of romproof.contract.reading.expr_parse, and predicates give names to them
(romproof.contract.text.definitions). ``loops:`` says how often the code at a label is executed, at
most or MIN..MAX times, each time its loop is entered. ``secret:`` lists inputs that no branch and
no address depends on. ``cycles: 38 constant`` takes as long whatever the inputs are. The 6502's D
is clear unless ``in:`` lists it. ``assumes: PORT changes`` is what a loop that waits for a port
needs to end: reading it again and again brings every value; ``assumes: VARIABLE changes by
HANDLER`` the same for a byte that an interrupt writes. ``kind: interrupt`` is for handlers: an
interrupt enters them, and ``rti`` or ``reti`` ends them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from romproof.contract.names.names import ScopeNames
from romproof.contract.names.resolve import Resolver
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.apart import separations
from romproof.contract.reading.assumes import read_changes
from romproof.contract.reading.clauses import Clauses
from romproof.contract.reading.clobbers import Clobbers
from romproof.contract.reading.fields import fields_of
from romproof.contract.reading.lists import ListReader
from romproof.contract.reading.pointers import Pointers, check_names, check_use, read_blocks
from romproof.contract.reading.predicates import predicates_of
from romproof.contract.text.blocks import FieldText, HeaderBlock, find_block
from romproof.contract.text.scope import Predicate
from romproof.formats.contracts import FIELDS
from romproof.program.image import Image, Symbol
from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, TooManyErrors


@dataclass(frozen=True, slots=True)
class ReadContracts:
    """The contracts of a program: those that can be checked, and of the malformed ones what is
    wrong with each; both by the routine's name.

    ``comments`` are in the same form what only looks like a contract, in a program without any that
    is meant as one: other people have comments with ``;;`` and ``In:``, too.
    """

    contracts: Mapping[str, Contract]
    malformed: Mapping[str, tuple[Diagnostic, ...]]
    comments: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @property
    def any_meant(self) -> bool:
        """Whether somebody wrote contracts for this program."""
        return bool(self.contracts or self.malformed)


class Shared:
    """What the contracts of a program have in common: predicates, and lists that are taken over.

    Faults go to ``diagnostics``, those of predicates when the first contract asks for them: without
    any contract, comments that look like predicates are not of this language.
    """

    def __init__(self, image: Image, diagnostics: Diagnostics) -> None:
        self._image = image
        self._diagnostics = diagnostics

    @cached_property
    def predicates(self) -> Mapping[str, Predicate]:
        """The predicates by name."""
        return predicates_of(self._image, self._diagnostics)

    @cached_property
    def clobbers(self) -> Clobbers:
        """What reads ``clobbers:``."""
        return Clobbers(self._image, self._diagnostics)


_known: WeakKeyDictionary[Image, ReadContracts] = WeakKeyDictionary()
"""What was read of programs that are still there: many machines may have the same one."""


def parse_contracts(image: Image) -> dict[str, Contract]:
    """The contracts of all public routines, by the routine's name.

    A public routine is an exported label with a header block that has at
    least one of the fields. Raises BuildFailed with every malformed contract, and
    every malformed predicate where there is a contract; in a program in which nothing is meant as
    a contract, what looks like one is a comment (ReadContracts).
    """
    try:
        return _all_at_once(image)
    except BuildFailed:
        if read_contracts(image).any_meant:
            raise
        return {}


def _all_at_once(image: Image) -> dict[str, Contract]:
    """The contracts of all public routines. Raises BuildFailed."""
    diagnostics = Diagnostics()
    shared = Shared(image, diagnostics)
    contracts: dict[str, Contract] = {}
    with suppress(TooManyErrors):
        for symbol in _public(image):
            if symbol.name not in contracts:
                contract = parse_contract(symbol, image, diagnostics, shared)
                if contract is not None:
                    contracts[symbol.name] = contract
    diagnostics.raise_if_failed()
    return contracts


def read_contracts(image: Image) -> ReadContracts:
    """The contracts of all public routines, each read on its own: a mistake in one leaves the
    others as they are.

    What is wrong with a list that a contract takes over, or with a predicate that it uses, is
    wrong with this contract as well.
    """
    known = _known.get(image)
    if known is None:
        try:
            known = ReadContracts(_all_at_once(image), {})
        except BuildFailed:
            known = _each_on_its_own(image)
        _known[image] = known
    return known


def _each_on_its_own(image: Image) -> ReadContracts:
    """The contracts of a program with malformed ones: which they are matters now."""
    in_predicates = Diagnostics()
    predicates: Mapping[str, Predicate] = {}
    with suppress(TooManyErrors):
        predicates = predicates_of(image, in_predicates)
    contracts: dict[str, Contract] = {}
    malformed: dict[str, tuple[Diagnostic, ...]] = {}
    is_meant = False
    for symbol in _public(image):
        if symbol.name in contracts or symbol.name in malformed:
            continue
        diagnostics = Diagnostics()
        shared = Shared(image, diagnostics)
        used = shared.predicates = _Used(predicates)
        contract = None
        with suppress(TooManyErrors):
            contract = parse_contract(symbol, image, diagnostics, shared)
        findings = (*(in_predicates.items if used.faulty else ()), *diagnostics.items)
        if diagnostics.errors or used.faulty:
            malformed[symbol.name] = findings
            is_meant = is_meant or _is_meant(symbol, image)
        elif contract is not None:
            contracts[symbol.name] = contract
    if contracts or is_meant:
        return ReadContracts(contracts, malformed)
    return ReadContracts({}, {}, malformed)


def _is_meant(routine: Symbol, image: Image) -> bool:
    """Whether a malformed contract is meant as one: its title names the routine and says what it
    does; or has one of the two, and the name of a field is in lower case. What other people
    write is ``;;`` or a sentence above ``In: A = tile number``."""
    place = image.below_comment(routine)
    block = find_block(place) if place else None
    if block is None or not block.name:
        return False
    lower = any(
        field.span.text[field.span.col - 1 :].startswith(field.name)
        for field in block.fields
        if field.name in FIELDS
    )
    return (_is_named(block, routine) + bool(block.summary) + lower) >= 2


def _is_named(block: HeaderBlock, routine: Symbol) -> bool:
    return block.name in (routine.name, routine.name.rpartition("::")[2])


class _Used(dict[str, Predicate]):
    """Predicates, which remember whether a faulty one was asked for."""

    faulty = False

    def get(self, name: str, default: Any = None) -> Any:
        """The predicate ``name``."""
        predicate = super().get(name, default)
        self.faulty |= isinstance(predicate, Predicate) and predicate.faulty
        return predicate

    def __getitem__(self, name: str) -> Predicate:
        predicate = super().__getitem__(name)
        self.faulty |= predicate.faulty
        return predicate


def _public(image: Image) -> Iterator[Symbol]:
    """The labels that may have a contract."""
    return (symbol for symbol in image.symbols if symbol.exported and symbol.is_label)


def parse_contract(
    routine: Symbol, image: Image, diagnostics: Diagnostics, shared: Shared | None = None
) -> Contract | None:
    """The contract above ``routine``, or None when it has none; faults go to ``diagnostics``.

    ``shared`` is for all contracts of ``image`` that are read one after the other.
    """
    place = image.below_comment(routine)
    block = find_block(place) if place else None
    if block is None:
        return None
    fields = fields_of(block, diagnostics)
    if not fields:
        return None
    if not _is_named(block, routine):
        said = f"is for '{block.name}'" if block.name else "names none"
        diagnostics.error(
            f"the contract {said} but stands above '{routine.name}'",
            block.span,
            "the first line of a contract reads: ;; name – description",
        )
    shared = shared or Shared(image, diagnostics)
    one = {name: first for name, (first, *_) in fields.items()}
    names = ScopeNames(image, routine, diagnostics, shared.predicates)
    blocks = read_blocks(fields.get("pointer", ()), diagnostics)
    lists = ListReader(names, diagnostics, check_names(blocks, names, diagnostics))
    inputs = lists.items(one.get("in"))
    outputs = lists.items(one.get("out"))
    clobbers = shared.clobbers.items(one.get("clobbers"), routine, lists, outputs)
    declared = _memory((*inputs, *outputs, *clobbers))
    given = inputs if "in" in one else None
    secrets = _secrets(one.get("secret"), inputs, lists, diagnostics)
    resolver = Resolver(names, declared, given, diagnostics)
    pointers, sizes = Pointers(resolver, diagnostics).read(blocks, lists.pointed)
    clauses = Clauses(
        names,
        declared,
        given,
        diagnostics,
        fields.get("ghost", ()),
        {pointer.name: pointer for pointer in pointers},
    )
    cycles, constant = lists.cycles(one.get("cycles"))
    invariants = clauses.invariants(fields.get("invariant", ()))
    changes = read_changes(one.get("assumes"), inputs, lists, diagnostics)
    contract = Contract(
        name=routine.name,
        summary=block.summary,
        inputs=inputs,
        outputs=outputs,
        clobbers=clobbers,
        stack=lists.stack(one.get("stack")),
        cycles=cycles,
        span=block.span,
        places=tuple((name, field.span) for name, field in one.items()),
        requires=(*clauses.requires(one.get("requires")), *sizes),
        ensures=clauses.ensures(one.get("ensures")),
        invariants=invariants,
        assertions=clauses.assertions(fields.get("assert", ())),
        decreases=clauses.decreases(fields.get("decreases", ()), invariants),
        loops=clauses.loops(one.get("loops")),
        secrets=secrets,
        constant_cycles=constant,
        volatile=(*lists.volatile, *(each.memory for each in changes if not each.is_port)),
        kind=lists.kind(one.get("kind")),
        budget=lists.budget(one.get("budget")),
        changing=changes,
        pointers=pointers,
    )
    if not pointers:
        return contract
    check_use(contract, diagnostics)
    apart = tuple(separations(contract, names.abi, image))
    return replace(contract, requires=(*contract.requires, *apart))


def _memory(items: Iterable[Item]) -> dict[str, MemoryRange]:
    """The memory among ``items`` by its name, the largest of each."""
    largest: dict[str, MemoryRange] = {}
    for item in items:
        if isinstance(item, MemoryRange):
            other = largest.get(item.name, item)
            largest[item.name] = max(item, other, key=lambda memory: memory.size)
    return largest


def _secrets(
    field: FieldText | None, inputs: tuple[Item, ...], lists: ListReader, diagnostics: Diagnostics
) -> tuple[Item, ...]:
    """The inputs of ``secret:``."""
    sizes = {name: memory.size for name, memory in _memory(inputs).items()}
    secrets = lists.items(field, sizes)
    for item in secrets:
        if field is not None and not _is_among(item, inputs):
            name = item if isinstance(item, MemoryRange) else item.name
            diagnostics.error(
                f"the secret {name} is not an input", field.span, "list it under 'in:' as well"
            )
    return secrets


def _is_among(item: Item, inputs: tuple[Item, ...]) -> bool:
    if not isinstance(item, MemoryRange):
        return item in inputs
    listed = {a for i in inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    return listed.issuperset(item.addresses())
