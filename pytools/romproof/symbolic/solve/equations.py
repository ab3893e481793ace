"""Equations among conditions: a variable that one of them determines is replaced in all others.

Two variables become one that way, which can decide what depends on both, such as whether two
addresses are the same. Only factors of 1 and -1 are solved for: they have an inverse modulo
2**width, so the new conditions hold exactly where the old ones did.
"""

from __future__ import annotations

from collections.abc import Iterable

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import Factors, collect, sort_terms, to_signed
from romproof.symbolic.terms.node import AND, EQ, EXTRACT, LOAD, ULT, VAR, XOR, Term, runs
from romproof.symbolic.terms.origin import part_name
from romproof.symbolic.terms.sums import total

MAX_TERMS = 6
"""Terms of an equation: a long one makes nothing simpler."""

Known = dict[str, Term]
"""The values of variables by name. One may contain variables that come later."""


def simplify(conditions: Iterable[Term]) -> tuple[list[Term] | None, Known]:
    """The conditions apart, without the variables that are known, and these.

    None instead when they cannot hold.
    """
    known: dict[str, Term] = {}
    wanted = list(dict.fromkeys(conditions))
    while True:
        apart: dict[Term, None] = {}
        for condition in wanted:
            apart |= dict.fromkeys(condition.args if condition.op is AND else (condition,))
        if t.FALSE in apart:
            return None, known
        wanted = [condition for condition in apart if not condition.is_const]
        values = _constants(wanted) or _equation(wanted)
        if not values:
            wanted = _with_bits(wanted)
            return None if t.FALSE in wanted else wanted, known
        known |= values
        wanted = _put_in(wanted, values)


def _with_bits(conditions: list[Term]) -> list[Term]:
    """The conditions, with the bits filled in that one of them determines."""
    given: set[Term] = set()
    known: dict[Term, tuple[int, int]] = {}
    for condition in conditions:
        value, mask, bits = _bits_known(condition)
        before = known.get(value, (0, 0))
        if value.op in (VAR, LOAD) and mask & ~before[0]:
            given.add(condition)
            known[value] = before[0] | mask, before[1] | bits
    values = {value: _fill(value, *masks) for value, masks in known.items()}
    memo: dict[Term, Term] = {}
    return [
        condition if condition in given else t.replace(condition, values, memo)
        for condition in conditions
    ]


def _bits_known(condition: Term) -> tuple[Term, int, int]:
    """A value, which of its bits a condition determines (perhaps none), and what they are.

    value < limit clears all bits from bit_length(limit - 1) on, value <= limit those from
    bit_length(limit) on.
    """
    holds = condition.op is not XOR
    inner = condition if holds else t.not_(condition)
    if inner.op is EXTRACT and inner.width == 1:
        bit = 1 << inner.number
        return inner.args[0], bit, bit * holds
    if inner.op is EQ and holds and inner.args[1].is_const and inner.args[0].op is EXTRACT:
        part, low = inner.args[0], inner.args[0].number
        return part.args[0], (1 << part.width) - 1 << low, inner.args[1].number << low
    if inner.op is ULT:
        value, limit = inner.args if holds else reversed(inner.args)
        if limit.is_const:
            used = (limit.number - holds).bit_length()
            return value, (1 << value.width) - 1 >> used << used, 0
    return condition, 0, 0


def _fill(value: Term, mask: int, bits: int) -> Term:
    """A value with the bits of ``mask`` known."""
    parts: list[Term] = []
    at = 0
    for is_known, count in runs(mask, value.width):
        parts.append(t.const(bits >> at, count) if is_known else t.extract(value, at, count))
        at += count
    return t.concat(*reversed(parts))


def _constants(conditions: Iterable[Term]) -> dict[str, Term]:
    """The variables of which all or some bits have but one value."""
    constants: dict[str, Term] = {}
    for condition in conditions:
        if condition.op is VAR:
            constants.setdefault(condition.name, t.TRUE)
        elif t.not_(condition).op is VAR:
            constants.setdefault(t.not_(condition).name, t.FALSE)
        elif condition.op is EQ and condition.args[1].is_const:
            variable = _variable(condition.args[0])
            if variable is not None:
                constants.setdefault(variable.name, _with(condition.args[0], condition.args[1]))
    return constants


