"""A contract that holds, from what runs of a routine show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from fuzz_draft import Draft, known
from fuzz_nouns import VARIABLES, Contract, Item, Mem
from fuzz_states import MAX, SOME, Bench
from fuzz_terms import All, Bin, Cell, Num, Old, Reg, Term, Var, Within, value
from fuzz_values import Ends, States, cells, holds, joined_states

from romproof.engine.batch import RunOutcome

LOOKED = 200
"""Runs that tell what results depend on."""
SUBSETS = {"front": range(0, 4), "mid": range(2, 6), "tail": range(4, 8)}


class Unusable(Exception):
    """The routine does not end, or does not come back, for some input: it is of no use."""


def observed(
    bench: Bench, draft: Draft, chance: Random, interrupts: bool, some: int = SOME
) -> Contract:
    """A contract of the routine ``draft`` of a program, from ``some`` runs. Raises Unusable."""
    return _Observer(bench, draft, chance, interrupts, some).contract()


class _Observer:
    def __init__(
        self, bench: Bench, draft: Draft, chance: Random, interrupts: bool, some: int
    ) -> None:
        self.bench, self.draft, self.chance, self.some = bench, draft, chance, some
        self.interrupts = interrupts
        self.numbers = np.random.default_rng(chance.getrandbits(32))
        machine = bench.machine
        self.everything: list[Item] = [
            *machine.registers,
            *(flag for flag in machine.flags if flag != "D" or draft.decimal),
            *(Mem(name, size) for name, size in VARIABLES.items()),
        ]
        self.base = Contract(tuple(self.everything), known(draft))
        self.states = bench.drawn(self.base, 1000, self.numbers)
        if not len(self.states):
            raise Unusable
        self.few = self.states.taken(slice(0, LOOKED))

    def contract(self) -> Contract:
        """All of it."""
        first = self.bench.run(self.draft.name, self.states.taken(slice(0, 100)))
        self._usable(first)
        ends = self.bench.run(self.draft.name, self.states)
        self._usable(ends)
        changed = self._changed(ends)
        outputs, clobbers = self._split(changed)
        inputs = self._inputs(outputs)
        part = Contract(inputs, known(self.draft), outputs, clobbers)
        most = MAX if self.some == SOME else self.some
        everything = self.bench.all_of(part, self.numbers, most)
        states = everything or self.bench.drawn(part, self.some, self.numbers)
        ends = self.bench.run(self.draft.name, states)
        self._usable(ends)
        chance, draft = self.chance, self.draft
        ensures = self._ensures(ends, outputs, everything is not None)
        cycles, constant = self._cycles(ends)
        keeps = chance.random() < 0.85
        return Contract(
            inputs,
            known(draft),
            outputs,
            clobbers,
            ensures,
            int((states.stack - ends.lowest).max()) if chance.random() < 0.6 else None,
            cycles,
            constant,
            tuple(draft.invariants),
            tuple(draft.decreases) if keeps else (),
            self._secrets(inputs),
        )

    def _usable(self, ends: Ends) -> None:
        stack = ends.after.old.stack
        back = (ends.outcomes == RunOutcome.REACHED) & (ends.after.stack == stack + 2)
        back &= ends.pc == self.bench.end_of(stack)
        if not back.all():
            raise Unusable

    def _changed(self, ends: Ends) -> list[Item]:
        """What a run changes, for good or while it is at a label with an invariant."""
        seen = [(ends.after, ends.after.old)]
        if self.draft.invariants:
            labels = [self.bench.label(self.draft.name, at) for at, _ in self.draft.invariants]
            visits = self.bench.visits(self.draft.name, self.few.taken(slice(0, 60)), labels)
            seen += [(here, here.old) for _, here, _, _ in visits]
        names: set[str] = set()
        places: set[tuple[str, int]] = set()
        for after, before in seen:
            names |= {
                name
                for name, values in after.registers.items()
                if (values != before.registers[name]).any()
            }
            for name, rows in after.memory.items():
                differs = (rows != before.memory[name]).any(axis=0)
                places |= {(name, at) for at in np.flatnonzero(differs)}
        if not self.interrupts:
            names.discard("IME")
        found: list[Item] = sorted(names)
        for name, size in VARIABLES.items():
            here = {at for variable, at in places if variable == name}
            if not here:
                continue
            item = Mem(name, size)
            if name == "arr" and self.chance.random() < 0.6:
                able = [alias for alias, part in SUBSETS.items() if here <= set(part)]
                item = Mem(self.chance.choice(able), 4) if able else item
            found.append(item)
        return found

    @cached_property
    def _influence(self) -> dict[Item | None, tuple[set[Item], bool]]:
        """For each input, and for the stack pointer (None): what of registers and variables
        depends on it, and whether the time does."""
        choices: list[Item | None] = [None, *self.everything]
        parts: list[States] = []
        for item in choices:
            kept = [each for each in self.everything if each != item]
            other = self.bench.with_others(self.few, kept, self.numbers, self.base)
            stack = other.stack if item is None else self.few.stack
            parts.append(replace(other, stack=stack))
        size = len(self.few)
        everything = joined_states([self.few, *parts])
        allowed = holds(self.base.requires, everything)
        ends = self.bench.run(self.draft.name, everything, limit=10_000)
        found: dict[Item | None, tuple[set[Item], bool]] = {}
        for number, item in enumerate(choices, start=1):
            own = slice(number * size, (number + 1) * size)
            also = allowed[own]

            def differs(rows: Any, own: slice = own, also: Any = also) -> bool:
                return bool((rows[:size][also] != rows[own][also]).any())

            names: set[Item] = {n for n, v in ends.after.registers.items() if differs(v)}
            names |= {Mem(n, VARIABLES[n]) for n, v in ends.after.memory.items() if differs(v)}
            found[item] = names, differs(ends.cycles)
        return found

    def _split(self, changed: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
        """Outputs and clobbers."""
        unstable, _ = self._influence[None]
        places = {cell for item in unstable for cell in cells(item)}
        outputs: list[Item] = []
        clobbers: list[Item] = []
        for item in changed:
            stable = item not in unstable and not cells(item) & places
            wanted = stable and self.chance.random() < 0.6
            (outputs if wanted else clobbers).append(item)
        return tuple(outputs), tuple(clobbers)

    def _inputs(self, outputs: tuple[Item, ...]) -> tuple[Item, ...]:
        """What outputs and time depend on, what is read, and a bit more."""
        found: list[Item] = []
        touched = {cell for item in self.draft.touches for cell in cells(item)}
        required = {term for term, _, _ in self.draft.ranges}
        outs = {cell for item in outputs for cell in cells(item)} | set(outputs)
        for item in self.everything:
            needed, timed = self._influence[item]
            bytes_ = {cell for each in needed for cell in cells(each)}
            matters = timed or bool((needed | bytes_) & outs)
            if isinstance(item, Mem):
                if matters or cells(item) & touched:
                    found.append(item)
            elif matters or Reg(item) in required or self.chance.random() < 0.05:
                found.append(item)
        return tuple(found)

    def _ensures(self, ends: Ends, outputs: tuple[Item, ...], whole: bool) -> tuple[Term, ...]:
        after = ends.after
        able = [term for term in self.draft.knowledge if bool((value(term, after) != 0).all())]
        able = [term for term in able if _names(term) <= set(outputs)]
        if self.draft.invariants and self.chance.random() < 0.8:
            return tuple(able)
        found: list[Term] = list(able)
        for item in outputs:
            if self.chance.random() < 0.3:
                continue
            term = self._guess(item, after, whole)
            if term is not None:
                found.append(term)
        return tuple(found[:3])

    def _guess(self, item: Item, after: States, whole: bool) -> Term | None:
        """Something that holds of an output."""
        if isinstance(item, Mem) and item.size > 1:
            body = Bin("==", Cell(item.name, Var()), Old(Cell(item.name, Var())))
            first = [Cell(item.name, Num(at)) for at in range(item.size)]
            same = [at for at, cell in enumerate(first) if _equal(after, cell, Old(cell))]
            runs = [at for at in same if {at, at + 1} <= set(same)]
            if runs:
                return All(runs[0], runs[0] + 1, body)
            return None
        place: Reg | Cell = Cell(item.name) if isinstance(item, Mem) else Reg(item)
        values = np.broadcast_to(value(place, after), (len(after),))
        options: list[Term] = []
        others = [Old(Reg(name)) for name in self.bench.machine.registers]
        others += [Old(Cell(name)) for name in ("n", "m", "t", "u")]
        for other in others:
            difference = (values - value(other, after)) & 0xFF
            if len(np.unique(difference)) == 1:
                step = int(difference[0])
                moved = Bin("&", Bin("+", other, Num(step)), Num(255)) if step else other
                options.append(Bin("==", place, moved))
        low, high = int(values.min()), int(values.max())
        if isinstance(place, Reg) and place.name in self.bench.machine.flags:
            options += [Bin("==", place, Num(low))] if low == high else []
        elif low == high:
            options.append(Bin("==", place, Num(low)))
        elif whole and (low, high) != (0, 255):
            options.append(Within(place, low, high))
        return self.chance.choice(options) if options else None

    def _cycles(self, ends: Ends) -> tuple[tuple[int, int] | None, bool]:
        share = 0.15 if self.draft.invariants else 0.6
        if self.chance.random() > share:
            return None, False
        least, most = int(ends.cycles.min()), int(ends.cycles.max())
        return (least, most), least == most and self.chance.random() < 0.5

    def _secrets(self, inputs: tuple[Item, ...]) -> tuple[Item, ...]:
        if self.chance.random() > 0.3:
            return ()
        able = [item for item in inputs if self.chance.random() < 0.3]
        return tuple(able[:2])


def _equal(after: States, one: Term, other: Term) -> bool:
    return bool((value(one, after) == value(other, after)).all())


def _names(term: Term) -> set[Item]:
    """The registers that a term is about."""
    match term:
        case Reg(name):
            return {name}
        case Cell(name, _):
            return {Mem(name, 1)}
        case Bin(_, left, right):
            return _names(left) | _names(right)
        case Within(inner, _, _):
            return _names(inner)
        case _:
            return set()
