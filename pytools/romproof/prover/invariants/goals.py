"""Candidates for the invariant of a loop from what is ensured of numbers in the end.

An invariant is mostly the postcondition, of the part that is done: as it stands, for as many
times as the loop was taken so far, or for what is left. None is taken for true.
"""

from __future__ import annotations

import re
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
from romproof.prover.invariants.accumulators import rename
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
    for ensured in ensures:
        if any(isinstance(each, All | Sum) for each in walk(ensured.expression)):
            continue
        for whole, part in _parts(ensured):
            text = _by_name(whole, single)
            for said in dict.fromkeys((text, rename(text, holders))):
                yield said
                for one in moving:
                    yield from _restate_so_far(said, one, changing, fixed)
            yield from _find_remainders(part)


def _by_name(text: str, single: Collection[str]) -> str:
    """A text with ``v`` for ``v[0]`` where that is all of it: what moves has that name."""
    names = "|".join(map(re.escape, single))
    return re.sub(rf"(?<![\w:@.])({names})\[\s*0\s*\]", r"\1", text) if names else text


def _parts(ensured: Condition) -> Iterator[tuple[str, Expression]]:
    """A condition, or what of it holds by itself, as contracts write it."""
    waiting = [ensured.expression]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Logic) and one.operator == "and":
            waiting += (one.left, one.right)
        else:
            yield ensured.text if one is ensured.expression else write_expression(one), one


def _restate_so_far(
    text: str, one: Moving, changing: set[str], fixed: Sequence[LoopConstant]
) -> Iterator[str]:
    """What is ensured of all times, said of those that there were: by a counter that goes down
    from their number, up to it, or from another number than 0 on."""
    name, begin = one.what.text, one.begin
    if begin is None or one.step not in (1, -1):
        return
    if begin.number is not None:
        counted = name if begin.number == 0 else f"(({name} - {begin}) % {one.what.most + 1})"
        yield _put(text, name, counted)
        for limit in fixed if one.step == 1 else ():
            if limit.plain:
                yield _at_entry(text, limit.plain, counted, changing)
    elif begin.plain and one.step == -1:
        yield _at_entry(text, begin.plain, f"({begin} - {name})", changing)


def _at_entry(text: str, name: str, number: str, changing: set[str]) -> str:
    """A text with ``number`` where it names what something was at the entry."""
    if name in changing:
        return re.sub(rf"\bold {re.escape(name)}\b(?!\[)", lambda _: number, text)
    text = re.sub(rf"\bold {re.escape(name)}\b", name, text)
    return _put(text, name, number)


def _put(text: str, name: str, number: str) -> str:
    """A text with ``number`` in the place of what a name stands for there, not at the entry."""
    return re.sub(rf"(?<!old )\b{re.escape(name)}\b(?!\[)", lambda _: number, text)


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
