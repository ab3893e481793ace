"""Terms: values of fixed width that may depend on unknown inputs.

Each function gives the simplest term it knows for a value; equal terms are one object, so
that ``is`` compares them. What is not equal as a term may still be equal as a value: that is
for ``romproof.engine.smt.solver`` to find out.
"""

from __future__ import annotations

from romproof.engine.smt.node import (
    AND,
    ARRAY,
    CONCAT,
    CONST,
    EQ,
    EXTRACT,
    ITE,
    LOAD,
    LOOKUP,
    MUL,
    STORE,
    SUM,
    ULT,
    VAR,
    XOR,
    Term,
    make,
)


def const(number: int, width: int) -> Term:
    """A constant; it wraps around."""
    number &= (1 << width) - 1
    return make(CONST, width, (), number, number, number)


TRUE = const(1, 1)
FALSE = const(0, 1)


def var(name: str, width: int, low: int = 0, high: int | None = None) -> Term:
    """An unknown of which nothing is known but its bounds (both included)."""
    top = (1 << width) - 1
    return make(VAR, width, (), low, top if high is None else high, name=name)


def not_(a: Term) -> Term:
    """All bits inverted."""
    return xor(a, const(-1, a.width))


def xor(a: Term, b: Term) -> Term:
    """Exclusive or."""
    number = 0
    args: dict[Term, None] = {}
    for term in (a, b):
        if term.op is CONST:
            number ^= term.number
            continue
        inner = term.args if term.op is XOR else (term,)
        if term.op is XOR:
            number ^= term.number
        for arg in inner:
            if arg in args:
                del args[arg]
            else:
                args[arg] = None
    if not args:
        return const(number, a.width)
    ordered = tuple(sorted(args, key=lambda arg: arg.serial))
    if len(ordered) == 1 and not number:
        return ordered[0]
    top = (1 << a.width) - 1
    if len(ordered) == 1 and number == top:
        return make(XOR, a.width, ordered, top - ordered[0].high, top - ordered[0].low, number)
    return make(XOR, a.width, ordered, 0, top, number)


def and_(a: Term, b: Term) -> Term:
    """And."""
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST:
        if a.op is CONST:
            return const(a.number & b.number, a.width)
        if not b.number:
            return b
        if b.number == (1 << a.width) - 1:
            return a
        if b.number & (b.number + 1) == 0:
            return zext(extract(a, 0, b.number.bit_length()), a.width)
    if a is b:
        return a
    if not_(a) is b:
        return const(0, a.width)
    if a.serial > b.serial:
        a, b = b, a
    return make(AND, a.width, (a, b), 0, min(a.high, b.high))


def or_(a: Term, b: Term) -> Term:
    """Or."""
    return not_(and_(not_(a), not_(b)))


def _sum(width: int, parts: list[tuple[int, Term]]) -> Term:
    top = (1 << width) - 1
    number = 0
    factors: dict[Term, int] = {}
    for factor, term in parts:
        if term.op is CONST:
            number += factor * term.number
        elif term.op is SUM and term.width == width:
            number += factor * term.number
            for f, arg in zip(term.factors, term.args, strict=True):
                factors[arg] = factors.get(arg, 0) + factor * f
        elif term.op is CONCAT and term.args[0].is_const and not term.args[0].number:
            rest = concat(*term.args[1:])
            factors[rest] = factors.get(rest, 0) + factor
        else:
            factors[term] = factors.get(term, 0) + factor
    number &= top
    found = sorted(((a, f & top) for a, f in factors.items() if f & top), key=lambda p: p[0].serial)
    if not found:
        return const(number, width)
    if len(found) == 1 and found[0][1] == 1 and not number:
        return zext(found[0][0], width)
    low = high = number
    for arg, factor in found:
        signed = factor - top - 1 if factor > top >> 1 else factor
        low += signed * (arg.low if signed > 0 else arg.high)
        high += signed * (arg.high if signed > 0 else arg.low)
    if low < 0 or high > top:
        low, high = 0, top
    args = tuple(arg for arg, _ in found)
    return make(SUM, width, args, low, high, number, factors=tuple(f for _, f in found))


def add(a: Term, b: Term) -> Term:
    """The sum; it wraps around."""
    return _sum(a.width, [(1, a), (1, b)])


def sub(a: Term, b: Term) -> Term:
    """The difference; it wraps around."""
    return _sum(a.width, [(1, a), (-1, b)])


def mul(a: Term, b: Term) -> Term:
    """The product; it wraps around."""
    if a.is_const:
        a, b = b, a
    if b.is_const:
        return _sum(a.width, [(b.number, a)])
    if a.serial > b.serial:
        a, b = b, a
    top = (1 << a.width) - 1
    fits = a.high * b.high <= top
    low, high = (a.low * b.low, a.high * b.high) if fits else (0, top)
    return make(MUL, a.width, (a, b), low, high)


