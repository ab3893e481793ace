"""Candidates for the invariant of a loop from what is ensured of numbers in the end.

An invariant is mostly the postcondition, of the part that is done: as it stands, for as many
times as the loop was taken so far, or for what is left. None is taken for true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace

from romproof.contract.nouns.expr import (
    All,
    Comparison,
    Condition,
    Expression,
    Logic,
    Old,
    Sum,
    walk,
)
from romproof.prover.invariants.quantities import LoopConstant, Moving
from romproof.prover.invariants.wording import write_expression


def of_goals(
    ensures: Sequence[Condition],
    moving: Sequence[Moving],
    fixed: Sequence[LoopConstant],
    holders: Mapping[str, str],
    single: Collection[str] = (),
) -> Iterator[str]:
    """Candidates from ``ensures``; ``fixed`` are numbers that stay as they are, ``holders`` say
    what has the value of a result in the loop, ``single`` are variables of one byte."""
    changing = {each.what.text for each in moving}
    # what moves has the name ``v`` where ``v[0]`` is all of it
    own = {f"{name}[0]": name for name in single}
    for ensured in ensures:
        if any(isinstance(each, All | Sum) for each in walk(ensured.expression)):
            continue
        for part in _parts(ensured.expression):
            for names in (own, {**own, **holders}):
                yield write_expression(part, names)
                for one in moving:
                    for counted in _count_so_far(one, changing, fixed):
                        yield write_expression(part, {**names, **counted})
            yield from _find_remainders(part)


def _parts(ensured: Expression) -> Iterator[Expression]:
    """A condition, or what of it holds by itself."""
    waiting = [ensured]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Logic) and one.operator == "and":
            waiting += (one.left, one.right)
        else:
            yield one


def _count_so_far(
    one: Moving, changing: set[str], fixed: Sequence[LoopConstant]
) -> Iterator[dict[str, str]]:
    """What is to be written so that what is ensured of all times is said of those that there were:
    by a counter that goes down from their number, up to it, or from another number than 0 on."""
    name, begin = one.what.text, one.begin
    if begin is None or one.step not in (1, -1):
        return
    if begin.number is not None:
        counted = name if begin.number == 0 else f"(({name} - {begin}) % {one.what.most + 1})"
        yield {name: counted}
        for limit in fixed if one.step == 1 else ():
            if limit.plain:
                yield _at_entry(limit.plain, counted, changing)
    elif begin.plain and one.step == -1:
        yield _at_entry(begin.plain, f"({begin} - {name})", changing)


def _at_entry(name: str, number: str, changing: set[str]) -> dict[str, str]:
    """A ``number`` in place of what something was at the entry, and is where nothing changes it."""
    before = {f"old {name}": number}
    return before if name in changing else {**before, name: number}


def _find_remainders(part: Expression) -> Iterator[str]:
    """``R(what is left) == R(all)``, and with what is done, where ``done == R(all)``."""
    if not isinstance(part, Comparison) or part.operator != "==":
        return
    olds = any(isinstance(each, Old) for each in walk(part.right))
    if olds and not any(isinstance(each, Old) for each in walk(part.left)):
        done, all_of, left = (
            write_expression(part.left),
            write_expression(part.right),
            write_expression(_restate_now(part.right)),
        )
        yield f"({left}) == ({all_of})"
        yield f"({done}) + ({left}) == ({all_of})"


def _restate_now(expression: Expression) -> Expression:
    """An expression of what there was at the entry, said of what there is."""
    if isinstance(expression, Old):
        return expression.inner
    changed = {
        each.name: _restate_now(value)
        for each in fields(expression)
        if isinstance(value := getattr(expression, each.name), Expression)
    }
    return replace(expression, **changed) if changed else expression  # type: ignore[arg-type]


def trade(one: Moving, other: Moving) -> Iterator[str]:
    """That one quantity grows no more than another one, of which less is known, falls."""
    if one.begin is None or other.begin is None or one.step != 1 or other.step is not None:
        return
    if not set(one.what.names) & set(other.what.names):
        total = other.begin if one.begin.number == 0 else f"{one.begin} + {other.begin}"
        yield f"{one.what.text} + {other.what.text} <= {total}"
