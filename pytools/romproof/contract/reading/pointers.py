"""``pointer: HL -> src[64]``: the block of bytes that begins where a pointer of the entry leads.

The pointer is a register pair or a word of memory, the block's name is listed like that of memory:
what is read under ``in:``, what is changed under ``out:`` or ``clobbers:``. Its size is a constant
or a number of the entry, ``src[C]`` or ``src[BC <= 512]``, which then is required as well. Where
blocks may lie is required, too (romproof.contract.reading.apart): of each it is said in words, and
it is checked at each call as all is that a contract requires.

Where a call's pointers are known, so is its block: ``place_blocks`` makes a contract
without pointers of it, which lists the block as memory at its place. Calls, and runs
that compare what was proved, are checked by that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from romproof.contract.names.evaluate import ConditionView, evaluate
from romproof.contract.names.limits import constant, limits
from romproof.contract.names.names import ScopeNames
from romproof.contract.names.resolve import Resolver
from romproof.contract.nouns.expr import (
    All,
    Binary,
    Comparison,
    Condition,
    Expression,
    Logic,
    MemoryByte,
    MemoryValue,
    Negative,
    Not,
    Number,
    Old,
    PairValue,
    PointedByte,
    Sum,
)
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.reading.expr_parse import ConditionParser
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.explained import strip_explanations
from romproof.contract.text.fieldtext import FieldLines, on_one_line
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Span

MAX = 0x8000
"""The most bytes of a block."""
WORD = 2
"""The bytes of a pointer in memory."""

_FORM = re.compile(
    r"\s*(?P<base>[^\s\[\]]+)\s*->\s*(?P<name>[A-Za-z_]\w*)\s*\[(?P<size>.*)\]\s*$", re.S
)
_HELP = "write e.g. ; pointer: HL -> src[64], or word -> src[C], src[BC <= 512]"


@dataclass(frozen=True, slots=True)
class PointerField:
    """A field with its parts, as far as it could be read: where they stand in ``text``."""

    name: str
    span: Span
    text: FieldLines
    base: tuple[int, int]
    size: tuple[int, int]


def read_blocks(fields: Iterable[FieldText], diagnostics: Diagnostics) -> dict[str, PointerField]:
    """The blocks that some fields name; faults go to ``diagnostics``."""
    made: dict[str, PointerField] = {}
    for field in fields:
        text = FieldLines(strip_explanations(field, diagnostics))
        match = _FORM.match(text.whole)
        if match is None:
            diagnostics.error("a pointer and its block cannot be read", field.span, _HELP)
            continue
        span = text.span(*match.span("name"))
        if match["name"] in made:
            diagnostics.error(f"two blocks have the name '{match['name']}'", span)
            continue
        made[match["name"]] = PointerField(
            match["name"], span, text, match.span("base"), match.span("size")
        )
    return made


def check_names(
    blocks: Mapping[str, PointerField], names: ScopeNames, diagnostics: Diagnostics
) -> tuple[str, ...]:
    """The names of the blocks; one that means something already is reported."""
    for block in blocks.values():
        meaning = names.find_meaning(block.name, block.span)
        if meaning is not None:
            diagnostics.error(
                f"'{block.name}' is {meaning}", block.span, "give the block another name"
            )
    return tuple(blocks)


class Pointers:
    """Reads the pointers of a contract; ``resolver`` knows the names at the entry."""

    def __init__(self, resolver: Resolver, diagnostics: Diagnostics) -> None:
        self._resolver = resolver
        self._diagnostics = diagnostics

    def read(
        self, blocks: Mapping[str, PointerField], listed: Mapping[str, set[str]]
    ) -> tuple[tuple[Pointer, ...], tuple[Condition, ...]]:
        """The pointers, and what their sizes require; ``listed`` are the fields that have each."""
        pointers: list[Pointer] = []
        conditions: list[Condition] = []
        for block in blocks.values():
            fields = frozenset(listed.get(block.name, ()))
            base = self._base(block)
            size = self._size(block)
            if base is None or size is None:
                continue
            count, most, condition = size
            if not fields - {"secret"}:
                self._diagnostics.error(
                    f"the block '{block.name}' is neither read nor changed",
                    block.span,
                    f"list {block.name} under 'in:', 'out:' or 'clobbers:'",
                )
                continue
            conditions += [] if condition is None else [condition]
            pointers.append(Pointer(block.name, base, count, most, fields, block.span))
        return tuple(pointers), tuple(conditions)

    def _base(self, block: PointerField) -> Expression | None:
        start, end = block.base
        name, span = block.text.whole[start:end], block.text.span(start, end)
        faults = self._diagnostics.errors
        base = self._resolver.value(name, span)
        if self._diagnostics.errors > faults:
            return None
        is_word = isinstance(base, MemoryValue) and base.memory.size == WORD
        if not is_word and not isinstance(base, PairValue):
            self._diagnostics.error(
                f"'{name}' is not a pointer",
                span,
                "a pointer is a register pair or a word of memory: two bytes that are listed "
                "under 'in:', the lower one first",
            )
            return None
        return base

    def _size(self, block: PointerField) -> tuple[Expression, int, Condition | None] | None:
        start, end = block.size
        size = block.text.whole[start:end]
        cut = size.find("<=")
        parts = [(start, end)] if cut < 0 else [(start, start + cut), (start + cut + 2, end)]
        read: list[Expression] = []
        for first, last in parts:
            parser = ConditionParser(
                block.text, self._resolver, self._diagnostics, start=first, end=last, has_old=False
            )
            number = parser.number(of_loop=False)
            if number is None:
                return None
            read.append(number[0])
        span, condition = block.text.span(start, end), None
        most: int | None = limits(read[0])[1]
        if len(read) > 1:
            most = constant(read[1])
            condition = Condition(Comparison("<=", read[0], read[1]), on_one_line(size), span)
        if most is None or not 0 < most <= MAX or limits(read[0])[0] < 0:
            self._diagnostics.error(
                f"a block of '{on_one_line(size)}' bytes",
                span,
                f"its size must not be negative, and needs a maximum of 1..{MAX}: write a "
                f"constant, a number of the entry such as C, or a number with its maximum, BC "
                f"<= {MAX}",
            )
            return None
        return read[0], most, condition


def check_use(contract: Contract, diagnostics: Diagnostics) -> None:
    """Report what contracts with pointers cannot say."""
    for pointer in contract.pointers:
        if not contract.says("in"):
            diagnostics.error(
                "a contract with a pointer must list its inputs",
                pointer.span,
                "list the pointer under 'in:', and the block if it is read",
            )
        elif not _is_given(pointer.base, contract):
            diagnostics.error(
                f"the pointer to '{pointer.name}' is not listed under 'in:'", pointer.span
            )
        if contract.kind == INTERRUPT:
            diagnostics.error(
                "an interrupt handler cannot have pointers: their targets would not be checked",
                pointer.span,
            )
        if "secret" in pointer.fields and "in" not in pointer.fields:
            diagnostics.error(
                f"the secret {pointer.name} is not an input",
                pointer.span,
                "list it under 'in:' as well",
            )


def _is_given(base: Expression, contract: Contract) -> bool:
    if isinstance(base, PairValue):
        return {base.high.name, base.low.name} <= contract.input_names
    assert isinstance(base, MemoryValue), "pointers are pairs or words"
    return contract.input_addresses.issuperset(base.memory.addresses())


_MAX_KNOWN = 256

BlockPlaces = tuple[tuple[int, int], ...]
"""Where each of a contract's blocks begins, and how many bytes it has."""