def eq(a: Term, b: Term) -> Term:
    """One bit: are they the same?"""
    if a is b:
        return TRUE
    if a.high < b.low or b.high < a.low:
        return FALSE
    difference = sub(a, b)
    if difference.is_const:
        return const(not difference.number, 1)
    if a.width == 1:
        return not_(xor(a, b))
    if a.is_const or (a.serial > b.serial and not b.is_const):
        a, b = b, a
    if b.is_const and a.op is CONCAT and a.args[0].is_const:
        rest = concat(*a.args[1:])
        if b.number >> rest.width != a.args[0].number:
            return FALSE
        return eq(rest, const(b.number, rest.width))
    return make(EQ, 1, (a, b), 0, 1)


def ult(a: Term, b: Term) -> Term:
    """One bit: is the first less, both unsigned?"""
    if a.high < b.low:
        return TRUE
    if a.low >= b.high or a is b:
        return FALSE
    return make(ULT, 1, (a, b), 0, 1)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """``then`` where the condition (one bit) is 1, else ``otherwise``; of arrays also."""
    if condition.is_const:
        return then if condition.number else otherwise
    if then is otherwise:
        return then
    if condition.op is XOR and condition.number and len(condition.args) == 1:
        condition, then, otherwise = condition.args[0], otherwise, then
    if then.width == 1:
        if then.is_const and otherwise.is_const:
            return condition if then.number else not_(condition)
        if then.is_const:
            return (or_ if then.number else and_)(
                condition if then.number else not_(condition), otherwise
            )
        if otherwise.is_const:
            return or_(not_(condition), then) if otherwise.number else and_(condition, then)
    low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
    return make(ITE, then.width, (condition, then, otherwise), low, high)


array_ite = ite


def concat(*parts: Term) -> Term:
    """The values side by side, the highest bits first."""
    flat: list[Term] = []
    for part in parts:
        for arg in part.args if part.op is CONCAT else (part,):
            last = flat[-1] if flat else None
            if last is not None and last.is_const and arg.is_const:
                width = last.width + arg.width
                flat[-1] = const(last.number << arg.width | arg.number, width)
            elif (
                last is not None
                and last.op is EXTRACT
                and last.number >= arg.width
                and extract(last.args[0], last.number - arg.width, arg.width) is arg
            ):
                flat[-1] = extract(last.args[0], last.number - arg.width, arg.width + last.width)
            else:
                flat.append(arg)
    if len(flat) == 1:
        return flat[0]
    low = high = width = 0
    for arg in flat:
        low, high = low << arg.width | arg.low, high << arg.width | arg.high
        width += arg.width
    return make(CONCAT, width, tuple(flat), low, high)


def zext(a: Term, width: int) -> Term:
    """The same number in more bits."""
    return a if width == a.width else concat(const(0, width - a.width), a)


def extract(a: Term, low: int, width: int) -> Term:
    """``width`` bits of a value, from bit ``low`` on."""
    if width == a.width:
        return a
    if a.op is CONST:
        return const(a.number >> low, width)
    if a.op is EXTRACT:
        return extract(a.args[0], a.number + low, width)
    if a.op is CONCAT:
        parts = []
        at = a.width
        for arg in a.args:
            at -= arg.width
            first, last = max(low, at), min(low + width, at + arg.width)
            if first < last:
                parts.append(extract(arg, first - at, last - first))
        return concat(*parts)
    if a.op is SUM and low + width < a.width:
        narrow = low + width
        parts_of_sum = [
            (f, extract(arg, 0, min(narrow, arg.width)))
            for f, arg in zip(a.factors, a.args, strict=True)
        ]
        return extract(_sum(narrow, [*parts_of_sum, (1, const(a.number, narrow))]), low, width)
    if a.high >> low == a.low >> low:
        return const(a.low >> low, width)
    bounds = (a.low >> low, a.high >> low) if low + width == a.width else (0, (1 << width) - 1)
    return make(EXTRACT, width, (a,), *bounds, number=low)


def lookup(table: bytes, index: Term) -> Term:
    """The byte of a table at an index; 0 beyond its end."""
    if index.is_const:
        return const(table[index.number] if index.number < len(table) else 0, 8)
    if index.op is CONCAT and index.args[0].is_const and not index.args[0].number:
        return lookup(table, concat(*index.args[1:]))
    size = 1 << index.width
    table = (table + bytes(max(0, size - len(table))))[:size] if index.width <= 16 else table
    values = table[index.low : index.high + 1]
    return make(LOOKUP, 8, (index,), min(values), max(values), table=table)


def array_var(name: str) -> Term:
    """An array of 65536 bytes of which nothing is known."""
    return make(ARRAY, 0, (), 0, 0, name=name)


def store(array: Term, address: Term, value: Term) -> Term:
    """The array with another byte at an address (16 bits)."""
    return make(STORE, 0, (array, address, value), 0, 0)


def load(array: Term, address: Term) -> Term:
    """The byte of an array at an address (16 bits)."""
    while array.op is STORE:
        same = eq(address, array.args[1])
        if not same.is_const:
            break
        if same.number:
            return array.args[2]
        array = array.args[0]
    return make(LOAD, 8, (array, address), 0, 255)
