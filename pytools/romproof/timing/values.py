"""What registers and memory hold on the paths through a graph, as far as it is always the same.

A state has the variables whose values are known where it belongs, as expressions of what was
there at the start; the others are unknown. Where paths meet, what they differ in becomes unknown;
so does, at the head of a loop, what the loop changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from romproof.isa.algebra import Op, Value, cat, const, evaluate, register, substitute
from romproof.timing.effects import (
    Effect,
    Formula,
    Store,
    VariableKind,
    cell,
    cell_address,
    formula,
    kind_of,
    nodes,
    not_known,
)
from romproof.timing.footprint import ALL_MEMORY, Footprint, Range, addresses
from romproof.timing.graph import BasicBlock, Code, Edge, Graph, Problem, Step
from romproof.timing.loops import NaturalLoop, Nest

RegisterValues = dict[str, Value]

ExitEdge = tuple[int, int]
"""A way out of a block: the block's address and the number of the edge."""

InputLimits = Mapping[str, tuple[int, int]]
"""The lowest and the highest value of inputs, by name."""

_LARGEST = 48
"""Parts of an expression that is kept; one that is larger counts as unknown."""


@dataclass(frozen=True)
class KnownStates:
    """What is known.

    ``before`` has the state at the start of each block, ``after`` the one on each edge; an edge
    that it lacks is never taken. ``conditions`` are expressions that are 1 when the edge is
    taken. ``extras`` are those of the cycles that may not take place, by the instruction's
    address; unknown variables in them have names of their own. ``problems`` are
    reasons why it is not known where a block leads.
    """

    before: dict[int, RegisterValues] = field(default_factory=dict)
    after: dict[ExitEdge, RegisterValues] = field(default_factory=dict)
    conditions: dict[ExitEdge, Value] = field(default_factory=dict)
    extras: dict[int, Value] = field(default_factory=dict)
    problems: dict[int, Problem] = field(default_factory=dict)

    def fault(self, block: BasicBlock, step: Step, text: str) -> None:
        """A block has a problem; the first one of each counts."""
        self.problems.setdefault(block.start, Problem(step.address, text))


