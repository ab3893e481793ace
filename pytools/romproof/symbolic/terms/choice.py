"""The choice between two values by one bit."""

from __future__ import annotations

from functools import reduce

from romproof.symbolic.terms.logic import and_, or_, xor
from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    CONST,
    EXTRACT,
    FALSE,
    ITE,
    SUM,
    TRUE,
    XOR,
    Term,
    const,
    make,
)
from romproof.symbolic.terms.remainder import step
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import (
    align,
    choose,
    concat,
    extract,
    flip,
    is_choice,
    join,
)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """``then`` where the condition (one bit) is 1, else ``otherwise``; of arrays also."""
    if condition.op is CONST:
        return then if condition.number else otherwise
    if then is otherwise:
        return then
    if condition.op is XOR and condition.number:
        condition, then, otherwise = flip(condition), otherwise, then
    if then.op is CONST and otherwise.op is CONST:
        return choose(condition, then.number, otherwise.number, then.width)
    if SUM in (then.op, otherwise.op) or _bits_of_sum(then) or _bits_of_sum(otherwise):
        divided = step(condition, then, otherwise)
        if divided is not None:
            return divided
    if then.op is CONCAT or otherwise.op is CONCAT:
        fields = [t.args if t.op is CONCAT else (t,) for t in (then, otherwise)]
        if any(t.op is SUM or _bits_of_sum(t) or is_choice(t) for part in fields for t in part):
            # sums whose lowest bits, or highest, are those of something else, as of x + 2
            chosen = RULES.chosen_sum(condition, then, otherwise)
            if chosen is not None:
                return chosen
        return concat(*(ite(condition, one, other) for one, other in align(*fields)))
    if then.op is ITE and then.args[0] is condition:
        return ite(condition, then.args[1], otherwise)
    if otherwise.op is ITE and otherwise.args[0] is condition:
        return ite(condition, then, otherwise.args[2])
    chosen = _ite_bit(condition, then, otherwise) if then.width == 1 else None
    if chosen is None and _may_be_step(then, otherwise):
        chosen = _ite_step(condition, then, otherwise)
    return chosen or _ite_nested(condition, then, otherwise)


def _may_be_step(then: Term, otherwise: Term) -> bool:
    """Whether there may be a constant between two values: between sums, and where both are bits
    with a number added."""
    ops = (then.op, otherwise.op)
    return XOR in ops or SUM in ops or (is_choice(then) and is_choice(otherwise))


def _bits_of_sum(term: Term) -> bool:
    return term.op is EXTRACT and term.args[0].op is SUM


def _ite_bit(condition: Term, then: Term, otherwise: Term) -> Term | None:
    """Of one bit: AND and OR where one of the values is known when it counts."""
    other = flip(condition)
    if then.op is CONST or then is condition or then is other:
        known = then.number if then.op is CONST else then is condition
        return or_(condition, otherwise) if known else and_(other, otherwise)
    if otherwise.op is CONST or otherwise is condition or otherwise is other:
        known = otherwise.number if otherwise.op is CONST else otherwise is other
        return or_(other, then) if known else and_(condition, then)
    if flip(then) is otherwise:
        return flip(xor(condition, then))
    return None


def _ite_step(condition: Term, then: Term, otherwise: Term) -> Term | None:
    """Of two values with a constant between them: the condition decides whether to add it."""
    if then.op is CONST or otherwise.op is CONST:
        return None
    if XOR in (then.op, otherwise.op):
        difference = xor(then, otherwise)
        if difference.op is CONST:
            return xor(otherwise, choose(condition, difference.number, 0, then.width))
        if otherwise.op is XOR and otherwise.number:
            fixed = const(otherwise.number, then.width)
            return xor(ite(condition, xor(then, fixed), xor(otherwise, fixed)), fixed)
    return RULES.chosen_sum(condition, then, otherwise) if then.width > 1 else None


def _ite_nested(condition: Term, then: Term, otherwise: Term) -> Term:
    """A choice of two in which one arm chooses again between the other arm and something else."""
    if otherwise.op is ITE:
        second, one, other = otherwise.args
        if one is then:
            return ite(or_(condition, second), then, other)
        if other is then:
            return ite(or_(condition, flip(second)), then, one)
    if then.op is ITE:
        second, one, other = then.args
        if one is otherwise:
            return ite(and_(condition, flip(second)), other, otherwise)
        if other is otherwise:
            return ite(and_(condition, second), one, otherwise)
    low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
    return make(ITE, then.width, (condition, then, otherwise), low, high)


def take_choice(a: Term, low: int, width: int) -> Term:
    """Bits of a choice: a choice of bits."""
    condition, then, otherwise = a.args
    return ite(condition, extract(then, low, width), extract(otherwise, low, width))


def join_choice(high: Term, low: Term) -> Term | None:
    """Two choices by the same bit, side by side."""
    if high.op is ITE:
        condition = high.args[0]
    elif low.op is ITE:
        condition = low.args[0]
    else:
        return None
    above, below = _arms(high, condition), _arms(low, condition)
    if above is None or below is None:
        return None
    then = join(above[0], below[0])
    otherwise = then and join(above[1], below[1])
    if then is None or otherwise is None or CONCAT in (then.op, otherwise.op):
        return None
    return ite(condition, then, otherwise)


def _arms(term: Term, condition: Term) -> tuple[Term, Term] | None:
    """What a term is when the condition holds, and when not, where that is plain to see."""
    if term.op is ITE:
        return (term.args[1], term.args[2]) if term.args[0] is condition else None
    if term.width > 1:
        return None
    if term.op is XOR and len(term.args) == 1:
        arms = _arms(term.args[0], condition)
        return None if arms is None else (flip(arms[0]), flip(arms[1]))
    if term.op is AND:
        for known in (TRUE, FALSE):
            factor = condition if known is TRUE else flip(condition)
            if factor in term.args:
                rest = reduce(and_, (arg for arg in term.args if arg is not factor), TRUE)
                return (rest, FALSE) if known is TRUE else (FALSE, rest)
    if term is condition:
        return TRUE, FALSE
    return None
