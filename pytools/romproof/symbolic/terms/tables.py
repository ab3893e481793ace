"""Tables, and arrays of bytes."""

from __future__ import annotations

from romproof.symbolic.terms.choice import ite
from romproof.symbolic.terms.compare import eq
from romproof.symbolic.terms.linear import lift
from romproof.symbolic.terms.logic import xor
from romproof.symbolic.terms.multiples import line
from romproof.symbolic.terms.node import (
    ARRAY,
    CONCAT,
    CONST,
    FALSE,
    LOAD,
    LOOKUP,
    STORE,
    SUM,
    TRUE,
    XOR,
    Term,
    const,
    make,
)
from romproof.symbolic.terms.origin import VariableName, auxiliary_name
from romproof.symbolic.terms.slices import concat, extract, is_choice
from romproof.symbolic.terms.sums import of_form

MAX_STORES = 64
"""Later bytes of an array that an earlier one is looked for behind."""

SMALL = 8
"""Bits of an index for which a table is looked through, entry by entry."""


def lookup(table: bytes, index: Term) -> Term:
    """The byte of a table at an index; 0 beyond its end."""
    if index.op is CONST:
        return const(table[index.number] if index.number < len(table) else 0, 8)
    if is_choice(index):
        condition, then, otherwise = index.args
        return ite(condition, lookup(table, then), lookup(table, otherwise))
    if index.op is CONCAT and index.args[0].op is CONST:
        # what stands above the lowest bits is fixed: only a part of the table counts
        rest = concat(*index.args[1:])
        start = index.args[0].number << rest.width
        return lookup(table[start : start + (1 << rest.width)], rest)
    used = (index.low ^ index.high).bit_length()
    if used < index.width and _inner(index) is None:  # its upper bits are known
        start = index.low >> used << used
        return lookup(table[start : start + (1 << used)], extract(index, 0, used))
    exact = lift(index) if index.op is SUM and index.low else None
    if exact is not None:
        # counted from the first place that it can be: so it does not matter where the table began
        factors, number = exact
        least = index.low
        return lookup(table[least:], of_form(index.width, factors, number - least))
    table = bytes(index.low) + table[index.low : index.high + 1]
    table += bytes(index.high + 1 - len(table))
    if index.width <= SMALL:
        inner = _inner(index)
        if inner is not None:
            values = _values(index, inner)
            return lookup(bytes(table[n] if n < len(table) else 0 for n in values), inner)
        whole = len(table) == 1 << index.width
        plain = _affine(table, index) or line(table, index) if whole else None
        if plain is not None:
            return plain
    reachable = table[index.low :]
    if reachable.count(reachable[0]) == len(reachable):
        return const(reachable[0], 8)
    return make(LOOKUP, 8, (index,), min(reachable), max(reachable), table=table)


def _inner(index: Term) -> Term | None:
    """The one narrow term that an index depends on, so that a table of it will do."""
    if index.op is CONCAT:
        free = [part for part in index.args if part.op is not CONST]
        return free[0] if len(free) == 1 else None
    if (index.op in (SUM, XOR, LOOKUP)) and len(index.args) == 1:
        return index.args[0] if index.args[0].width <= SMALL else None
    return None


def _values(index: Term, inner: Term) -> list[int]:
    """What the index is for each value of the term in it."""
    numbers = range(1 << inner.width)
    if index.op is LOOKUP:
        return [index.table[n] if n < len(index.table) else 0 for n in numbers]
    if index.op is XOR:
        return [n ^ index.number for n in numbers]
    if index.op is SUM:
        mask = (1 << index.width) - 1
        return [n * index.factors[0] + index.number & mask for n in numbers]
    values = [0] * len(numbers)
    for part in index.args:
        values = [
            value << part.width | (part.number if part.op is CONST else n)
            for value, n in zip(values, numbers, strict=True)
        ]
    return values


def _affine(table: bytes, index: Term) -> Term | None:
    """The table as XOR of bits of its index, if it is one: shifts and the like."""
    columns = [table[1 << bit] ^ table[0] for bit in range(index.width)]
    expected = [table[0]]
    for column in columns:
        expected += [value ^ column for value in expected]
    if bytes(expected) != table:
        return None
    bits: list[Term] = []
    for place in reversed(range(8)):
        result = const(table[0] >> place, 1)
        for bit, column in enumerate(columns):
            if column >> place & 1:
                result = xor(result, extract(index, bit, 1))
        bits.append(result)
    return concat(*bits)


# ---------------------------------------------------------------- arrays


def array_var(name: str) -> Term:
    """An array of 65536 bytes about which nothing is known."""
    known = name if isinstance(name, VariableName) else auxiliary_name(name)
    return make(ARRAY, 0, (), 0, 0, name=known)


def array_ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """One of two arrays."""
    return ite(condition, then, otherwise)


def store(array: Term, address: Term, value: Term) -> Term:
    """The array with another byte at an address (16 bits)."""
    if array.op is STORE and array.args[1] is address:
        array = array.args[0]
    if value.op is LOAD and value.args[0] is array and value.args[1] is address:
        return array
    return make(STORE, 0, (_without(array, address), address, value), 0, 0)


def _without(array: Term, address: Term) -> Term:
    """The array as it was but for an earlier byte at an address, if all after it are elsewhere."""
    below = array
    later: list[tuple[Term, ...]] = []
    while below.op is STORE and len(later) < MAX_STORES:
        same = eq(address, below.args[1])
        if same is not FALSE:
            if same is not TRUE:
                return array
            below = below.args[0]
            for _, place, value in reversed(later):
                below = make(STORE, 0, (below, place, value), 0, 0)
            return below
        later.append(below.args)
        below = below.args[0]
    return array


def load(array: Term, address: Term) -> Term:
    """The byte of an array at an address (16 bits)."""
    while array.op is STORE:
        same = eq(address, array.args[1])
        if same.op is not CONST:
            break
        if same.number:
            return array.args[2]
        array = array.args[0]
    return make(LOAD, 8, (array, address), 0, 255)
