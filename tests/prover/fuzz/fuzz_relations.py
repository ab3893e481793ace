"""Changes of a program that change no verdict: other names, other places, code put elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from fuzz_nouns import M6502, Contract, Item, Mem, Program, Routine
from fuzz_terms import All, Bin, Cell, Old, Reg, Term, Within

Relation = Callable[[Program, Random], tuple[Program, Program] | None]
"""Gives two programs whose ``main`` has to have the same verdict; None: it does not fit."""

_STACK = re.compile(r"\b(ph[ap]|pl[ap]|ts[x]|txs|push|pop|sp|jsr|call|rts|ret)\b")
_PUSH = re.compile(r"(ph[ap]|push)\b")
_PULL = re.compile(r"(pl[ap]|pop)\b")
_LOOK = re.compile(r"\b(tsx|sp)\b")
_JUMP = re.compile(r"\b(j\w\w?|b\w\w) ")
_OPPOSITE = {"bne": "beq", "bpl": "bmi", "jr nz,": "jr z,"}


def _word(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[@.]?\b\w+\b", lambda match: names.get(match[0], match[0]), text)


def _term(term: Term, names: Mapping[str, str]) -> Term:
    match term:
        case Cell(name, index):
            inner = None if index is None else _term(index, names)
            return Cell(names.get(name, name), inner)
        case Reg(name) if name.startswith("&"):
            return Reg("&" + names.get(name[1:], name[1:]))
        case Old(inner):
            found = _term(inner, names)
            assert isinstance(found, Reg | Cell)
            return Old(found)
        case Bin(op, left, right):
            return Bin(op, _term(left, names), _term(right, names))
        case Within(inner, low, high):
            return Within(_term(inner, names), low, high)
        case All(low, high, body):
            return All(low, high, _term(body, names))
        case _:
            return term


def _items(items: tuple[Item, ...], names: Mapping[str, str]) -> tuple[Item, ...]:
    return tuple(
        Mem(names.get(item.name, item.name), item.size) if isinstance(item, Mem) else item
        for item in items
    )


def renamed(contract: Contract, names: Mapping[str, str]) -> Contract:
    """The contract with other names for memory."""
    return replace(
        contract,
        inputs=_items(contract.inputs, names),
        outputs=_items(contract.outputs, names),
        clobbers=_items(contract.clobbers, names),
        secrets=_items(contract.secrets, names),
        requires=tuple(_term(each, names) for each in contract.requires),
        ensures=tuple(_term(each, names) for each in contract.ensures),
        invariants=tuple(
            (label, tuple(_term(each, names) for each in terms))
            for label, terms in contract.invariants
        ),
        decreases=tuple((label, _term(each, names)) for label, each in contract.decreases),
    )


def _main(program: Program) -> tuple[Routine, Contract]:
    main = program.routine("main")
    assert main.contract is not None
    return main, main.contract


def _loose(program: Program, stack: bool = False) -> Program:
    """Without the claims that a change cannot keep: cycles, and the stack if so."""
    for routine in program.routines:
        if routine.contract is not None:
            kept = replace(routine.contract, cycles=None, constant=False)
            kept = replace(kept, stack=None) if stack else kept
            program = program.with_contract(routine.name, kept)
    return program


def other_names(program: Program, chance: Random) -> tuple[Program, Program]:
    """Two variables change places."""
    one, other = chance.sample(("n", "m", "t", "u"), 2)
    names = {one: other, other: one}
    changed = program
    for routine in program.routines:
        code = tuple(_word(line, names) for line in routine.code)
        contract = routine.contract and renamed(routine.contract, names)
        changed = changed.replaced(replace(routine, code=code, contract=contract))
    return program, changed


def other_alias(program: Program, chance: Random) -> tuple[Program, Program]:
    """The contract calls the array by another name."""
    main, contract = _main(program)
    return program, program.with_contract(main.name, renamed(contract, {"arr": "front"}))


def padded(program: Program, chance: Random) -> tuple[Program, Program] | None:
    """A nop first."""
    main, contract = _main(program)
    if _elsewhere(program) or _sees_its_caller(program):
        return None
    each = 2 if program.machine is M6502 else 1
    if contract.cycles is not None:
        low, high = contract.cycles
        contract = replace(contract, cycles=(low + each, high + each))
    code = ("nop", *main.code)
    return program, program.replaced(replace(main, code=code, contract=contract))


def moved(program: Program, chance: Random) -> tuple[Program, Program] | None:
    """The routines in another order."""
    if len(program.routines) < 2 or _sees_its_caller(program):
        return None
    program = _loose(program)
    return program, replace(program, routines=program.routines[::-1])


def outlined(program: Program, chance: Random) -> tuple[Program, Program] | None:
    """A piece of the code in a routine of its own, which has no contract."""
    main, _ = _main(program)
    runs: list[tuple[int, int]] = []
    for start in range(len(main.code)):
        for end in range(start + 1, min(start + 5, len(main.code))):
            piece = main.code[start:end]
            if all(_plain(line) for line in piece):
                runs.append((start, end))
    if not runs or any(_STACK.search(line) for line in main.code[:-1]):
        return None
    program = _loose(program, stack=True)
    main, _ = _main(program)
    start, end = chance.choice(runs)
    call, back = ("jsr piece", "rts") if program.machine is M6502 else ("call piece", "ret")
    piece = Routine("piece", (*main.code[start:end], back))
    code = (*main.code[:start], call, *main.code[end:])
    changed = program.replaced(replace(main, code=code))
    return program, replace(changed, routines=(piece, *changed.routines))


def unrolled(program: Program, chance: Random) -> tuple[Program, Program] | None:
    """One turn of a loop before it."""
    if _sees_its_caller(program):
        return None
    main, _ = _main(program)
    for at, line in enumerate(main.code):
        if not line.endswith(":"):
            continue
        label = line[:-1]
        for end in range(at + 1, len(main.code)):
            if main.code[end].endswith(":"):
                break
            jump = next((j for j in _OPPOSITE if main.code[end] == f"{j} {label}"), None)
            if jump is None:
                continue
            body = main.code[at + 1 : end]
            if any(_JUMP.match(each) and not each.startswith("jsr") for each in body):
                break
            over = f"{program.machine.mark}over"
            turn = (*body, f"{_OPPOSITE[jump]} {over}")
            code = (*main.code[:at], *turn, *main.code[at : end + 1], f"{over}:")
            program = _loose(program)
            main, _ = _main(program)
            changed = replace(main, code=(*code, *main.code[end + 1 :]))
            return program, program.replaced(changed)
    return None


def _plain(line: str) -> bool:
    return not (line.endswith(":") or _STACK.search(line) or _JUMP.match(line))


def _sees_its_caller(program: Program) -> bool:
    """Whether a routine that is called may read its return address: that tells where the call
    stands. (``main`` is called from the same place whatever the program.)"""
    for routine in program.routines:
        depth = 0
        for line in routine.code if routine.name != "main" else ():
            depth += bool(_PUSH.match(line)) - bool(_PULL.match(line))
            if depth < 0 or _LOOK.search(line):
                return True
    return False


def _elsewhere(program: Program) -> bool:
    """Whether the code may reach another page, where branches take longer."""
    return sum(len(routine.code) for routine in program.routines) > 80


RELATIONS: dict[str, Relation] = {
    "other names": other_names,
    "another alias": other_alias,
    "padded": padded,
    "moved": moved,
    "outlined": outlined,
    "unrolled": unrolled,
}
"""All that are tried."""
