"""The steps of one instruction's microcode, on terms.

What an instruction makes of constants is kept: a loop that only counts executes the same few
instructions on the same few numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from romproof.isa.algebra import Op, Value
from romproof.isa.microcode import Microcode, StepKind
from romproof.symbolic.execute.access import Accesses
from romproof.symbolic.execute.events import DeadEnd, EventKind, Unfinished
from romproof.symbolic.execute.meaning import Later, Meaning, now
from romproof.symbolic.execute.state import CYCLE_BITS, State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

Tell = Callable[[EventKind, State, Term], None]


@dataclass(frozen=True, slots=True)
class _Needs:
    """The registers that a microcode looks at: ``surely`` those that decide where it leads."""

    surely: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Made:
    """What a microcode makes of registers that are constants."""

    cycles: int
    registers: Mapping[str, Term | Later]
    following: int | None


@dataclass
class MicrocodeSteps:
    """Executes microcodes: ``forget`` may replace values that are written, ``tell`` hears of
    branches and addresses."""

    accesses: Accesses
    tell: Tell
    forget: Callable[[Term], Term]
    _needs: dict[int, _Needs] = field(default_factory=dict)
    _made: dict[tuple[int, tuple[Term, ...]], _Made] = field(default_factory=dict)

    def execute(self, state: State, microcode: Microcode) -> int | None:
        """All steps, and the registers afterwards; the number of the microcode that follows."""
        key = self._key(state, microcode)
        made = None if key is None else self._made.get(key)
        if made is not None:
            state.cycles += made.cycles
            state.registers = {**state.registers, **made.registers}
            return made.following
        before = state.cycles
        following, repeatable = self._execute(state, microcode)
        if key is not None and repeatable:
            registers = {name: state.registers[name] for name, _ in microcode.results}
            self._made[key] = _Made(state.cycles - before, registers, following)
        return following

    def _key(self, state: State, microcode: Microcode) -> tuple[int, tuple[Term, ...]] | None:
        """What stands for a microcode with its registers, where all of these are constants."""
        needs = self._needs.get(id(microcode))
        if needs is None:
            needs = self._needs[id(microcode)] = _needs_of(microcode)
        held: list[Term] = []
        for name in needs.surely:
            term = now(state.registers[name])
            if not term.is_const:
                return None
            held.append(term)
        for name in needs.others:
            value = state.registers[name]
            known = value.known if isinstance(value, Later) else value
            if known is None or not known.is_const:
                return None
            held.append(known)
        return id(microcode), tuple(held)

    def _execute(self, state: State, microcode: Microcode) -> tuple[int | None, bool]:
        """The number of the microcode that follows; whether it is the same wherever these
        registers are: nothing is written, and nothing read but what stays as it is."""
        registers, is_fixed = state.registers, state.memory.layout.is_fixed
        meaning = Meaning(registers)
        repeatable = True
        for number, step in enumerate(microcode.steps):
            kind = step.kind
            if not (kind.is_cycle or kind.is_write):
                continue
            when = None if step.when is None else meaning.of(step.when)
            if when is t.FALSE:
                continue
            if when is t.TRUE:
                when = None
            if when is None:
                state.cycles += 1
            else:
                # also where both sides go on at one place: the time tells them apart
                self.tell(EventKind.BRANCH, state, when)
                one = t.zext(when, CYCLE_BITS)
                state.extra = t.add(state.extra, one)
                repeatable = False
            if kind in (StepKind.READ, StepKind.OPERAND, StepKind.FETCH):
                assert step.address is not None
                address = self._address(state, meaning.of(step.address))
                repeatable = repeatable and address.is_const and bool(is_fixed[address.number])
                value = self.accesses.read(state, address)
                if when is not None:
                    value = t.ite(when, value, t.const(0, 8))
                meaning.inputs[number] = value
            elif kind is StepKind.WRITE:
                assert step.address is not None
                assert step.value is not None
                repeatable = False
                address = self._address(state, meaning.of(step.address))
                value = self.forget(meaning.of(step.value))
                self.accesses.write(state, address, value, when)
        after = dict(registers)
        for name, result in microcode.results:
            after[name] = meaning.later(result) if result.width == 1 else meaning.of(result)
        state.registers = after
        if microcode.next is None:
            return None, repeatable
        following = meaning.of(microcode.next)
        if not following.is_const:
            raise Unfinished(Cause.CHANGING_CODE, DeadEnd.CHANGING_CODE(), state.pc)
        return following.number, repeatable

    def _address(self, state: State, address: Term) -> Term:
        if not address.is_const:
            self.tell(EventKind.ADDRESS, state, address)
        return address


def _needs_of(microcode: Microcode) -> _Needs:
    deciding: list[Value] = [microcode.next] if microcode.next is not None else []
    others: list[Value] = [result for _, result in microcode.results]
    for step in microcode.steps:
        deciding += [value for value in (step.when, step.address) if value is not None]
        others += [step.value] if step.value is not None else []
    surely = _names(deciding)
    return _Needs(tuple(surely), tuple(name for name in _names(others) if name not in surely))


def _names(values: Iterable[Value]) -> dict[str, None]:
    names: dict[str, None] = {}
    work, seen = list(values), set[int]()
    while work:
        value = work.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if value.op is Op.REGISTER:
            names[value.name] = None
        work += value.args
    return names
