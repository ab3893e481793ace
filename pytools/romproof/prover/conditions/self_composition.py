"""The rule for what depends on what: two runs at once.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from romproof.prover.conditions.cone_of_influence import find_relevant
from romproof.prover.conditions.memory import Extent, Filled
from romproof.prover.conditions.needs import needs_of
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.variables import value_of
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.layout import cells_of, object_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, ITE, LOAD, STORE
from romproof.symbolic.terms.origin import (
    OriginKind,
    VariableName,
    any_name,
    byte_name,
    cut_name,
    name_untouched,
    second_name,
)
from romproof.symbolic.terms.term import Term

MAX_APART = 8
"""Cells in which an array may differ and still be known."""
FEW_APART = 2
"""The same where the runs may differ in many cells from the beginning."""


@dataclass
class TwoRuns:
    """Two runs of a routine that agree on some of what they find.

    ``differs`` says of a variable at the entry, by its name, whether the runs may differ in it;
    of an array of which cells (by address). ``own`` are the addresses of what is given back.
    ``agreed`` has, for each cut, names in which the runs agree there, ``preserved`` those that are
    equal or as each found them. ``apart`` are cells of arrays (cut, name: addresses) in which runs
    may differ although they agree on the others. ``equal`` has, for each cut, the extents of
    arrays in which both runs have the same: what each of them wrote there before. Each read of a
    port brings the same in both, but for ``secret_reads`` where they are secret (one bit, by name),
    unless ``ports_differ``: then it is not known that they are read equally often.
    """

    case: Case
    differs: Callable[[VariableName], bool]
    own: frozenset[int] = frozenset()
    agreed: dict[int, set[VariableName]] = field(default_factory=dict)
    preserved: dict[int, set[VariableName]] = field(default_factory=dict)
    apart: dict[tuple[int, VariableName], set[int]] = field(default_factory=dict)
    equal: dict[int, list[Extent]] = field(default_factory=dict)
    ports_differ: bool = False
    secret_reads: Mapping[str, Term] = field(default_factory=dict)
    _same_results: set[str] = field(default_factory=set)
    _others: dict[Term, Term] = field(default_factory=dict)
    _grew: bool = False
    _filled: Mapping[int, Sequence[Extent]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        case: Case,
        differs: Callable[[VariableName], bool],
        own: frozenset[int] = frozenset(),
        filled: Filled | None = None,
        secret_reads: Mapping[str, Term] = MappingProxyType({}),
    ) -> TwoRuns:
        """The relation that can be kept up; with what is ``filled`` before cuts, if it is read
        again. Raises OutOfTime."""
        runs = cls(case, differs, own, secret_reads=secret_reads)
        if filled is not None and filled.was_needed:
            runs._filled = filled.extents
        runs._relate()
        if not runs._ports_in_step():
            runs.ports_differ = True
            runs._relate()
        return runs

    # ------------------------------------------------------------ the second run

    def variables(self, terms: Iterable[Term]) -> list[Term]:
        """The variables and arrays in terms in which the runs may differ, by name."""
        return sorted(filter(self._differs, t.variables(terms)), key=lambda each: each.name)

    def _differs(self, variable: Term) -> bool:
        name = variable.name
        if name.origin.is_second:
            return False
        match name.kind:
            case OriginKind.ANY | OriginKind.UNTOUCHED:
                return False  # it is the same in both
            case OriginKind.HAVOC:
                return False  # it stands for something that depends on inputs only
            case OriginKind.CALL:
                return name not in self._same_results
            case OriginKind.PORT:
                return self.ports_differ or name in self.secret_reads
            case OriginKind.CUT:
                place, here = _cut_of(name), name.location.name
                return here not in self.agreed[place] or bool(self.apart.get((place, here)))
        if variable.op is not ARRAY:
            return self.differs(name)
        return any(map(self._cell_differs, cells_of(name)))

    def _cell_differs(self, address: int) -> bool:
        return self.differs(byte_name(address))

    def translate(self, term: Term) -> Term:
        """What a term is in the second run."""
        return t.replace(term, self.find_different([term]))

    def find_different(self, terms: Iterable[Term]) -> dict[Term, Term]:
        """The variables in which the runs may differ, with what is there in the second run."""
        return {variable: self._translate_variable(variable) for variable in self.variables(terms)}

    def _translate_variable(self, variable: Term) -> Term:
        other = self._others.get(variable)
        if other is None:
            other = self._others[variable] = self._make_other(variable)
        return other

    def _make_other(self, variable: Term) -> Term:
        name, here = variable.name, variable.name.location.name
        at_cut = name.kind is OriginKind.CUT
        if at_cut and variable.op is ARRAY and here in self.agreed[_cut_of(name)]:
            array = variable
            for address in sorted(self.apart[_cut_of(name), here]):
                byte = t.var(second_name(name, address), 8)
                array = t.store(array, t.const(address, 16), byte)
            return array
        if variable.op is ARRAY:
            array = t.array_var(second_name(name))
            for address in cells_of(name) if name.is_at_entry else ():
                if not self._cell_differs(address):
                    place = t.const(address, 16)
                    array = t.store(array, place, t.load(variable, place))
            return array
        new = t.var(second_name(name), variable.width, variable.low, variable.high)
        if name.kind is OriginKind.PORT and not self.ports_differ:
            return t.ite(self.secret_reads[name], new, variable)
        if at_cut and here in self.preserved[_cut_of(name)]:
            at = name.address
            assert at is not None, "only memory is kept"
            return t.ite(self._is_untouched(variable), self.translate(self._at_entry(at)), variable)
        return new

    def _is_untouched(self, variable: Term) -> Term:
        return t.var(name_untouched(variable.name), 1)

    def _at_entry(self, address: int) -> Term:
        """A byte at the entry."""
        return self.case.entry.memory.byte(address)

    def hold_in_both(self, path: Iterable[Term], first: State, *claims: Term) -> list[Term]:
        """What holds of both runs on a path that begins in the state ``first``; also of what is
        kept among the variables of ``claims``."""
        path = list(path)
        there = [*first.path, *self.case.oracle.assumptions]
        known = [*path, *map(self.translate, there)]
        involved = t.variables([*path, *there, *claims])
        for variable in sorted(involved, key=lambda each: each.name):
            name, at = variable.name, variable.name.address
            if name.kind is OriginKind.CUT and not name.origin.is_second and at is not None:
                place, here = _cut_of(name), name.location.name
                if here in self.preserved[place] and here not in self.agreed[place]:
                    same = t.eq(variable, self._at_entry(at))
                    known.append(t.or_(t.not_(self._is_untouched(variable)), same))
        return [*known, *self._equal_cells([*known, *claims])]

    def _equal_cells(self, terms: Sequence[Term]) -> Iterator[Term]:
        """That both runs have the same in the cells that are loaded in some terms, and that both
        wrote before: what ``equal`` says of all cells, for these."""
        if not any(self.equal.values()):
            return
        loads = [term for term in t.in_order(terms) if term.op == LOAD]
        places = dict.fromkeys(load.args[1] for load in loads)
        arrays = {v.name: v for v in t.variables(loads) if v.op is ARRAY}
        for place, extents in self.equal.items():
            for extent in extents:
                name = cut_name(extent.which.key.location, place)
                array = arrays.get(name)
                if array is None and second_name(name) not in arrays:
                    continue
                array = array if array is not None else t.array_var(name)
                if self._differs(array):
                    for address in places:
                        yield self._has_equal_cell(extent, self._at(place), array, address)

    def _at(self, place: int) -> State:
        return self.case.exploration.cuts[place].state

    def _has_equal_cell(self, extent: Extent, state: State, array: Term, address: Term) -> Term:
        """One bit: if a cell belongs to an extent in both runs, both have the same in it."""
        number = extent.number(state)
        inside = within(address, extent.which.address, extent.which.end)
        mine = extent.has(address, number)
        theirs = extent.has(address, self.translate(number))
        same = t.eq(t.load(array, address), t.load(self.translate(array), address))
        return t.or_(t.not_(t.all_of([inside, mine, theirs])), same)

    # ------------------------------------------------------------ the relation at cuts

    def _relate(self) -> None:
        exploration = self.case.exploration
        matter = find_relevant(self.case, self.own)
        self.agreed = {address: set(matter[address]) for address in exploration.cuts}
        self.apart = {}
        self.equal = {place: list(extents) for place, extents in self._filled.items()}
        self.preserved = {
            address: {name for name in cut.unknown if self._is_own(name)}
            for address, cut in exploration.cuts.items()
        }
        changed = True
        while changed:
            self._others.clear()
            self._follow_calls()
            self._grew = False
            changed = False
            for leg in exploration.legs:
                for relation, same in ((self.agreed, self._agree), (self.preserved, self._keep)):
                    for name in sorted(relation.get(leg.end, ())):
                        if not same(leg, name):
                            relation[leg.end].discard(name)
                            changed = True
                for extent in tuple(self.equal.get(leg.end, ())):
                    if not self._fills_alike(leg, extent):
                        self.equal[leg.end].remove(extent)
                        changed = True
            changed = changed or self._grew

    def _is_own(self, name: VariableName) -> bool:
        at = name.address
        if at is not None:
            return at in self.own
        which = object_of(name)
        return which is not None and self.own.issuperset(which.cells)

    def _follow_calls(self) -> None:
        """Which results of callees are the same: those that depend on nothing that may differ."""
        self._same_results = set()
        for call in self.case.exploration.calls:
            for result, needs in needs_of(call):
                if not self.variables(needs):
                    self._same_results.add(result.name)
            in_step = call.keeps_step and not any(self.variables(n) for _, n in call.results)
            if call.ports and not in_step:
                self.ports_differ = True

    def _agree(self, leg: Leg, name: VariableName) -> bool:
        """Whether both runs bring the same value to a cut."""
        value = value_of(leg.at, name)
        if not self.variables([value]):
            return True
        if value.width:
            return self._holds(leg, t.eq(value, self.translate(value)))
        return self._agree_on_cells(leg, name, value)

    def _agree_on_cells(self, leg: Leg, name: VariableName, array: Term) -> bool:
        """The same for an array, but for a few cells."""
        place = self._any_cell(cells_of(name))
        same = t.eq(t.load(array, place), t.load(self.translate(array), place))
        apart = self.apart.setdefault((leg.end, name), set())
        while len(apart) <= MAX_APART:
            inside = [t.not_(t.eq(place, t.const(address, 16))) for address in sorted(apart)]
            try:
                model = self._counterexample(leg, same, inside)
            except Undecided:
                return False
            if model is None:
                return True
            apart.add(model.value(place))
            self._others.clear()
            self._grew = True
            if len(apart) >= FEW_APART and self._is_mostly_unknown(name):
                return False  # it is one cell after the other, each a question
        return False

    def _is_mostly_unknown(self, name: VariableName) -> bool:
        """Whether the runs may differ in more cells of an array at the entry than can be told."""
        return sum(map(self._cell_differs, cells_of(name))) > MAX_APART

    def _fills_alike(self, leg: Leg, extent: Extent) -> bool:
        """Whether both runs bring the same to a cut in the cells of an extent."""
        which = extent.which
        place = self._any_cell(range(which.address, which.end))
        array = leg.at.memory.array(which)
        return self._holds(leg, self._has_equal_cell(extent, leg.at, array, place))

    def _keep(self, leg: Leg, name: VariableName) -> bool:
        """The same, or each run its own."""
        value, at = value_of(leg.at, name), name.address
        if at is not None:
            return self._holds(leg, self.is_equal_or_unchanged(value, at))
        return self._holds(leg, self.has_equal_cells(value, cells_of(name)))

    def _holds(self, leg: Leg, claim: Term) -> bool:
        if claim.is_const:
            return bool(claim.number)
        try:
            return self._counterexample(leg, claim) is None
        except Undecided:
            return False

    def _counterexample(self, leg: Leg, claim: Term, more: Iterable[Term] = ()) -> Model | None:
        """Two runs along a leg for which a claim does not hold, if there are any."""
        path = self.hold_in_both(
            [*leg.at.path, *map(self.translate, leg.at.path), *more], leg.first, claim
        )
        return self.case.oracle.always(path, claim)

    def _ports_in_step(self) -> bool:
        """Whether both runs read the same ports, equally often: then they get the same."""
        if self.ports_differ:
            return True  # nothing is taken for granted
        reads = (e for e in self.case.exploration.events if e.kind is EventKind.READS_PORT)
        for event in reads:
            if not self.variables([*event.path, event.what]):
                continue
            known = self.hold_in_both(
                event.path, self.case.exploration.start_state(event.begin), event.what
            )
            same = t.eq(event.what, self.translate(event.what))
            if not self.case.oracle.holds(
                known, t.and_(self.translate(t.all_of(event.path)), same)
            ):
                return False
        return True

    # ------------------------------------------------------------ claims

    def is_equal_or_unchanged(self, value: Term, address: int) -> Term:
        """That a byte is the same in both runs, or as each of them found it."""
        before, other = self._at_entry(address), self.translate(value)
        untouched = t.and_(t.eq(value, before), t.eq(other, self.translate(before)))
        return t.or_(t.eq(value, other), untouched)

    def has_equal_cells(self, array: Term, cells: range) -> Term:
        """The same of some cells of an array: of any one, whose address is a variable.

        Where each run keeps its own, both begin with one array in place of two: a cell that
        nobody writes is then the same. What is loaded from one is still what each has there.
        """
        place = self._any_cell(cells)
        return t.eq(t.load(array, place), t.load(self._beside(array), place))

    def _any_cell(self, cells: range) -> Term:
        name = any_name(f"cell of ${cells.start:04X}+{len(cells)}")
        return t.var(name, 16, cells.start, cells.stop - 1)

    def _beside(self, array: Term) -> Term:
        memo: dict[Term, Term] = {}
        for term in t.in_order([array]):
            if term.op is ARRAY:
                memo[term] = term if self._is_preserved(term.name) else self.translate(term)
            elif term.op is STORE:
                before, address, value = term.args
                memo[term] = t.store(memo[before], self.translate(address), self.translate(value))
            elif term.op is ITE and not term.width:
                when, then, otherwise = term.args
                memo[term] = t.array_ite(self.translate(when), memo[then], memo[otherwise])
        return memo[array]

    def _is_preserved(self, array: VariableName) -> bool:
        if array.is_at_entry:
            return all(a in self.own for a in cells_of(array) if self._cell_differs(a))
        is_cut = array.kind is OriginKind.CUT
        return is_cut and array.location.name in self.preserved[_cut_of(array)]


def _cut_of(name: VariableName) -> int:
    """The address of the cut point that a variable belongs to."""
    assert name.origin.address is not None, "a cut point has an address"
    return name.origin.address