def _variable(term: Term) -> Term | None:
    """The variable that a term is, or is some bits of."""
    inner = term.args[0] if term.op is EXTRACT else term
    return inner if inner.op is VAR else None


def _with(part: Term, bits: Term) -> Term:
    """A variable of which a part is known; the other bits are variables again."""
    if part.op is VAR:
        return bits
    variable, low = part.args[0], part.number
    parts = [bits]
    end, name, top = low + part.width, variable.name, variable.width
    if end < top:
        parts.insert(0, t.var(part_name(name, f"{end}:{top}"), top - end))
    if low:
        parts.append(t.var(part_name(name, f"0:{low}"), low))
    return t.concat(*parts)


def _equation(conditions: Iterable[Term]) -> dict[str, Term]:
    """The variables that one of the conditions gives."""
    for condition in conditions:
        solution = _solve(condition) if condition.op is EQ else {}
        if solution:
            return solution
    return {}


def _solve(equation: Term) -> dict[str, Term]:
    """The adjacent variables that an equation expresses by a few others.

    With the sum of f * t, and a number, 0 modulo 2**width: the row of variables is one number N
    with the factor s = 1 or -1, so s * N + rest + number = 0 and N = -s * (rest + number).
    """
    one, other = equation.args
    if one.op is XOR and other.is_const:
        return _solve_xor(one, other)
    for place, value in ((one, other), (other, one)):
        variable = _variable(place)
        if value.op is LOAD and variable is not None and variable not in t.variables([value]):
            return {variable.name: _with(place, value)}
    width = one.width
    factors, number = collect([(1, one), (-1, other)], 0, width)
    names = {term: variable.name for term in factors if (variable := _variable(term)) is not None}
    if not factors or len(names) < len(factors) or len(factors) > MAX_TERMS:
        return {}
    rows = [_row(factors, term, width) for term in sort_terms(factors)]
    row = max(rows, key=lambda terms: sum(term.width for term in terms))
    inside = {names[term] for term in row}
    others = {names[term] for term in factors if term not in row}
    if not row or len(inside) < len(row) or inside & others:
        return {}
    sign = to_signed(factors[row[0]], width)
    rest = [(-sign * factor, term) for term, factor in factors.items() if term not in row]
    value = total(sum(term.width for term in row), rest, -sign * number)
    solution: dict[str, Term] = {}
    at = 0
    for term in row:
        solution[names[term]] = _with(term, t.extract(value, at, term.width))
        at += term.width
    return solution


def _solve_xor(bits: Term, number: Term) -> dict[str, Term]:
    """The variable that an exclusive or determines: x ^ rest = n gives x = rest ^ n."""
    for arg in bits.args:
        variable = _variable(arg)
        rest = t.xor(t.xor(bits, arg), number)
        if variable is not None and variable not in t.variables([rest]):
            return {variable.name: _with(arg, rest)}
    return {}


def _row(factors: Factors, first: Term, width: int) -> list[Term]:
    """The terms that are one number together, lowest bits first: each factor is the first one
    shifted left by the bits below, and the first is 1 or -1."""
    sign = to_signed(factors[first], width)
    if abs(sign) != 1:
        return []
    row, at = [first], first.width
    while at < width:
        wanted = to_signed(sign << at, width)
        following = next((term for term, f in factors.items() if f == wanted), None)
        if following is None or at + following.width > width:
            break
        row.append(following)
        at += following.width
    return row


def _put_in(conditions: list[Term], known: Known) -> list[Term]:
    """The conditions with the values, and new ones: each value is within its variable's bounds."""
    values: dict[Term, Term] = {}
    bounds: list[Term] = []
    for variable in t.variables(conditions):
        if variable.op is VAR and variable.name in known:
            values[variable] = value = known[variable.name]
            low, high = (t.const(n, value.width) for n in (variable.low, variable.high))
            bounds += [t.not_(t.ult(value, low)), t.not_(t.ult(high, value))]
    memo: dict[Term, Term] = {}
    return [*(t.replace(condition, values, memo) for condition in conditions), *bounds]
