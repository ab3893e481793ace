"""A state as contracts see it: their conditions become terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import All, Condition, Expression
from romproof.isa.abi import Abi
from romproof.symbolic.execute.access import among
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt, bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import (
    ANY_PORT,
    ELSEWHERE,
    OriginKind,
    any_name,
    byte_name,
    stem_of,
)
from romproof.symbolic.terms.term import Term
from romproof.symbolic.terms.walk import in_order

MAX_PLACES = 1024
"""Addresses that are looked at one by one."""
MAX_KNOWN = 1200
"""Terms of a condition that is known of all values of its variables."""


@dataclass(frozen=True)
class StateView:
    """The registers and the memory of ``state``; ``entry`` is the state the routine began in."""

    abi: Abi
    state: State
    entry: State

    @property
    def old(self) -> StateView:
        """The same at the entry of the routine."""
        return StateView(self.abi, self.entry, self.entry)

    def register(self, name: str) -> Any:
        """A register, as a number."""
        return _number(self.state.get(name.lower()))

    def flag(self, name: str) -> Any:
        """A flag: 0 or 1."""
        return _number(self.state.get(name.lower()))

    def byte(self, address: Any) -> Any:
        """A byte of memory, at an address that may be a term. Of a port nothing is known."""
        memory = self.state.memory
        if isinstance(address, int):
            return _number(byte_at(memory, address & 0xFFFF))
        return _number(read_within(memory, bits(address, 16)))

    def data(self, address: int, size: int) -> list[Any]:
        """So many bytes from an address on."""
        return [self.byte(place) for place in range(address, address + size)]


def byte_at(memory: Memory, address: int) -> Term:
    """A byte of memory, by its own address: one without a name may belong to a block. What a port
    would bring is not known: not even that it is the same when it is asked for again."""
    if address in memory.layout.volatile:
        return t.var(new_name(stem_of(OriginKind.PORT, byte_name(address).location)), 8)
    if not memory.blocks or memory.is_named(address):
        return memory.byte(address)
    stands = memory.stands(memory.layout.object_at(address))
    return _in_blocks(memory, t.const(address, 16), None if stands else memory.byte(address))


def _in_blocks(memory: Memory, address: Term, elsewhere: Term | None) -> Term:
    """A byte of the block that an address belongs to, where there is one. Of others, if nobody says
    what they are, nothing is known: not even that they are the same when they are asked for again.
    """
    value = t.var(new_name(ELSEWHERE), 8) if elsewhere is None else elsewhere
    for block in memory.blocks:
        byte = t.load(memory.array(block.which), block.place(address))
        value = t.ite(block.covers(address), byte, value)
    return value


def read_within(memory: Memory, address: Term) -> Term:
    """The byte at an address that is not known; one that belongs to no object is 0. Where there are
    blocks, nothing is known of bytes outside of them that may be of several objects. Of ports
    nothing is known anyway."""
    if address.is_const:
        return byte_at(memory, address.number)
    block = memory.block_at(address)
    if block is not None:
        return t.load(memory.array(block.which), block.place(address))
    value = _memory_within(memory, address)
    ports = [a for a in memory.layout.volatile if address.low <= a <= address.high]
    if not ports:
        return value
    return t.ite(
        among(address, ports), t.var(new_name(stem_of(OriginKind.PORT, ANY_PORT)), 8), value
    )


def _memory_within(memory: Memory, address: Term) -> Term:
    """The same where it is no port."""
    if memory.blocks and address.high - address.low >= MAX_PLACES:
        return _in_blocks(memory, address, None)
    layout = memory.layout
    if layout.is_fixed[address.low] and not memory.blocks:
        run = layout.fixed_run(address.low)
        if address.high < run.stop:  # as code reads a table: one that is linear is an XOR
            return layout.fixed_byte(address, run)
    holder = layout.object_at(address.low)
    if holder is not None and holder in memory.indexed and address.high < holder.end:
        return t.load(memory.array(holder), address)
    if address.high - address.low >= MAX_PLACES:
        return _in_objects(memory, address)
    value = t.const(0, 8)
    for place in range(address.low, address.high + 1):
        value = t.ite(t.eq(address, t.const(place, 16)), byte_at(memory, place), value)
    return value


def _in_objects(memory: Memory, address: Term) -> Term:
    """The byte at an address that may be nearly anywhere: of what is in no object nothing is known,
    as where there are blocks."""
    value = t.var(new_name(ELSEWHERE), 8)
    for which in memory.layout.objects:
        if which.end <= address.low or which.address > address.high:
            continue
        if which in memory.indexed:
            offset = t.sub(address, t.const(which.address, 16))
            inside = t.ult(offset, t.const(which.size, 16))
            value = t.ite(inside, t.load(memory.array(which), address), value)
            continue
        for place in range(which.address, which.end):
            value = t.ite(t.eq(address, t.const(place, 16)), byte_at(memory, place), value)
    return value


def _number(term: Term) -> Any:
    return term.number if term.is_const else SymInt(term)


def number_of(expression: Expression, abi: Abi, state: State, entry: State) -> Any:
    """The value of an expression that is a number: an int or a SymInt."""
    return evaluate(expression, StateView(abi, state, entry), {})


def term_of(condition: Condition, abi: Abi, state: State, entry: State) -> Term:
    """The condition as one bit."""
    return _term(condition.expression, StateView(abi, state, entry), {})


def for_any(condition: Condition, abi: Abi, state: State, entry: State) -> Term:
    """What a condition says of one unknown value, where it is about all of several.

    If this follows from the same of another condition, for the same unknown value, then the
    one condition follows from the other for all values. That is easier to decide.
    """
    expression, variables = condition.expression, dict[str, Any]()
    while isinstance(expression, All):
        low, high = expression.low, expression.high
        if low > high:
            return t.TRUE
        name = any_name(f"{expression.variable} in {low}..{high}")
        least = min(low, 0)  # a variable has no sign: it counts from the lowest value
        width = max((high - least).bit_length(), 1)
        value = SymInt(t.var(name, width, low - least, high - least)) + least
        variables[expression.variable] = value
        expression = expression.body
    return _term(expression, StateView(abi, state, entry), variables)


def find_known(condition: Condition, abi: Abi, state: State, entry: State) -> Iterator[Term]:
    """What a caller knows where a condition holds: of one unknown value, as it has to show such a
    condition itself; and of all of them, unless that is very long. Then each question that comes
    later would be about all of it."""
    one = for_any(condition, abi, state, entry)
    yield one
    every = term_of(condition, abi, state, entry)
    if every is not one and len(list(islice(in_order([every]), MAX_KNOWN + 1))) <= MAX_KNOWN:
        yield every


def of_one(condition: Condition, number: Any, abi: Abi, state: State, entry: State) -> Term:
    """What a condition that is about ``all`` says of one number, an int or a SymInt."""
    all_, view = condition.expression, StateView(abi, state, entry)
    assert isinstance(all_, All)
    inside = t.and_(_bit(number >= all_.low), _bit(number <= all_.high))
    return t.or_(t.not_(inside), _term(all_.body, view, {all_.variable: number}))


def for_each(condition: Condition, abi: Abi, state: State, entry: State) -> Term:
    """What has to be shown of a condition: of one unknown value, or, where that is no more than
    simplifying, of each one by itself. Straight code that fills an array in turn leaves equal terms
    in each cell, and a choice between all of them at one that is not known."""
    shown = for_any(condition, abi, state, entry)
    if shown.is_const or not isinstance(condition.expression, All):
        return shown
    return t.TRUE if term_of(condition, abi, state, entry) is t.TRUE else shown


def _term(expression: Expression, view: StateView, variables: Mapping[str, Any]) -> Term:
    return _bit(evaluate(expression, view, variables))


def _bit(value: Any) -> Term:
    if isinstance(value, int):
        return t.TRUE if value else t.FALSE
    return truth(value)


def truth(value: SymInt) -> Term:
    """One bit: is it not 0?"""
    if value.term.width == 1:
        return value.term
    return t.not_(t.eq(value.term, t.const(0, value.term.width)))


def terms_of(conditions: Iterable[Condition], abi: Abi, state: State, entry: State) -> list[Term]:
    """The conditions as terms of one bit."""
    return [term_of(condition, abi, state, entry) for condition in conditions]
