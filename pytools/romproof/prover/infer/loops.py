"""Routines with loops whose number of iterations depends on inputs: what they may touch.

The loop is cut, and executed once from a state of which nothing is known. So a pointer that it
moves may be anywhere there; where it begins, how far it moves and what counts the iterations says
what has to be required of it. With that, invariants are looked for (``prover/invariants``), and
with these the routine is explored again. Whatever is supposed here is proved afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, product

from romproof.contract.nouns.model import Contract
from romproof.prover.conditions.waits import find_waiting_cuts, read_there
from romproof.prover.exploration.explore import Exploration
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.collected import Collected
from romproof.prover.infer.counts import Count, counts_of, needs_of
from romproof.prover.infer.draft import Draft, memory_name, merge_spans
from romproof.prover.infer.growth import LOST, Grown, Growth
from romproof.prover.infer.leaves import equations_of
from romproof.prover.infer.moved import at_constants, at_first, find_changed, find_held, is_moved
from romproof.prover.infer.obstacles import NoContract, of_unfinished
from romproof.prover.infer.passed import Passed, watch_lemmas
from romproof.prover.infer.pointers import Pointing
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.sentinels import sentinels_of
from romproof.prover.infer.subject import Subject
from romproof.prover.invariants.going import going_on
from romproof.prover.invariants.heads import Head, loop_at
from romproof.prover.invariants.quantities import find_moving, quantities
from romproof.prover.invariants.search import LoopLine, find_invariants
from romproof.prover.invariants.wording import NOTHING_KNOWN, make_wording
from romproof.prover.replay.judge import Case
from romproof.prover.routines.routine import (
    FEW_ITERATIONS,
    Explored,
    ProofOptions,
    ProofTask,
    Vacuous,
    explore_routine,
)
from romproof.symbolic.execute.events import Event, LongLoop
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using

MAX_HEADS = 3
"""Loops of one routine that are cut."""
MAX_PROPOSALS = 6
"""Sets of requirements that are tried."""
_ROUNDS = 24


@dataclass
class _LostAccesses:
    """Accesses that nothing allows so far, at addresses that a loop moves; others go on."""

    growth: Growth
    lost: list[Event] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)

    def on_event(self, event: Event, oracle: Oracle) -> None:
        if event.what.width == 16 and is_moved(event.what):
            if event.kind in LOST and oracle.possible(event.path, t.TRUE):
                self.lost.append(event)
            return
        self.growth.on_event(event, oracle)


def examine_loops(
    subject: Subject,
    options: ProofOptions,
    lemmas: Mapping[int, Lemma],
    stop: LongLoop,
    deadline: Deadline,
) -> Draft:
    """The draft of a routine with a loop that has to be cut. Raises NoContract, and what
    exploring raises."""
    growth = Growth(subject)
    return _Search(subject, options, lemmas, growth, stop, deadline).run()


@dataclass
class _Search:
    subject: Subject
    options: ProofOptions
    lemmas: Mapping[int, Lemma]
    growth: Growth
    stop: LongLoop
    deadline: Deadline
    heads: dict[int, Head] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    # registers with constants that loops leave alone, as conditions at their heads
    held: Mapping[int, str] = field(default_factory=dict)
    # those that are read in loops, by address
    ports: tuple[int, ...] = ()
    wide: bool = False
    few: bool = True
    # memory at constant addresses that is read, and that is written
    reads: tuple[MemorySpan, ...] = ()
    scratch: tuple[MemorySpan, ...] = ()

    def run(self) -> Draft:
        self._cut(self.stop)
        try:
            return self._narrow()
        except NoContract as stop:
            draft = self._drop_conditions()
            if draft is None:
                raise stop
            return draft

    def _narrow(self) -> Draft:
        """The draft, with conditions that keep accesses where they are meant to be."""
        self.changed = self.used = frozenset(self.subject.registers)
        with using(Terms()):
            proposals = list(islice(self._proposals(), MAX_PROPOSALS))
        # few candidates for invariants are enough for most loops, and take a part of the time
        for self.few in (True, False):
            for needs in proposals:
                with using(Terms()):
                    self._in_time()
                    try:
                        draft = self._with(needs)
                    except Vacuous:
                        continue
                if draft is not None:
                    return draft
        raise self._refuse()

    def _drop_conditions(self) -> Draft | None:
        """The draft without further conditions: an access may be wherever it can be, if that is not
        much; None where it is, or nothing is known of the loop."""
        self.wide = True
        with suppress(NoContract, Vacuous, Undecided):
            with using(Terms()):
                self._open()
            with using(Terms()):
                return self._with(())
        return None

    def _in_time(self) -> None:
        """All that is tried together has the time of one proof. Raises OutOfTime."""
        self.deadline.check()

    def _refuse(self) -> NoContract:
        subject, stop = self.subject, self.stop
        return NoContract(of_unfinished(subject.program, subject.flows, subject.address, stop))

    # ------------------------------------------------------------ what is executed

    def _cut(self, stop: LongLoop) -> None:
        subject = self.subject
        loop = loop_at(subject.program, subject.address, stop.pc) if stop.inside else None
        wording = make_wording(subject.program.image, self._contract(()), subject.address)
        label = None if loop is None or wording is None else wording.label(loop[0])
        if loop is None or label is None or loop[0] in self.heads or len(self.heads) >= MAX_HEADS:
            raise self._refuse()
        self.heads[loop[0]] = Head(loop[0], loop[1], label)

    def _draft(self, needs: Sequence[Need]) -> Draft:
        growth, subject = self.growth, self.subject
        joined: dict[str, Need] = {}
        for need in (*growth.needs, *needs):
            known = joined.get(need.text)
            joined[need.text] = need if known is None else known.intersect(need)
        return Draft(
            inputs=(self.used | self._require(joined.values()))
            - ({"d"} if subject.program.abi.not_inverted else set()),
            clobbers=self.changed,
            reads=self.reads,
            scratch=merge_spans([*growth.objects, *self.scratch]),
            needs=tuple(need for need in joined.values() if not need.says_nothing),
            is_handler=subject.is_handler,
            areas=growth.areas,
        )

    def _require(self, needs: Iterable[Need]) -> frozenset[str]:
        names = {name for need in needs for name in need.names}
        return frozenset(self.subject.registers) & names

    def _contract(self, needs: Sequence[Need]) -> Contract:
        return self.subject.contract(self._draft(needs))

    def _explore(self, draft: Draft, heard: _LostAccesses) -> Explored:
        task = ProofTask(
            self.subject.program,
            self.subject.contract(draft),
            self.subject.address,
            replace(self.options, on_event=heard.on_event),
            watch_lemmas(self.lemmas, self.growth, heard.passed),
            deadline=self.deadline,
        )
        return explore_routine(task, FEW_ITERATIONS)

    def _open(self) -> tuple[Explored, _LostAccesses]:
        """The routine with all its long loops cut, and nothing known there."""
        for _ in range(_ROUNDS):
            known = tuple(
                ("invariant", f"{head.label}: {self.held.get(place, NOTHING_KNOWN)}")
                for place, head in self.heads.items()
            )
            heard = _LostAccesses(self.growth)
            try:
                explored = self._explore(replace(self._draft(()), loops=known), heard)
            except Grown:
                continue
            except LongLoop as stop:
                self._cut(stop)
                continue
            if self._waits_inside(explored.exploration):
                continue
            held = find_held(explored.exploration, self.subject, heard.lost)
            if not held.keys() <= self.held.keys():
                self.held = {**held, **self.held}
                continue
            changed = find_changed(explored.exploration, self.subject)
            if changed >= self.changed and not self._uses_more(explored.exploration):
                used = Collected(self.subject, explored, ()).find_used(changed)
                required = {name for need in self.growth.needs for name in need.names}
                used |= {
                    v.name
                    for e in (*heard.lost, *(each.event for each in heard.passed))
                    if (a := at_first(explored.exploration, e.what))
                    for v in t.variables([a])
                }
                self.used &= used | required
                self.ports = tuple(read_there(explored.case, frozenset(self.heads)))
                return explored, heard
            self.changed = changed
        raise self._refuse()

    def _waits_inside(self, exploration: Exploration) -> bool:
        """Whether a loop is cut that goes round by way of one inside it that waits for a port. Only
        the inner one is cut from now on: there both are one loop, which may wait."""
        waits = find_waiting_cuts(exploration)
        legs = {(leg.begin, leg.end) for leg in exploration.legs}
        for place, head in self.heads.items():
            inner = [w for w in waits & self.heads.keys() if (place, w) in legs and w in head.body]
            if inner and place not in inner and (place, place) not in legs:
                del self.heads[place]
                self.stop = LongLoop(self.stop.what, inner[0], inside=True, advice=self.stop.advice)
                return True
        return False

    def _uses_more(self, exploration: Exploration) -> bool:
        """Whether there is memory at constant addresses that was not known to be used."""
        before = self.reads, self.scratch
        reads, writes = at_constants(exploration)
        self.reads = merge_spans([*self.reads, *(MemorySpan(a, a + 1) for a in reads)])
        self.scratch = merge_spans([*self.scratch, *(MemorySpan(a, a + 1) for a in writes)])
        return before != (self.reads, self.scratch)

    # ------------------------------------------------------------ what is required

    def _proposals(self) -> Iterator[list[Need]]:
        """Sets of requirements with which all accesses may stay in the memory meant."""
        explored, heard = self._open()
        case = explored.case
        exploration = going_on(explored.exploration, case.oracle)
        pointers, pages = Pointing(self.growth, exploration, case.oracle).all(
            heard.lost, heard.passed
        )
        every = quantities(exploration.start, exploration.start.contract, exploration)
        places = sorted({pointer.head for pointer in pointers})
        choices: list[list[Count]] = []
        for place in places:
            going = find_moving(exploration, case.oracle, place, every)
            counted = counts_of(exploration, case.oracle, place, going, every, heard.lost)
            choices.append([*counted, *sentinels_of(exploration, place, going, pointers)])
        for one_of_each in product(*choices):
            chosen: dict[int, Count] = dict(zip(places, one_of_each, strict=True))
            if any(p.is_counted_in(chosen[p.head]) for p in pointers):
                continue
            moved = (needs_of(p.form, p.place, p.step, p.span, chosen[p.head]) for p in pointers)
            yield [*pages, *(need for needs in moved for need in needs)]

    # ------------------------------------------------------------ what is found of loops

    def _with(self, needs: Sequence[Need]) -> Draft | None:
        """The draft with requirements, if there are invariants with which nothing is missing."""
        for need in needs:
            if need.low > need.high:
                return None
        required = list(needs)
        for _ in range(_ROUNDS):
            draft = self._draft(required)
            lines = self._lines(draft)
            if lines is None:
                return None
            heard = _LostAccesses(self.growth)
            draft = replace(draft, loops=_fields(lines))
            try:
                explored = self._explore(draft, heard)
                if heard.lost:
                    oracle = explored.case.oracle
                    if not self.wide or not self.growth.allow_reach(heard.lost[0], oracle):
                        return None
                    continue
                if not self.growth.settle(explored):
                    continue
            except Grown:
                continue
            except LongLoop:
                return None
            waits = self._waits(explored.case, lines)
            if waits is None:
                return None
            collected = Collected(self.subject, explored, draft.needs)
            proposed = collected.draft().with_reads_clobbered(collected.arrays())
            counts = tuple(need for need in draft.needs if need.begins)
            if waits:  # the fewest cycles may be those of no run
                proposed = replace(proposed, cycles=None)
            found = replace(
                proposed,
                loops=(*_fields(lines), *waits),
                tables=self.growth.tables,
                areas=self.growth.areas,
                counts=counts,
            )
            return found.with_ensures(equations_of(self.subject, explored, found))
        return None

    def _lines(self, draft: Draft) -> tuple[LoopLine, ...] | None:
        subject = self.subject

        def execute(contract: Contract) -> Case:
            options = replace(self.options, on_event=None)
            task = ProofTask(subject.program, contract, subject.address, options, self.lemmas)
            return explore_routine(replace(task, deadline=self.deadline), FEW_ITERATIONS).case

        ports = [MemorySpan(port, port + 1) for port in self.ports]
        assuming = replace(
            draft,
            reads=merge_spans([*draft.reads, *ports]),
            loops=self._write_assumptions(self.ports),
        )
        invariants = find_invariants(
            subject.program,
            subject.contract(assuming),
            subject.address,
            self.stop.pc,
            execute,
            cells=False,
            few=self.few,
        )
        return None if invariants is None else invariants.lines

    def _waits(self, case: Case, lines: Sequence[LoopLine]) -> list[tuple[str, str]] | None:
        """What is assumed of ports so that loops end which nothing counts; None where a loop reads
        none."""
        counted = {line.label for line in lines if line.field == "decreases"}
        ports: dict[int, None] = {}
        waiting = find_waiting_cuts(case.exploration)
        for head in self.heads.values():
            if head.label in counted and head.address not in waiting:
                continue
            read = read_there(case, frozenset({head.address}))
            if not read:
                return None
            ports |= dict.fromkeys(read)
        return list(self._write_assumptions(ports))

    def _write_assumptions(self, ports: Iterable[int]) -> tuple[tuple[str, str], ...]:
        """That ports change, as a field."""
        awaited = self.subject.awaited
        names = [memory_name(p, self.subject.regions) for p in ports if p not in awaited]
        text = ", ".join(f"{name} changes" for name in names)
        return (("assumes", text),) if text else ()


def _fields(lines: Iterable[LoopLine]) -> tuple[tuple[str, str], ...]:
    """Lines as fields of a draft."""
    return tuple((line.field, f"{line.label}: {line.text}") for line in lines)