_known: dict[tuple[int, BlockPlaces], tuple[Contract, Contract]] = {}
"""By identity: each contract is held here, so no other has its."""


def places_of(contract: Contract, view: ConditionView) -> BlockPlaces:
    """Where the blocks are of a call that begins as ``view`` says."""
    return tuple(
        (int(evaluate(p.base, view)), int(evaluate(p.count, view))) for p in contract.pointers
    )


def at_entry(contract: Contract, view: ConditionView) -> Contract:
    """The contract of one call, which begins as ``view`` says and may be made."""
    return place_blocks(contract, places_of(contract, view)) if contract.pointers else contract


def place_blocks(contract: Contract, places: BlockPlaces) -> Contract:
    """The contract of calls whose blocks are at ``places``: memory like any other."""
    key = id(contract), places
    known = _known.get(key)
    if known is None:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        known = _known[key] = contract, _place(contract, places)
    return known[1]


def _place(contract: Contract, places: BlockPlaces) -> Contract:
    lists = {"in": contract.inputs, "out": contract.outputs, "clobbers": contract.clobbers}
    lists["secret"] = contract.secrets
    at = {
        pointer.name: MemoryRange(pointer.name, address, pointer.most)
        for pointer, (address, _) in zip(contract.pointers, places, strict=True)
    }
    requires = [replace(c, expression=_substitute(c.expression, at)) for c in contract.requires]
    for pointer, (address, size) in zip(contract.pointers, places, strict=True):
        block = MemoryRange(pointer.name, address, size)
        for field in lists if size else ():
            if field in pointer.fields:
                lists[field] = (*lists[field], block)
        for number, value in ((pointer.base, address), (pointer.count, size)):
            if not isinstance(number, Number):
                here = Comparison("==", number, Number(value))
                text = f"{pointer.name} is {size} bytes at ${address:04X}"
                requires.append(Condition(here, text, pointer.span))
    return replace(
        contract,
        inputs=lists["in"],
        outputs=lists["out"],
        clobbers=lists["clobbers"],
        secrets=lists["secret"],
        requires=tuple(requires),
        pointers=(),
    )


def _substitute(expression: Expression, at: Mapping[str, MemoryRange]) -> Expression:
    """An expression of the entry in which the bytes of blocks are those of memory ``at`` places."""
    match expression:
        case PointedByte():
            return MemoryByte(at[expression.name], _substitute(expression.index, at))
        case MemoryByte():
            return replace(expression, index=_substitute(expression.index, at))
        case Binary() | Comparison() | Logic():
            left, right = _substitute(expression.left, at), _substitute(expression.right, at)
            return replace(expression, left=left, right=right)
        case Negative() | Not() | Old():
            return replace(expression, inner=_substitute(expression.inner, at))
        case All() | Sum():
            return replace(expression, body=_substitute(expression.body, at))
    return expression


def drop_blocks(items: Iterable[Item], contract: Contract) -> tuple[Item, ...]:
    """Some items without those that stand for the blocks of a contract."""
    names = {pointer.name for pointer in contract.pointers}
    return tuple(i for i in items if not (isinstance(i, MemoryRange) and i.name in names))
