"""Contracts and code that are changed so that a statement may not hold any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from fuzz_nouns import Contract, Item, Mem, Program, Routine
from fuzz_terms import All, Bin, Cell, Num, Old, Reg, Term, Within

Change = Callable[[Contract, Random], Contract | None]
_CODE = {
    **{"clc": "sec", "sed": "cld", "sei": "cli", "inc": "dec", "adc": "sbc", "beq": "bne"},
    **{"bcc": "bcs", "di": "ei", "and": "or", "jr z": "jr nz", "plp": "pla", "tsx": "txs"},
}
_OTHER = {"==": "!=", "<=": "<", ">=": ">", "+": "-", "&": "^"}


def broken(program: Program, name: str, chance: Random) -> tuple[str, Program]:
    """What was changed, and the program with it. What is changed may hold all the same."""
    routine = program.routine(name)
    contract = routine.contract
    assert contract is not None
    for _ in range(30):
        if chance.random() < 0.25:
            changed, what = _other_code(routine, chance), "code"
            if changed is not None:
                return what, program.replaced(changed)
            continue
        what = chance.choice(list(CHANGES))
        other = CHANGES[what](contract, chance)
        if other is not None and other != contract:
            return what, program.with_contract(name, other)
    return "nothing", program


def _other_code(routine: Routine, chance: Random) -> Routine | None:
    """An instruction less, or one that is a bit different."""
    code = list(routine.code)
    able = [at for at, line in enumerate(code[:-1]) if not line.endswith(":")]
    if not able:
        return None
    at = chance.choice(able)
    line = code[at]
    swaps = {"arr": "tail", "tail": "mid", "mid": "front", "front": "arr"}
    swaps |= _CODE
    names = [name for name in swaps if name in line]
    if names and chance.random() < 0.5:
        name = chance.choice(names)
        code[at] = line.replace(name, swaps[name], 1)
    else:
        del code[at]
    return replace(routine, code=tuple(code))


# ------------------------------------------------------------ terms


def _varied(term: Term, chance: Random) -> Term:
    """The term with a number or an operator that is another."""
    match term:
        case Num(value):
            return Num(max(value + chance.choice((-1, 1)), 0))
        case Within(inner, low, high):
            way = chance.randrange(5)
            if way == 4 and inner != (other := _varied(inner, chance)):
                return Within(other, low, high)
            limits = [(low + 1, high), (low, high - 1), (max(low - 1, 0), high), (low, high + 1)]
            low, high = limits[way % 4]
            return Within(inner, low, max(low, high))
        case All(low, high, body):
            return All(low, high, _varied(body, chance))
        case Old(Reg() as inner):
            return inner
        case Bin(op, left, right):
            way = chance.random()
            if way < 0.2 and op in _OTHER:
                return Bin(_OTHER[op], left, right)
            if way < 0.6:
                return Bin(op, _varied(left, chance), right)
            return Bin(op, left, _varied(right, chance))
        case Cell(name, Num(value)):
            return Cell(name, Num(value ^ 1))
        case _:
            return term


def _one_less(items: tuple[Item, ...], chance: Random) -> tuple[Item, ...]:
    at = chance.randrange(len(items))
    return items[:at] + items[at + 1 :]


# ------------------------------------------------------------ the changes


def _ensures(contract: Contract, chance: Random) -> Contract | None:
    if not contract.ensures:
        return None
    at = chance.randrange(len(contract.ensures))
    terms = list(contract.ensures)
    terms[at] = _varied(terms[at], chance)
    return replace(contract, ensures=tuple(terms))


def _clobber(contract: Contract, chance: Random) -> Contract | None:
    if not contract.clobbers:
        return None
    return replace(contract, clobbers=_one_less(contract.clobbers, chance))


def _output(contract: Contract, chance: Random) -> Contract | None:
    if not contract.outputs:
        return None
    return replace(contract, outputs=_one_less(contract.outputs, chance), ensures=())


def _more_output(contract: Contract, chance: Random) -> Contract | None:
    """A clobber is an output; what it depends on need not be an input."""
    if not contract.clobbers:
        return None
    item = chance.choice(contract.clobbers)
    rest = tuple(each for each in contract.clobbers if each != item)
    return replace(contract, outputs=(*contract.outputs, item), clobbers=rest)


def _input(contract: Contract, chance: Random) -> Contract | None:
    able = [item for item in contract.inputs if item not in contract.secrets]
    named = {n for term in contract.requires for n in _named(term)}
    able = [item for item in able if (item.name if isinstance(item, Mem) else item) not in named]
    if not able:
        return None
    gone = chance.choice(able)
    return replace(contract, inputs=tuple(each for each in contract.inputs if each != gone))


def _named(term: Term) -> set[str]:
    match term:
        case Reg(name) | Cell(name, _):
            return {name}
        case Within(inner, _, _):
            return _named(inner)
        case Bin(_, left, right):
            return _named(left) | _named(right)
        case _:
            return set()


def _cycles(contract: Contract, chance: Random) -> Contract | None:
    if contract.cycles is None:
        return None
    low, high = contract.cycles
    changes = [(low + 1, high), (low, high - 1), (low - 1, high), (low, high + 1)]
    low, high = chance.choice(changes)
    return replace(contract, cycles=(low, max(low, high)))


def _constant(contract: Contract, chance: Random) -> Contract | None:
    if contract.cycles is None:
        return None
    end = chance.choice(contract.cycles)
    return replace(contract, cycles=(end, end), constant=True)


def _stack(contract: Contract, chance: Random) -> Contract | None:
    if not contract.stack:
        return None
    return replace(contract, stack=contract.stack - chance.choice((1, 1, 2)))


def _alias(contract: Contract, chance: Random) -> Contract | None:
    """Another name for memory, of other bytes."""
    fields = [
        name
        for name in ("inputs", "outputs", "clobbers")
        if any(isinstance(item, Mem) and item.size in (4, 8) for item in getattr(contract, name))
    ]
    if not fields:
        return None
    name = chance.choice(fields)
    items = list(getattr(contract, name))
    at = chance.choice([n for n, i in enumerate(items) if isinstance(i, Mem) and i.size in (4, 8)])
    if items[at].name == "buf":
        items[at] = Mem("buf", 3)
    else:
        items[at] = Mem(chance.choice(("front", "mid", "tail")), 4)
    changed = {name: tuple(items), "secrets": ()}
    return replace(contract, **changed, ensures=())


def _invariant(contract: Contract, chance: Random) -> Contract | None:
    if not contract.invariants:
        return None
    at = chance.randrange(len(contract.invariants))
    label, terms = contract.invariants[at]
    which = chance.randrange(len(terms))
    if len(terms) > 1 and chance.random() < 0.3:
        changed = terms[:which] + terms[which + 1 :]
    else:
        changed = (*terms[:which], _varied(terms[which], chance), *terms[which + 1 :])
    found = list(contract.invariants)
    found[at] = label, changed
    return replace(contract, invariants=tuple(found))


def _decreases(contract: Contract, chance: Random) -> Contract | None:
    if not contract.decreases:
        return None
    at = chance.randrange(len(contract.decreases))
    label, term = contract.decreases[at]
    way = chance.randrange(4)
    if way == 0:
        term = Num(5)
    elif way == 1:
        term = Bin("-", Num(255), term)
    elif way == 2:
        term = Bin("-", term, Num(chance.choice((1, 2))))
    else:
        return replace(contract, decreases=())
    found = list(contract.decreases)
    found[at] = label, term
    return replace(contract, decreases=tuple(found))


def _requires(contract: Contract, chance: Random) -> Contract | None:
    if not contract.requires:
        return None
    at = chance.randrange(len(contract.requires))
    terms = list(contract.requires)
    terms[at] = _varied(terms[at], chance)
    return replace(contract, requires=tuple(terms))


def _contradiction(contract: Contract, chance: Random) -> Contract | None:
    able = [item for item in contract.inputs if item in ("A", "X", "B", "C", "Y")]
    if not able:
        return None
    register = Reg(str(chance.choice(able)))
    impossible = (
        (Bin("<", register, Num(5)), Bin(">", register, Num(10))),
        (Bin("==", Bin("*", register, register), Num(2)),),
        (Bin("==", Bin("&", register, Num(1)), Num(2)),),
    )
    return replace(contract, requires=(*contract.requires, *chance.choice(impossible)))


def _secret(contract: Contract, chance: Random) -> Contract | None:
    able = [item for item in contract.inputs if item not in contract.secrets]
    if not able:
        return None
    return replace(contract, secrets=(*contract.secrets, chance.choice(able)))


CHANGES: dict[str, Change] = {
    "ensures": _ensures,
    "clobber dropped": _clobber,
    "output dropped": _output,
    "clobber is an output": _more_output,
    "input dropped": _input,
    "cycles": _cycles,
    "constant cycles": _constant,
    "stack": _stack,
    "alias": _alias,
    "invariant": _invariant,
    "decreases": _decreases,
    "requires": _requires,
    "contradiction": _contradiction,
    "secret": _secret,
}
"""The ways to break a contract."""