@dataclass(frozen=True)
class Walk:
    """A way to find the facts of a ``graph``, or of a part of it.

    ``start`` is what is known at the entry. ``callees`` are the footprints of what is called,
    ``inner`` those of the loops, by head.
    """

    code: Code
    graph: Graph
    nest: Nest
    start: RegisterValues
    callees: Mapping[int, Footprint]
    inner: Mapping[int, Footprint]

    def facts(self) -> KnownStates:
        """The facts of the whole graph, entered with the state ``start``."""
        return self._facts(self.graph.entry, self.graph.blocks, self.start, None)

    def facts_of_turn(self, loop: NaturalLoop, start: RegisterValues) -> KnownStates:
        """The facts of one iteration of a loop, in terms of the state ``start`` at its head."""
        return self._facts(loop.head, loop.body, start, loop.head)

    def _facts(
        self, head: int, blocks: Collection[int], start: RegisterValues, turning: int | None
    ) -> KnownStates:
        """The facts of ``blocks``, entered at ``head``; ``turning``: the loop they iterate."""
        facts = KnownStates()
        coming: dict[int, RegisterValues] = {head: start}
        order = self.graph.order
        for block_start in sorted(blocks, key=order.__getitem__):
            state = coming.get(block_start)
            if state is None:
                continue  # nothing leads here
            state = dict(state)
            if block_start != turning and block_start in self.inner:
                self._forget(state, self.inner[block_start])
            facts.before[block_start] = dict(state)
            block = self.graph.blocks[block_start]
            for step in block.steps:
                self._advance(state, step, block, facts)
            for number, edge in enumerate(block.edges):
                after = self._leave(state, block, number, edge, facts)
                if after is None or edge.target not in blocks or edge.target is None:
                    continue
                if order[edge.target] > order[block_start]:
                    known = coming.get(edge.target)
                    coming[edge.target] = after if known is None else _common(known, after)
                elif after.get(self.code.stack) is not facts.before[edge.target].get(
                    self.code.stack
                ):
                    facts.fault(
                        block, block.last, "the stack depth differs between iterations of a loop"
                    )
        return facts

    # ---------------------------------------------------------------- instructions

    def _advance(
        self, state: RegisterValues, step: Step, block: BasicBlock, facts: KnownStates
    ) -> None:
        """Execute an instruction."""
        effect = step.effect
        if effect.extra is not None:
            facts.extras[step.address] = self._partly(state, effect, effect.extra)
        results = [(name, self._known(state, effect, f)) for name, f in effect.results]
        stored = [(store, self._known(state, effect, store.value)) for store in effect.stores]
        for store, value in stored:
            problem = self._store(state, effect, store, value)
            if problem:
                facts.fault(block, step, problem)
        for name, value in results:
            if name == self.code.stack:
                value = self._stack(value)
                if value is not None and self._offset(value) > 0:
                    facts.fault(block, step, "it removes its return address from the stack")
            _put(state, name, value)

    def _known(self, state: RegisterValues, effect: Effect, wanted: Formula) -> Value | None:
        """What an expression is; None where something in it is unknown."""
        known: dict[Value, Value] = {}
        for name, leaf in wanted.needs.items():
            value = self._variable(state, effect, name)
            if value is None:
                return None
            known[leaf] = value
        if not known:
            return wanted.value
        return substitute(wanted.value, known, {})

    def _partly(self, state: RegisterValues, effect: Effect, wanted: Formula) -> Value:
        """What an expression is; unknown variables get another name."""
        known = {
            leaf: value
            for name, leaf in wanted.needs.items()
            if (value := self._variable(state, effect, name)) is not None
        }
        if not known:
            return _all_unknown(wanted.value)
        for name, leaf in wanted.needs.items():
            known.setdefault(leaf, register(not_known(name), leaf.width))
        return substitute(wanted.value, known, {})

    def _variable(self, state: RegisterValues, effect: Effect, name: str) -> Value | None:
        if kind_of(name) is VariableKind.READ:
            address = self._known(state, effect, effect.reads[name])
            if address is None or address.op is not Op.CONST:
                return None
            name = cell(address.number)
        place = cell_address(name)
        if place is not None and self.code.constant(place):
            return const(self.code.memory[place], 8)
        return state.get(name)

    def _store(
        self, state: RegisterValues, effect: Effect, store: Store, value: Value | None
    ) -> str:
        """Write to memory; gives what is wrong with it."""
        code = self.code
        address = self._known(state, effect, store.address)
        if address is not None and address.op is Op.CONST:
            place = address.number
            if code.protected[place]:
                return f"it writes to ROM at ${place:04X}, which may switch banks"
            if place in code.ports:
                _forget_range(state, ALL_MEMORY)
                return ""
            if code.present[place] and not code.variables[place]:
                return f"it overwrites the program at ${place:04X}"
            if code.variables[place]:
                _put(state, cell(place), value)
            else:
                _forget_range(state, ALL_MEMORY)
            return ""
        if store.address.needs.keys() == {code.stack}:
            return ""  # a push
        if address is not None and formula(address).needs.keys() == {code.stack}:
            probe = code.abi.stack_mask >> 1
            offset = evaluate(address, {code.stack: probe}, {}) - code.abi.stack_base - probe
            return "it changes its return address" if offset in range(code.abi.return_size) else ""
        _forget_range(state, addresses(store.address))
        return ""

    def _forget(self, state: RegisterValues, changed: Footprint) -> None:
        """Take out of a state what may have changed; the stack pointer stays."""
        names = [n for n in state if n != self.code.stack] if changed.everything else changed.names
        for name in names:
            state.pop(name, None)
        for span in changed.ranges:
            _forget_range(state, span)

    def _may_be_decimal(self, state: RegisterValues) -> bool:
        flag = self.code.decimal
        return flag is not None and state.get(flag) is not const(0, 1)

    # ---------------------------------------------------------------- the stack

    def _stack(self, value: Value | None) -> Value | None:
        """A stack pointer in terms of that at the start: plus a constant, else unknown."""
        offset = None if value is None else linear(value, self.code.stack)
        if value is None or offset is None:
            return None
        return register(self.code.stack, value.width) + offset

    def _offset(self, value: Value) -> int:
        """How far a stack pointer lies above that at the start; negative: below."""
        offset = (linear(value, self.code.stack) or 0) & self.code.abi.stack_mask
        return offset if offset <= self.code.abi.stack_mask >> 1 else offset - (1 << value.width)

    # ---------------------------------------------------------------- ways out

    def _leave(
        self, state: RegisterValues, block: BasicBlock, number: int, edge: Edge, facts: KnownStates
    ) -> RegisterValues | None:
        """The state on an edge; None when it is never taken."""
        effect = block.last.effect
        after = dict(state)
        if edge.taken is not None and effect.condition is not None:
            condition = self._known(state, effect, effect.condition)
            if condition is not None:
                condition = condition if edge.taken else ~condition
                if condition.op is Op.CONST and not condition.number:
                    return None
                facts.conditions[block.start, number] = condition
            flag, inverted = _flag(effect.condition.value)
            if flag is not None:
                after[flag] = const(edge.taken != inverted, 1)
        if edge.call is not None:
            callee = self.callees[edge.call]
            if callee.decimal and self._may_be_decimal(after):
                facts.fault(
                    block, block.last, "it calls code that adds or subtracts while D may be set"
                )
            self._forget(after, callee)
        if edge.target is None:
            mnemonic = block.last.instruction.opcode.mnemonic
            if after.get(self.code.stack) is not self._entry_stack():
                facts.fault(block, block.last, "it does not return to its caller")
            elif self.code.abi.pushes_flags and mnemonic != "rti":
                facts.fault(
                    block, block.last, f"a handler must return by 'rti', not by '{mnemonic}'"
                )
        facts.after[block.start, number] = after
        return after

    def _entry_stack(self) -> Value:
        return register(self.code.stack, self.code.abi.stack_pointer.bits)


