"""A case that shows a fault, made as small as it goes by deleting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fuzz_judge import Tally, Violation, judge
from fuzz_make import FuzzCase
from fuzz_nouns import Contract, Program, Routine

from romproof.text.errors import RomproofError

MAX = 150
"""Smaller programs that are tried."""


def shrunk(case: FuzzCase, violation: Violation) -> tuple[FuzzCase, Violation]:
    """The smallest case found that shows the same."""
    tried = 0
    found = True
    while found:
        found = False
        for smaller in _smaller(case.program):
            tried += 1
            if tried > MAX:
                return case, violation
            other = replace(case, program=smaller)
            same = _shows(other, violation)
            if same is not None:
                case, violation, found = other, same, True
                break
    return case, violation


def _shows(case: FuzzCase, violation: Violation) -> Violation | None:
    try:
        found = judge(case, Tally(), 1500)
    except (RomproofError, KeyError, AssertionError):
        return None
    return next((each for each in found if each.same_as(violation)), None)


def _smaller(program: Program) -> Iterator[Program]:
    """Programs with something less."""
    names = " ".join(line for routine in program.routines for line in routine.code)
    for routine in program.routines[:-1]:
        if routine.name not in names.split():
            yield replace(
                program, routines=tuple(each for each in program.routines if each != routine)
            )
    for routine in program.routines:
        for code in _less_code(routine.code):
            if len(code) < len(routine.code):
                yield program.replaced(replace(routine, code=code))
        if routine.contract is not None:
            for contract in _less_claimed(routine.contract):
                yield program.replaced(replace(routine, contract=contract))
            if routine.name != "main":
                yield program.replaced(replace(routine, contract=None))


def _less_code(code: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for size in (8, 4, 2, 1):
        for at in range(0, len(code) - size, max(size // 2, 1)):
            yield code[:at] + code[at + size :]


def _less_claimed(contract: Contract) -> Iterator[Contract]:
    """Contracts with one entry less in some field."""
    for name in ("ensures", "secrets", "requires", "inputs", "outputs", "clobbers"):
        items = getattr(contract, name)
        for at in range(len(items)):
            changed = {name: items[:at] + items[at + 1 :]}
            yield replace(contract, **changed)
    for name in ("stack", "cycles"):
        if getattr(contract, name) is not None:
            nothing = {name: None}
            yield replace(contract, **nothing)
    if contract.invariants:
        yield replace(contract, invariants=(), decreases=())
        if contract.decreases:
            yield replace(contract, decreases=())


def told(routine: Routine) -> str:
    """A routine, for people."""
    assert routine.contract is not None
    return "\n".join([*(f"; {field}" for field in routine.contract.fields()), *routine.code])
