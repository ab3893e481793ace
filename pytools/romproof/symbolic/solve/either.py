"""Claims of several parts: where one of several things is to be, each is asked on its own.

``a == b and c < d`` is false where ``a != b`` or ``d <= c``. What decides an equation, by algebra
or place by place, decides no such choice; but of a choice what cannot be may be left out.
"""

from __future__ import annotations

from romproof.symbolic.solve.algebra import equation
from romproof.symbolic.terms.logic import not_
from romproof.symbolic.terms.node import AND, Term

MAX = 16
"""Of more alternatives none is asked on its own."""


def alternatives(condition: Term) -> tuple[Term, ...]:
    """The conditions of which one holds where ``condition`` does, if there are several, and one
    of them says that two numbers differ; else none."""
    denied = not_(condition)
    if condition.op is AND or denied.op is not AND or len(denied.args) > MAX:
        return ()
    ways = tuple(map(not_, denied.args))
    return ways if any(map(_of_numbers, ways)) else ()


def _of_numbers(way: Term) -> bool:
    """Whether it, or a part of it, says that two numbers of more than one bit differ."""
    for part in parts(way):
        pair = equation(part)
        if pair is not None and pair[0].width > 1:
            return True
    return False


def parts(condition: Term) -> tuple[Term, ...]:
    """The conditions that all hold where ``condition`` does."""
    return condition.args if condition.op is AND and condition.width == 1 else (condition,)
