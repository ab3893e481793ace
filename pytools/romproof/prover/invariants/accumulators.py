"""What holds a result while a loop works on it: often a register that is stored behind it.

``@l: clc / adc u / bcc @n / inc r+1 / @n: dex / bne @l / sta r`` has the lower byte of r in A. So
what is ensured of r is said of ``A + 256 * r[1]`` in the loop. Nobody trusts what is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Register
from romproof.prover.exploration.explore import Exploration
from romproof.prover.invariants.quantities import quantities
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.term import Term

WIDEST = 4
"""Bytes of a result that is looked for."""


def find_holders(exploration: Exploration, head: int) -> dict[str, str]:
    """What contracts call results that a loop leaves alone, and what it changes that is the result
    where the routine returns from it."""
    own = [leg for leg in exploration.legs if leg.begin == head]
    last = [dict(_holders(exploration, leg.at)) for leg in own if leg.end != head]
    if not last:
        return {}
    changing: dict[str, None] = {}
    for leg in own:
        before, after = (dict(_holders(exploration, state)) for state in (leg.first, leg.at))
        if leg.end == head:
            changing |= {text: None for text in after if after[text] is not before[text]}
    found: dict[str, str] = {}
    for names in _results(exploration):
        texts = [_find_holder(name, changing, last) for name in names]
        if None in texts or texts == names:
            continue
        found |= {name: text for name, text in zip(names, texts, strict=True) if text}
        if len(names) > 1:
            factors = [f"{256**place} * " if place else "" for place in range(len(names))]
            parts = (f"{factor}{text}" for factor, text in zip(factors, texts, strict=True))
            found[names[0].partition("[")[0]] = f"({' + '.join(parts)})"
    return found


def _find_holder(
    name: str, changing: Iterable[str], last: Sequence[Mapping[str, Term]]
) -> str | None:
    """What a loop changes that is ``name`` in the end; None where nothing is."""
    if name in changing:
        return name
    same = (each for each in changing if all(end[each] is end[name] for end in last))
    return next(same, None)


def _holders(exploration: Exploration, state: State) -> Iterator[tuple[str, Term]]:
    """Single bytes as contracts write them, and what they are in a state."""
    contract, start = exploration.start.contract, exploration.start
    for what in quantities(start, contract, exploration):
        if what.width == 8:
            yield what.text, what.at(state)
    for item in (*contract.inputs, *contract.outputs, *contract.clobbers):
        if isinstance(item, MemoryRange) and 1 < item.size <= WIDEST:
            which = exploration.entry.memory.layout.object_at(item.address)
            if which not in exploration.indexed:
                for place, address in enumerate(item.addresses()):
                    yield f"{item.name}[{place}]", state.memory.byte(address)


def _results(exploration: Exploration) -> Iterator[list[str]]:
    """The bytes of each result, the lowest first."""
    start = exploration.start
    known = dict(_holders(exploration, exploration.entry))
    for item in start.contract.outputs:
        if isinstance(item, MemoryRange):
            whole = item.size > 1 and f"{item.name}[{item.size - 1}]" in known
            names = [f"{item.name}[{n}]" for n in range(item.size)] if whole else [item.name]
        elif isinstance(item, Register):
            names = (
                [item.name] if register_name(start.abi, item) in start.program.cpu.registers else []
            )
        else:
            continue
        if names and all(name in known for name in names):
            yield names
