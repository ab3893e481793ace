"""What is true of a contract: each statement, held against runs on the engines.

A statement is False when some run breaks it, and then it is false for certain; True when all
inputs were tried, or SOME random ones, and none does; None when runs cannot tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from fuzz_nouns import Contract, Item, Mem
from fuzz_states import BUDGET, MAX, SOME, Bench
from fuzz_terms import value
from fuzz_values import Ends, States, base_of, cells, holds
from fuzz_watch import read_first, trace

from romproof.engine.batch import RunOutcome

WATCHED = 6_000
"""Bus cycles that are looked at one by one, for each routine."""
FOLLOWED = 400
"""Runs that are stopped at every label with an invariant; there may be more of short ones."""
WIDE = 800
"""Runs after which all memory is looked at."""
PAIRS = 2_000
"""Pairs of runs with other secrets whose time is compared; of some the way, too."""
HANGING = 2_000
"""Cycles that are looked at of runs that may not end."""
FIRST = 256
"""Runs that are tried before all others."""


@dataclass(frozen=True)
class Truth:
    """Whether a statement holds; if not, ``why``, with the input."""

    holds: bool | None
    why: str = ""


@dataclass(frozen=True)
class Truths:
    """All statements of a contract, by their names; ``ends`` says whether all runs return.

    ``exhaustive``: all inputs were tried. ``visited`` labels were come to.
    """

    found: Mapping[str, Truth]
    ends: bool
    exhaustive: bool
    inputs: int

    def is_false(self, name: str) -> bool:
        """Whether a run breaks a statement."""
        return self.found[name].holds is False

    @property
    def false(self) -> list[str]:
        """The statements that runs break."""
        return [name for name, truth in self.found.items() if truth.holds is False]

    @property
    def all_true(self) -> bool:
        """Whether nothing was found against any statement, and runs can tell of all."""
        return all(truth.holds for truth in self.found.values())


def truths(
    bench: Bench, name: str, contract: Contract, seed: int, some: int = SOME, most: int = MAX
) -> Truths:
    """Hold a contract against all inputs if there are at most ``most``, else ``some``."""
    return _Judge(bench, name, contract, seed, some, most=most).judged()


def judged_on(bench: Bench, name: str, contract: Contract, states: States, seed: int) -> Truths:
    """The same for some given states, as far as the contract allows them."""
    allowed = np.flatnonzero(holds(contract.requires, states))
    return _Judge(bench, name, contract, seed, 0, states.taken(allowed)).judged()


def judged_pair(
    bench: Bench, name: str, contract: Contract, one: States, other: States, statement: str
) -> bool:
    """Whether two inputs, alike in all that they should be, show that a statement is false."""
    if statement == "secret":
        pair = (one.taken(slice(0, 1)), other.taken(slice(0, 1)))
        return trace(bench, name, pair[0]) != trace(bench, name, pair[1])
    first, second = bench.run(name, one), bench.run(name, other)
    if (first.cycles != second.cycles).any() or (first.outcomes != second.outcomes).any():
        return True
    for item in contract.outputs:
        if isinstance(item, Mem):
            base, start = base_of(item.name)
            rows = first.after.memory[base], second.after.memory[base]
            here = slice(start, start + item.size)
            if (rows[0][:, here] != rows[1][:, here]).any():
                return True
        elif (first.after.registers[item] != second.after.registers[item]).any():
            return True
    return False


class _Judge:
    """The runs of one routine, and what they say."""

    def __init__(
        self,
        bench: Bench,
        name: str,
        contract: Contract,
        seed: int,
        some: int,
        given: States | None = None,
        most: int = MAX,
    ) -> None:
        self.bench, self.name, self.contract = bench, name, contract
        self.chance = np.random.default_rng([seed, 77])
        everything = bench.all_of(contract, self.chance, most) if given is None else None
        self.exhaustive = everything is not None
        if everything is None:
            everything = given or bench.drawn(contract, some, self.chance)
        self.states = everything
        self.found: dict[str, Truth] = {}

    def say(self, statement: str, wrong: Any, why: str, states: States) -> None:
        """The statement is false where ``wrong`` is; ``states`` are those at the entry."""
        if statement in self.found and self.found[statement].holds is False:
            return
        rows = np.flatnonzero(np.broadcast_to(np.asarray(wrong, bool), (len(states),)))
        if len(rows):
            self.found[statement] = Truth(False, f"{why}: {states.told(int(rows[0]))}")
        else:
            self.found.setdefault(statement, Truth(True))

    def unclear(self, statement: str) -> None:
        """Runs cannot tell; unless one was found that breaks it."""
        if statement not in self.found or self.found[statement].holds:
            self.found[statement] = Truth(None)

    def judged(self) -> Truths:
        """All statements."""
        if not len(self.states):
            return Truths({"requires": Truth(False, "no input is allowed")}, True, True, 0)
        spread = np.linspace(0, len(self.states) - 1, min(WIDE, len(self.states))).astype(int)
        few = self.states.taken(np.unique(spread))
        ends = self.bench.run(self.name, few.taken(slice(0, FIRST)))
        runaway = bool((ends.outcomes == RunOutcome.LIMIT).any())
        if runaway:
            few = self.states = few.taken(slice(0, FIRST))
            self.exhaustive = False
        else:
            ends = self.bench.run(self.name, self.states)
        self._returns(self.states, ends)
        self._registers(ends)
        self._results(self.states, ends)
        self._memory(few)
        self._depends(ends)
        if self.contract.invariants:
            self._visits(HANGING if runaway else BUDGET)
        self._watched()
        all_end = bool((ends.outcomes == RunOutcome.REACHED).all())
        return Truths(self.found, all_end, self.exhaustive, len(self.states))

    def _back(self, ends: Ends) -> Any:
        return ends.outcomes == RunOutcome.REACHED

    def _returns(self, states: States, ends: Ends) -> None:
        hangs = ends.outcomes == RunOutcome.LIMIT
        self.say("ends", hangs, "it does not end", states)
        astray = ends.pc != self.bench.end_of(states.stack)
        fault = ~hangs & (~self._back(ends) | astray)
        self.say("returns", fault, "it does not come back", states)
        unbalanced = self._back(ends) & (ends.after.stack != states.stack + 2)
        self.say("returns", unbalanced, "pushes and pulls do not balance", states)

    def _registers(self, ends: Ends) -> None:
        before, back = ends.after.old, self._back(ends)
        allowed = self.contract.may_change()
        self.say("preserves", False, "", before)
        for name, values in ends.after.registers.items():
            if name not in allowed:
                changed = back & (values != before.registers[name])
                self.say("preserves", changed, f"{name} changes", before)

    def _results(self, states: States, ends: Ends) -> None:
        contract, back = self.contract, self._back(ends)
        for number, condition in enumerate(contract.ensures):
            fails = back & (value(condition, ends.after) == 0)
            self.say(f"ensures {number}", fails, "it does not hold", states)
        if contract.stack is not None:
            used = states.stack - ends.lowest
            self.say("stack", used > contract.stack, f"it uses {int(used.max())}", states)
        written = {cell for item in contract.may_change() for cell in cells(item)}
        for name, rows in ends.after.memory.items():
            kept = [at for at in range(rows.shape[1]) if (name, at) not in written]
            changed = (rows[:, kept] != states.memory[name][:, kept]).any(axis=1)
            self.say("changes", back & changed, f"{name} changes", states)
        if contract.cycles is not None and back.all():
            low, high = contract.cycles
            least, most = int(ends.cycles.min()), int(ends.cycles.max())
            outside = (ends.cycles < low) | (ends.cycles > high)
            self.say("cycles", outside, f"it takes {least}..{most}", states)
            # whether calls take as many is another word
            if (least, most) != (low, high) and not self.exhaustive:
                self.unclear("cycles")
        elif contract.cycles is not None:
            low, high = contract.cycles
            outside = back & ((ends.cycles < low) | (ends.cycles > high))
            self.say("cycles", outside, "it takes another time", states)
            self.unclear("cycles")

    def _memory(self, few: States) -> None:
        """No other memory changes, the variables apart, which were looked at for all runs."""
        ends = self.bench.run(self.name, few, wide=True)
        back = self._back(ends)
        listed = {
            self.bench.addresses[name] + at
            for item in self.contract.may_change()
            for name, at in cells(item)
        }
        for (start, size), (before, after) in ends.wide.items():
            differs = before != after
            allowed = [a - start for a in listed if start <= a < start + size]
            differs[:, allowed] = False
            rows, columns = np.nonzero(differs)
            base = self.bench.abi.stack_base
            low, high = ends.lowest + base, few.stack + 2 + base
            address = columns + start
            strange = (address < low[rows]) | (address >= high[rows])
            bad = np.zeros(len(few), bool)
            bad[rows[strange]] = True
            self.say("changes", back & bad, "other memory changes", few)

    def _depends(self, ends: Ends) -> None:
        """Outputs and time, when all that is no input is another."""
        states, contract = self.states, self.contract
        outputs = [item for item in contract.outputs if isinstance(item, Mem)]
        kept: list[Item] = [*contract.inputs, *outputs]
        others = self.bench.with_others(states, kept, self.chance, contract)
        # what requires says of things that are not inputs holds for the other run, too
        also = holds(contract.requires, others)
        second = self.bench.run(self.name, others)
        both = also & self._back(ends) & self._back(second)
        self.say("depends", False, "", states)
        self.say("depends", also & (ends.outcomes != second.outcomes), "how it ends", states)
        for item in contract.outputs:
            if isinstance(item, Mem):
                base, start = base_of(item.name)
                here = slice(start, start + item.size)
                one, other = ends.after.memory[base], second.after.memory[base]
                differs = (one[:, here] != other[:, here]).any(axis=1)
            else:
                differs = ends.after.registers[item] != second.after.registers[item]
            self.say("depends", both & differs, f"{item} depends on what is not an input", states)
        timed = both & (ends.cycles != second.cycles)
        self.say("depends", timed, "the time depends on what is not an input", states)
        unlisted = {cell for item in outputs for cell in cells(item)}
        unlisted -= {cell for item in contract.inputs for cell in cells(item)}
        if unlisted and self.found["depends"].holds:
            # bytes that are not written stay, which may count as an input or not
            free = self.bench.with_others(states, contract.inputs, self.chance, contract)
            third = self.bench.run(self.name, free)
            for name, at in unlisted:
                one, other = ends.after.memory[name][:, at], third.after.memory[name][:, at]
                if (one != other).any() or (ends.cycles != third.cycles).any():
                    self.unclear("depends")

    def _visits(self, limit: int) -> None:
        """Invariants and what decreases, at each visit of their labels."""
        bench, contract = self.bench, self.contract
        conditions: dict[int, list[tuple[str, Any]]] = {}
        for label, terms in contract.invariants:
            at = bench.label(self.name, label)
            for number, term in enumerate(terms):
                conditions.setdefault(at, []).append((f"invariant {label} {number}", term))
                self.found[f"invariant {label} {number}"] = Truth(True)
        few = self.states.taken(slice(0, 1))
        turns = len(bench.visits(self.name, few, list(conditions), limit))
        most = max(FOLLOWED, min(SOME, 60_000 // max(turns, 1)))
        rows = self.chance.permutation(len(self.states))[:most]
        states = self.states.taken(np.sort(rows))
        measures = {bench.label(self.name, label): (label, t) for label, t in contract.decreases}
        last = {at: np.full(len(states), -1, np.int64) for at in measures}
        changed = np.zeros(len(states), bool)
        missed = set(conditions)
        for at in measures:
            self.found[f"decreases {measures[at][0]}"] = Truth(True)
        for who, here, places, _ in bench.visits(self.name, states, list(conditions), limit):
            for at, named in conditions.items():
                present = np.flatnonzero(places == at)
                if not len(present):
                    continue
                missed.discard(at)
                now, these = here.taken(present), states.taken(who[present])
                for statement, term in named:
                    self.say(statement, value(term, now) == 0, "it does not hold", these)
                for register, values in now.registers.items():
                    differs = values != these.registers[register]
                    if register not in contract.may_change() and differs.any():
                        self.unclear("preserves")
                changed[who[present]] |= now.stack != these.stack
                if at in measures:
                    label, term = measures[at]
                    number = np.broadcast_to(value(term, now), (len(present),))
                    before = last[at][who[present]]
                    self.say(f"natural {label}", number < 0, "it is negative", these)
                    grows = (before >= 0) & (number >= before)
                    if grows.any() and len(measures) > 1:
                        self.unclear(f"decreases {label}")
                    else:
                        self.say(f"decreases {label}", grows, "it does not decrease", these)
                    last[at][who[present]] = number
        if missed:
            self.unclear("reached")  # no run came there: perhaps none can

    # ------------------------------------------------------------ one bus cycle after the other

    def _watched(self) -> None:
        """What is read before it was written, and whether accesses depend on secrets."""
        self.found.setdefault("reads", Truth(True))
        fixed = self.bench.fixed
        declared = {
            self.bench.addresses[name] + at
            for item in self.contract.inputs
            for name, at in cells(item)
        }
        known = frozenset(fixed | declared)
        spent = 0
        order = self.chance.permutation(len(self.states))
        for row in order:
            if spent > WATCHED:
                break
            state = self.states.taken(slice(int(row), int(row) + 1))
            accesses = trace(self.bench, self.name, state)
            spent += len(accesses) + 50
            strange = read_first(accesses, known, self._returns_at(state))
            self.say("reads", strange is not None, f"${strange or 0:04X} is read", state)
            if self.found["reads"].holds is False:
                break
        if self.contract.secrets:
            self._secrets()

    def _secrets(self) -> None:
        """Pairs of runs that differ in secrets only."""
        secret = {cell for item in self.contract.secrets for cell in cells(item)}
        names = {item for item in self.contract.secrets if isinstance(item, str)}
        rows = self.chance.permutation(len(self.states))[:PAIRS]
        states = self.states.taken(rows)
        others = self._other_secrets(states, names, secret)
        also = np.flatnonzero(holds(self.contract.requires, others))
        ends = self.bench.run(self.name, states.taken(also))
        second = self.bench.run(self.name, others.taken(also))
        timed = ends.cycles != second.cycles
        self.say("secret", timed, "the time differs for another", states.taken(also))
        spent = 0
        for row in also if self.found["secret"].holds else ():
            if spent > 2 * WATCHED:
                break
            one, other = (s.taken(slice(int(row), int(row) + 1)) for s in (states, others))
            traces = [[each[1] for each in trace(self.bench, self.name, s)] for s in (one, other)]
            spent += len(traces[0]) + len(traces[1]) + 50
            why = f"another way than for {other.told(0)}"
            self.say("secret", traces[0] != traces[1], why, one)
            if self.found["secret"].holds is False:
                break
        if not len(also):
            self.unclear("secret")

    def _other_secrets(
        self, states: States, names: set[str], secret: set[tuple[str, int]]
    ) -> States:
        """The same states with other secrets."""
        fresh = self.bench.random(replace(self.contract, secrets=()), len(states), self.chance)
        registers = {
            name: fresh.registers[name] if name in names else values
            for name, values in states.registers.items()
        }
        memory = {}
        for name, rows in states.memory.items():
            rows = rows.copy()
            for at in range(rows.shape[1]):
                if (name, at) in secret:
                    rows[:, at] = fresh.memory[name][:, at]
            memory[name] = rows
        return replace(states, registers=registers, memory=memory)

    def _returns_at(self, state: States) -> range:
        base = int(state.stack[0]) + self.bench.abi.stack_base
        return range(base, base + 2)
