"""Candidates for the invariant of a loop from what is ensured of all cells of an array, or of a
sum of them: the same of the cells on one side of an index. None is taken for true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.contract.nouns.expr import All, Binary, Comparison, Expression, Logic, Not, Sum, walk
from romproof.prover.invariants.wording import write_expression


@dataclass(frozen=True, slots=True)
class CellsBeside:
    """The cells on one side of an index: those whose number has a ``relation`` to it, as ``<``."""

    relation: str
    index: str

    def of(self, variable: str) -> str:
        """The condition on the number of a cell."""
        return f"{variable} {self.relation} {self.index}"


def find_cell_conditions(expression: Expression) -> Iterator[All]:
    """What a condition says of all cells, by itself or in some case: a search says it of the case
    that nothing was found, a comparison that a flag is it."""
    if isinstance(expression, All):
        yield expression
    elif isinstance(expression, Logic | Comparison):
        yield from find_cell_conditions(expression.left)
        yield from find_cell_conditions(expression.right)
    elif isinstance(expression, Not):
        yield from find_cell_conditions(expression.inner)


def of_all(ensured: All, sides: Sequence[CellsBeside]) -> Iterator[str]:
    """What is ensured of cells, of those on one side of an index, and without its condition."""
    variables: list[All] = []
    body: Expression = ensured
    while isinstance(body, All):
        variables.append(body)
        body = body.body
    head = " ".join(
        f"all {each.variable.rstrip(chr(39))} in {each.low}..{each.high}:" for each in variables
    )
    guard = ""
    if isinstance(body, Logic) and body.operator == "->":
        guard, body = write_expression(body.left), body.right
    said = f"({write_expression(body)})"
    name = variables[-1].variable.rstrip("'")
    yield f"{head} {said}"
    if guard:
        yield f"{head} ({guard}) -> {said}"
    for side in dict.fromkeys(sides):
        yield f"{head} {side.of(name)} -> {said}"
        if guard:
            yield f"{head} ({guard}) and {side.of(name)} -> {said}"


def sums(expression: Expression) -> Iterator[Sum]:
    for each in walk(expression):
        if isinstance(each, Sum) and isinstance(each.body, Binary) and each.body.operator == "*":
            yield each


def of_sums(ensured: Expression, sides: Sequence[CellsBeside]) -> Iterator[str]:
    """What is ensured of a sum of some cells, of those on one side of an index."""
    for each in sums(ensured):
        assert isinstance(each.body, Binary), "sums gives no others"
        truth = (Comparison, Logic)
        guard = next((s for s in (each.body.left, each.body.right) if isinstance(s, truth)), None)
        if guard is None:
            continue
        said, name = write_expression(guard), each.variable.rstrip("'")
        for side in sides:
            yield write_expression(ensured, {said: side.of(name)})
            yield write_expression(ensured, {said: f"({said}) and ({side.of(name)})"})
