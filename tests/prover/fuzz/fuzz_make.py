"""Whole cases: a program by a seed, and contracts that hold or are broken on purpose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from fuzz_break import broken
from fuzz_draft import Callee, Draft, Generator, routine_of
from fuzz_gen_6502 import Generator6502
from fuzz_gen_sm83 import GeneratorSm83
from fuzz_nouns import M6502, SM83, Machine, Program
from fuzz_observe import Unusable, observed
from fuzz_states import SOME, Bench
from fuzz_terms import Reg
from fuzz_truth import truths

from romproof.isa.abi import SM83 as SM83_ABI
from romproof.text.diagnostic import BuildFailed

INTERRUPTS = "IME" in SM83_ABI.items
"""Whether contracts can name the interrupt enable of the SM83."""


TRIES = 3
"""Changes that are tried until one makes a statement false."""


@dataclass(frozen=True)
class FuzzCase:
    """A program with contracts. ``change`` says what was broken, in which routine."""

    seed: int
    program: Program
    change: str = ""
    where: str = ""


def case_of(seed: int, small: bool = False) -> FuzzCase:
    """The case of a seed, quickly proved if it is ``small``; half of them are broken."""
    for attempt in range(50):
        chance = Random(f"{seed} {attempt}")
        try:
            found = _made(seed, chance, small)
        except (Unusable, BuildFailed):
            continue
        return found
    raise AssertionError(f"seed {seed}: fifty programs were of no use")


def _made(seed: int, chance: Random, small: bool) -> FuzzCase:
    machine: Machine = chance.choice((M6502, SM83))
    generator: Generator
    if machine is M6502:
        generator = Generator6502(chance)
    else:
        generator = GeneratorSm83(chance)
        generator.interrupts = INTERRUPTS
    drafts: list[Draft] = []
    for number in range(chance.choice((0, 0, 0, 1) if small else (0, 1, 1, 2, 2))):
        draft = generator.routine(f"sub{number}", chance.choice((0, 1, 1)), 2)
        ranges = tuple(
            (term.name, low, high) for term, low, high in draft.ranges if isinstance(term, Reg)
        )
        generator.callees.append(Callee(draft.name, ranges, frozenset(draft.touches)))
        drafts.append(draft)
    depth, statements = chance.randint(1, 2), chance.choice((2, 3, 4))
    drafts.append(generator.routine("main", 1 if small else depth, 2 if small else statements))
    if machine is M6502:
        for draft in drafts[-1:]:
            draft.decimal = chance.random() < 0.05
    page = chance.choice((0x80, 0xFC, 0xF9))
    program = Program(machine, tuple(map(routine_of, drafts)), page)
    bench = Bench(program)
    for draft in drafts:
        contract = observed(bench, draft, chance, INTERRUPTS, SOME // 8 if small else SOME)
        program = program.with_contract(draft.name, contract)
    names = [draft.name for draft in drafts]
    for name in names[:-1]:
        if chance.random() < 0.15:
            program = program.with_contract(name, None)
    if chance.random() < 0.4:
        return FuzzCase(seed, program)
    where = names[-1]
    if chance.random() < 0.3:
        where = chance.choice([n for n in names if program.routine(n).contract is not None])
    for _ in range(1 if small else TRIES):
        change, changed = broken(program, where, chance)
        if chance.random() < 0.2:
            second, changed = broken(changed, where, chance)
            change += f", {second}"
        if small or _is_false(changed, where, seed):
            return FuzzCase(seed, changed, change, where)
    return FuzzCase(seed, changed, change, where)


def _is_false(program: Program, name: str, seed: int) -> bool:
    """Whether a few runs show that a contract does not hold; it may be refused, too."""
    contract = program.routine(name).contract
    assert contract is not None
    try:
        bench = Bench(program)
    except BuildFailed:
        return False
    return bool(truths(bench, name, contract, seed, 500, 4096).false)


def without_contract(program: Program, name: str) -> Program:
    """The program with one contract less."""
    return program.replaced(replace(program.routine(name), contract=None))
