"""What callers read of what a routine leaves in registers and flags.

An output is what some caller may read before it is written again; all else that changes is
clobbered. A register counts as read where code is not followed, where an instruction pushes it, and
after routines that nobody is seen to call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from romproof.isa.algebra import Op
from romproof.prover.infer.flows import Flows
from romproof.prover.states.entry import register_name
from romproof.timing.effects import Effect, Formula, effect_of
from romproof.timing.following import FollowedStep

LiveNames = frozenset[str]


def outputs_of(flows: Flows, memory: bytes) -> Mapping[int, LiveNames]:
    """For each public routine the registers and flags, by the names of the microcode, that are read
    after a call of it."""
    return _Liveness(flows, memory).solve()


class _Liveness:
    """One bit for each register and flag, in sets that are numbers."""

    def __init__(self, flows: Flows, memory: bytes) -> None:
        self.flows, self.memory, abi = flows, memory, flows.abi
        self.names = [register_name(abi, item) for item in abi.contents]
        self.bit: dict[str, int] = {name: 1 << number for number, name in enumerate(self.names)}
        self.all = (1 << len(self.names)) - 1
        self.always = self._set([n for n in self.names if n in ("ime", "i", "d")])
        self.uses: dict[int, tuple[int, int]] = {
            address: self._effect(step) for address, step in flows.steps.items()
        }
        self.owners = self._owners()
        self.live: dict[int, int] = dict.fromkeys(flows.steps, 0)
        self.after: dict[int, int] = {}

    def _set(self, names: Iterable[str]) -> int:
        return sum(self.bit.get(name, 0) for name in dict.fromkeys(names))

    def _effect(self, step: FollowedStep) -> tuple[int, int]:
        """What an instruction reads, and what it surely writes."""
        start = step.address
        code = self.memory[start : start + step.instruction.opcode.size]
        effect = effect_of(self.flows.abi.cpu, code)
        return self._set(_find_needed(effect)), self._set(
            [name for name, formula in effect.results if not _is_same(name, formula)]
        )

    def _owners(self) -> dict[int, list[int]]:
        """The entries from which each instruction is reached without a call."""
        owners: dict[int, list[int]] = {}
        entries = {*self.flows.routines, *self.flows.sites, *self.flows.handlers, *self.flows.first}
        for entry in sorted(entries):
            for address in self.flows.body(entry):
                if self.flows.steps[address].returns:
                    owners.setdefault(address, []).append(entry)
        return owners

    def solve(self) -> dict[int, LiveNames]:
        """Repeat until nothing changes: sets only grow."""
        entries = {*self.flows.routines, *self.flows.sites}
        jumped = self._find_jumps(entries)
        for entry in entries:
            self.after[entry] = self.always
            quiet = entry not in self.flows.sites and not jumped.get(entry)
            if quiet and entry not in (self.flows.handlers | self.flows.first):
                self.after[entry] = self.all
        order = sorted(self.flows.steps, reverse=True)
        changed = True
        while changed:
            changed = False
            for entry in entries:
                now = self.after[entry]
                for site in self.flows.sites.get(entry, ()):
                    now |= self.live.get(self.flows.steps[site].following, self.all)
                for other in jumped.get(entry, ()):
                    now |= self.after[other]
                changed |= now != self.after[entry]
                self.after[entry] = now
            for address in order:
                now = self._before(self.flows.steps[address])
                changed |= now != self.live[address]
                self.live[address] = now
        return {
            entry: frozenset(n for n in self.names if self.after[entry] & self.bit[n])
            for entry in self.flows.routines
        }

    def _find_jumps(self, entries: set[int]) -> dict[int, list[int]]:
        """The other routines whose code goes on in each: their callers are its callers."""
        jumps: dict[int, list[int]] = {}
        for other in entries:
            for entry in self.flows.body(other) & entries:
                if entry != other:
                    jumps.setdefault(entry, []).append(other)
        return jumps

    def _before(self, step: FollowedStep) -> int:
        read, written = self.uses[step.address]
        after = self.all if step.lost else 0
        if step.call is not None:
            after |= self.live.get(step.call, self.all)
            if step.instruction.opcode.conditional:
                after |= self.live.get(step.following, self.all)
        else:
            for following in step.nexts:
                after |= self.live.get(following, self.all)
        if step.returns:
            for entry in self.owners.get(step.address, ()):
                after |= self.after.get(entry, self.always)
        return read | after & ~written


def _find_needed(effect: Effect) -> set[str]:
    formulas: list[Formula] = [formula for _, formula in effect.results]
    formulas += [part for store in effect.stores for part in (store.address, store.value)]
    formulas += [*effect.reads.values()]
    formulas += [each for each in (effect.condition, effect.extra) if each is not None]
    return {name for formula in formulas for name in formula.needs}


def _is_same(name: str, formula: Formula) -> bool:
    return formula.value.op is Op.REGISTER and formula.value.name == name