@lru_cache(maxsize=4096)
def _all_unknown(value: Value) -> Value:
    """An expression with all variables unknown."""
    needs = formula(value).needs.items()
    return substitute(value, {leaf: register(not_known(n), leaf.width) for n, leaf in needs}, {})


def possible(condition: Value, limits: InputLimits) -> tuple[bool, bool]:
    """Whether a conditional cycle may be left out, and whether it may take place."""
    match condition.op, condition.args:
        case Op.CONST, _:
            return not condition.number, bool(condition.number)
        case Op.NOT, (Value(op=Op.EQUAL, args=(one, other)),) if one is other:
            return True, False
    needs = formula(condition).needs
    if len(needs) != 1:
        return True, True
    ((name, leaf),) = needs.items()
    low, high = limits.get(name, (0, (1 << leaf.width) - 1))
    seen = _at(condition, name, low, high)
    return False in seen, True in seen


@lru_cache(maxsize=4096)
def _at(condition: Value, name: str, low: int, high: int) -> frozenset[bool]:
    """What a condition with one variable may be."""
    tried = range(low, high + 1)
    if kind_of(name) is VariableKind.UNKNOWN:
        # the carry of an addition of the variable itself: the less of it, the less of a carry
        tried = tried[:: max(high - low, 1)]
    return frozenset(bool(evaluate(condition, {name: number}, {})) for number in tried)


def linear(value: Value, name: str) -> int | None:
    """The number that is added to the variable ``name``; None when there is more to it."""
    match value.op, value.args:
        case Op.REGISTER, _:
            return 0 if value.name == name else None
        case ((Op.ADD | Op.SUB), (inner, Value(op=Op.CONST, number=more))):
            before = linear(inner, name)
            return None if before is None else before + (more if value.op is Op.ADD else -more)
        case Op.CONCAT, (Value(op=Op.EXTRACT, args=(high,)), Value(op=Op.EXTRACT, args=(low,))):
            # two halves of one word, which moved through registers of 8 bits
            whole = high is low and cat(high[8:16], low[0:8]) is value
            return linear(high, name) if whole else None
    return None


def plain(value: Value) -> Value:
    """An expression in the form "variable + constant" where it is that, however it came about."""
    if value.op in (Op.CONST, Op.REGISTER):
        return value
    total = _sum(value, value.width)
    return value if total is None else total[0] + total[1]


def _sum(value: Value, width: int) -> tuple[Value, int] | None:
    """The variable and the constant whose sum has the lowest ``width`` bits of an expression."""
    match value.op, value.args:
        case Op.REGISTER, _ if value.width == width:
            return value, 0
        case ((Op.ADD | Op.SUB), (inner, Value(op=Op.CONST, number=more))):
            before = _sum(inner, width)
            if before is not None:
                return before[0], before[1] + (more if value.op is Op.ADD else -more)
        case Op.EXTRACT, (inner,) if value.number == 0 and width <= value.width:
            return _sum(inner, width)
        case Op.CONCAT, (_, low) if width <= low.width:
            return _sum(low, width)
    return None


def _forget_range(state: RegisterValues, span: Range) -> None:
    low, high = span
    for name in list(state):
        place = cell_address(name)
        if place is not None and low <= place <= high:
            del state[name]


def _put(state: RegisterValues, name: str, value: Value | None) -> None:
    """Set a variable; one whose expression is too large becomes unknown."""
    value = None if value is None else plain(value)
    if value is None or (value.op is not Op.CONST and len(nodes(value)) > _LARGEST):
        state.pop(name, None)
    else:
        state[name] = value


def _common(one: RegisterValues, other: RegisterValues) -> RegisterValues:
    return {name: value for name, value in one.items() if other.get(name) is value}


def _flag(condition: Value) -> tuple[str | None, bool]:
    """The flag that a condition is, and whether it is the flag's opposite."""
    inverted = condition.op is Op.NOT
    inner = condition.args[0] if inverted else condition
    return (inner.name if inner.op is Op.REGISTER else None), inverted
