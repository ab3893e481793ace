"""The statements of a contract, compared with what runs did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from romproof.contract.nouns.statement import Statement, StatementKind
from romproof.witness.chunk import Ran
from romproof.witness.columns import Array, Machines, hold
from romproof.witness.job import End
from romproof.witness.subject import SIZE, Subject

RETURNS = Statement(StatementKind.RETURNS, "returns, for every input")
MEMORY = Statement(StatementKind.WRITES, "changes no other memory")
BALANCE = Statement(StatementKind.STACK, "pushes and pulls balance", "balance")
DEPENDS = Statement(StatementKind.DEPENDS, "depends on its inputs only")


class Cycles(Enum):
    """What is said of cycles."""

    FOUND = auto()
    CLAIMED = auto()
    CONSTANT = auto()


@dataclass(frozen=True, slots=True)
class CycleLimits:
    """That runs take ``low`` to ``high`` cycles; None: there is no limit."""

    statement: Statement
    low: int | None
    high: int | None


def about_cycles(text: str, subject: object) -> Statement:
    """A statement on cycles."""
    return Statement(StatementKind.CYCLES, text, subject)


def claim_cycles(text: str, subject: object, low: int | None, high: int | None) -> CycleLimits:
    """What is claimed of cycles."""
    return CycleLimits(about_cycles(text, subject), low, high)


@dataclass(frozen=True)
class Failure:
    """A statement and the runs for which it does not hold; ``detail`` says more of one of them.

    ``other`` are the runs it takes beside these to show it; ``of_model``: it is a model that says
    so.
    """

    statement: Statement
    rows: Array = field(repr=False)
    detail: Callable[[int], str] = field(repr=False)
    other: Machines | None = field(repr=False, default=None)
    of_model: bool = False


def statements(
    ran: Ran, limit: int, claims: Sequence[CycleLimits], ends: bool
) -> Iterator[Failure]:
    """What is not as the contract says, and as ``claims`` say of the cycles.

    ``limit`` are the cycles that each run had; ``ends`` says that they were to be enough.
    """
    for failure in (
        *_ends(ran, limit, ends),
        *_compare_preserved(ran),
        *_stack(ran),
        *_memory(ran),
        *_ensures(ran),
        *(_cycles(ran, claim) for claim in claims),
    ):
        if failure.rows.any():
            yield failure


def _ends(ran: Ran, limit: int, ends: bool) -> Iterator[Failure]:
    done, abi = ran.done, ran.subject.abi
    yield Failure(RETURNS, done.ends == End.FAULT, done.fault)
    if ends:
        text = f"it has not ended after {limit:,} {abi.cycles}"
        yield Failure(RETURNS, done.ends == End.LIMIT, lambda row: text)


def _compare_preserved(ran: Ran) -> Iterator[Failure]:
    for name in ran.subject.preserved:
        before, after = _expect(ran, name), ran.done.after.registers[name]

        def detail(row: int, before: Array = before, after: Array = after) -> str:
            return f"it was ${before[row]:02X} and is ${after[row]:02X}"

        rows = ran.reached & (before != after)
        text = f"preserves {name.upper()}"
        yield Failure(Statement(StatementKind.PRESERVES, text, name), rows, detail)


def _expect(ran: Ran, name: str) -> Array:
    """What a register or flag has to be in the end: of a handler, as before the interrupt."""
    subject, before = ran.subject, ran.before.registers[name]
    abi = subject.abi
    masks = {flag.name.lower(): flag.mask for flag in abi.flags}
    if abi.pushes_flags and name in masks:
        s = ran.setting.stack
        byte = int(ran.setting.base[abi.on_stack(s, s + 1)[0] % SIZE])
        return np.full_like(before, int(bool(byte & masks[name])))
    if abi.by_interrupt and name == abi.masking[0]:
        return np.full_like(before, 1 - abi.masking[1])
    return before


def _stack(ran: Ran) -> Iterator[Failure]:
    subject, done, stack = ran.subject, ran.done, ran.setting.stack
    contract, pointer = subject.contract, subject.abi.stack_pointer
    after = done.after.registers[subject.cpu.stack].astype(np.int64)
    if not contract.may_change(pointer):
        rows = ran.reached & (after != subject.stack_after(stack))

        def detail(row: int) -> str:
            wanted = subject.stack_after(stack)
            return f"{pointer.name} is ${after[row]:02X} in the end, not ${wanted:02X}"

        yield Failure(BALANCE, rows, detail)
    if contract.stack is not None:
        depth = stack - done.lowest
        # below the room it is not a stack pointer but the address of a table
        rows = ran.reached & (depth > contract.stack) & (done.lowest >= subject.floor)
        yield Failure(
            Statement(StatementKind.STACK, f"uses at most {contract.stack} bytes of stack"),
            rows,
            lambda row: f"it uses {depth[row]}",
        )


def _memory(ran: Ran) -> Iterator[Failure]:
    describe = ran.subject.describe
    yield Failure(MEMORY, ran.done.ends == End.WRITE, ran.done.fault)
    yield Failure(
        MEMORY, ran.strayed >= 0, lambda row: f"{describe(int(ran.strayed[row]))} changes"
    )


def _ensures(ran: Ran) -> Iterator[Failure]:
    for condition in ran.subject.contract.ensures:
        rows = ran.reached & ~hold(condition, ran.done.after, ran.before)

        def detail(row: int) -> str:
            values = ", ".join(outputs(ran, row))
            return f"it does not hold{f': it gives {values}' if values else ''}"

        text = f"ensures {condition.text}"
        yield Failure(Statement(StatementKind.ENSURES, text, condition.expression), rows, detail)


def outputs(ran: Ran, row: int) -> Iterator[str]:
    """What a run gave, in short."""
    subject = ran.subject
    for name in subject.registers:
        if name not in subject.preserved:
            yield f"{name.upper()}=${ran.done.after.registers[name][row]:02X}"


def _cycles(ran: Ran, claim: CycleLimits) -> Failure:
    cycles = ran.done.cycles
    rows = np.zeros(len(cycles), bool)
    if claim.low is not None:
        rows |= ran.reached & (cycles < claim.low)
    if claim.high is not None:
        rows |= cycles > claim.high  # also where it has not ended by then

    def detail(row: int) -> str:
        if ran.done.ends[row] == End.LIMIT:
            return f"it has not ended after {cycles[row]:,}"
        return f"it takes {cycles[row]:,}"

    return Failure(claim.statement, rows, detail)


def dependences(one: Ran, other: Ran) -> Iterator[Failure]:
    """That two runs with equal inputs, in which all else differs, give the same."""
    subject = one.subject
    both = one.reached & other.reached
    failures = [_place_reached(one, other, both), *_outputs_differ(one, other, both)]
    one_took, other_took = one.done.cycles, other.done.cycles
    failures.append(
        Failure(
            DEPENDS,
            both & (one_took != other_took),
            lambda row: (
                f"the time does not: {one_took[row]:,} or {other_took[row]:,} {subject.abi.cycles}"
            ),
            other.before,
        )
    )
    yield from (failure for failure in failures if failure.rows.any())


def _place_reached(one: Ran, other: Ran, both: Array) -> Failure:
    """A piece of code with several ends comes to the same one. A called routine returns."""
    subject = one.subject
    here, there = one.done.places, other.done.places
    rows = both & (here != there) if not subject.is_called else np.zeros_like(both)

    def detail(row: int) -> str:
        places = (subject.describe(int(place[row])) for place in (here, there))
        return f"where it ends does not: {' or '.join(places)}"

    return Failure(DEPENDS, rows, detail, other.before)


def _outputs_differ(one: Ran, other: Ran, both: Array) -> Iterator[Failure]:
    subject = one.subject
    names, addresses = output_keys(subject)
    for name in names:
        here, there = one.done.after.registers[name], other.done.after.registers[name]

        def detail(row: int, name: str = name, here: Array = here, there: Array = there) -> str:
            return f"{name.upper()} does not: ${here[row]:02X} or ${there[row]:02X}"

        yield Failure(DEPENDS, both & (here != there), detail, other.before)
    columns = one.before.memory.places[list(addresses)]
    here, there = (ran.done.after.memory.matrix[:, columns] for ran in (one, other))
    untouched = np.ones(here.shape, bool)
    for ran, after in ((one, here), (other, there)):
        untouched &= ran.before.memory.matrix[:, columns] == after
    differ = (here != there) & ~untouched & both[:, np.newaxis]

    def text_of(row: int) -> str:
        column = int(np.argmax(differ[row]))
        where = subject.describe(addresses[column])
        return f"{where} does not: ${here[row, column]:02X} or ${there[row, column]:02X}"

    if addresses:
        yield Failure(DEPENDS, differ.any(axis=1), text_of, other.before)


def output_keys(subject: Subject) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The registers and flags that are outputs, and the addresses."""
    keys = subject.outputs
    return (
        tuple(key for key in keys if isinstance(key, str)),
        tuple(key for key in keys if isinstance(key, int)),
    )


def secrets(one: Ran, other: Ran) -> Iterator[Failure]:
    """That two runs that differ in secrets only take the same time and end the same way."""
    statement = secret_statement(one.subject)
    here, there = one.done, other.done
    both = one.reached & other.reached
    rows = both & (
        (here.cycles != there.cycles)
        | (here.places != there.places)
        | (here.last != there.last)
        | (here.lowest != there.lowest)
    )

    def detail(row: int) -> str:
        unit = one.subject.abi.cycles
        return f"it takes {here.cycles[row]:,} or {there.cycles[row]:,} {unit}"

    if rows.any():
        yield Failure(statement, rows, detail, other.before)


def secret_statement(subject: Subject) -> Statement:
    """What is claimed of secrets."""
    names = ", ".join(str(getattr(i, "name", i)) for i in subject.contract.secrets)
    return Statement(StatementKind.SECRET, f"keeps {names} secret")
