"""The rule that blocks behind pointers lie apart, which all else rests on.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.replay.judge import Case
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.overlaps import SIZE, WIDE, is_beside, is_off, runs_of, widen
from romproof.symbolic.execute.blocks import PointerBlock
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message


def prove_separation(case: Case) -> Iterator[Finding]:
    """That the blocks lie apart; nothing of a contract without pointers."""
    blocks = case.entry.memory.blocks
    if not blocks:
        return
    statement = Property.APART(names=tuple(block.which.name for block in blocks))
    for claim, holds in _claims(case, blocks):
        try:
            model = case.oracle.always((), holds)
        except Undecided as stop:
            reason = Reason.UNDECIDED(claim=claim, why=stop.reason)
            yield Finding(
                statement, Verdict.UNKNOWN, reason, kind=StatementKind.APART, causes=(stop.cause,)
            )
            return
        if model is not None:
            reason = Reason.ALLOWED_BY_REQUIRES(claim=claim)
            example = case.example(model, [holds])
            yield Finding(statement, Verdict.UNKNOWN, reason, example, kind=StatementKind.APART)
            return
    yield Finding(statement, Verdict.PROVED, kind=StatementKind.APART)


def _claims(case: Case, blocks: tuple[PointerBlock, ...]) -> Iterator[tuple[Message, Term]]:
    start, layout = case.start, case.start.layout
    written = {a for item in case.contract.written() for a in item.addresses()}
    standing = [block.which for block in blocks]
    fixed = runs_of(address for address in range(SIZE) if layout.is_fixed[address])
    ports = runs_of(layout.volatile)
    base = t.zext(start.frame.base, WIDE)
    stack = (
        t.sub(base, t.const(start.frame.room, WIDE)),
        t.add(base, t.const(start.abi.return_size, WIDE)),
    )
    seen: list[PointerBlock] = []
    for block in blocks:
        name = block.which.name
        end = t.add(widen(block.base), widen(block.size))
        yield Reason.BEYOND_MEMORY(name=name), t.not_(t.ult(t.const(SIZE, WIDE), end))
        for which in layout.objects:
            if which in standing:
                continue
            cells = range(which.address, which.end)
            meant = cells if block.is_written else written.intersection(cells)
            shared = Reason.COMMON_BYTE(name=name, other=which.name)
            yield shared, is_off(block, runs_of(meant))
        for other in seen:
            if block.is_written or other.is_written:
                here = widen(other.base), t.add(widen(other.base), widen(other.size))
                free = t.or_(is_beside(block, *here), t.eq(other.size, t.const(0, 16)))
                yield Reason.COMMON_BYTE(name=name, other=other.which.name), free
        seen.append(block)
        yield Reason.ON_PORT(name=name), is_off(block, ports)
        if block.is_written:
            yield Reason.ON_CODE(name=name), is_off(block, fixed)
        yield Reason.ON_STACK(name=name), is_beside(block, *stack)
