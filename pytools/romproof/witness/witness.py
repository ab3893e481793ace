"""Executing what was proved, for all inputs or for many, and comparing every statement."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from romproof.contract.nouns.model import claim_text
from romproof.engine.devices import Device
from romproof.witness import pointed
from romproof.witness.chunk import Ran, run
from romproof.witness.columns import Array, Machines
from romproof.witness.compare import (
    CycleLimits,
    Cycles,
    claim_cycles,
    dependences,
    secrets,
    statements,
)
from romproof.witness.domains import contrast, find_allowed, machines
from romproof.witness.execute import PLAIN, engine_for
from romproof.witness.inputs import Draw, DrawnInputs, inputs_of
from romproof.witness.models import Model, compare_model, counting
from romproof.witness.pointed import choices
from romproof.witness.ports import PortStream
from romproof.witness.results import Point, Witnessed
from romproof.witness.sample import Effort, probe, sample, swap_secrets, touches
from romproof.witness.setting import Setting, settings_of
from romproof.witness.subject import Subject
from romproof.witness.tally import Tally, compare_together

AUTO = "auto"
FIRST = 64
"""Inputs in the first pair of settings; later ones have more."""
PROBE, PROBE_OF_PORTS = 8, 2
"""Inputs before those, in compiled code and one by one: where none of these runs ends, no more are
made, which would take all cycles that there are."""
SHORT = 10.0
"""Where fewer seconds are left, the first pair of settings has one input only: that tells how long
one takes."""
SETTINGS = 8
"""Pairs of settings at least, where there are inputs enough."""
BYTES = 1 << 24
"""Bytes of the contract's memory, of all runs, that are checked together."""
OVERHEAD = 128
"""Cycles in whose time the engine ``plain`` is made ready for a run."""
PART = 200
"""On the engine ``plain`` a run has this part of all cycles, where no most is claimed."""
FEW = 8
"""Inputs of each pair of settings that are run a second time when ``Plan.cycles`` are over; and
those that are checked to see whether there are ports."""

CycleEnds = tuple[int | None, int | None]
"""The fewest and the most cycles; None where there is no limit, or none is known."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is executed.

    ``runs``: so many inputs at least; ``exhaustive``: all of them where there are no more states
    than that. ``sample`` inputs are also run on the engine ``plain`` to look at their accesses,
    ``labels`` of them at the claims on labels, both as long as all these have taken no more than
    ``sample_cycles``. A run has ``limit`` cycles where no most is claimed (on
    the engine ``plain``, which is slow, fewer: then nothing is said of its end). When all have
    taken ``cycles``, only few more inputs are run a second time with all else changed. Nothing more
    is run when they have taken ``plain_cycles`` on the engine ``plain``, or, of ``runs`` inputs or
    more, ``all_cycles`` in compiled code. ``engine``: "auto", or "plain". Equal ``seed`` and
    arguments give equal runs.
    """

    runs: int = 1000
    exhaustive: int = 0x10000
    sample: int = 64
    labels: int = 256
    sample_cycles: int = 150_000
    limit: int = 3_000_000
    cycles: int = 500_000_000
    plain_cycles: int = 20_000_000
    all_cycles: int = 4_000_000_000
    engine: str = AUTO
    seed: int = 0

    def part(self, count: int, number: int) -> Plan:
        """One of ``count`` parts of it."""
        return replace(
            self,
            runs=max(self.runs // count, FEW),
            exhaustive=self.exhaustive // count,
            sample=max(self.sample // count, 1),
            labels=max(self.labels // count, 1),
            sample_cycles=self.sample_cycles // count,
            cycles=self.cycles // count,
            plain_cycles=self.plain_cycles // count,
            all_cycles=self.all_cycles // count,
            seed=self.seed + number,
        )


DEFAULT = Plan()


def witness(
    subject: Subject,
    plan: Plan = DEFAULT,
    *,
    draw: Draw | None = None,
    extra: Sequence[Point] = (),
    limits: CycleEnds = (None, None),
    tight: bool = False,
    ends: bool = True,
    model: Model | None = None,
    left: Callable[[], float] = lambda: inf,
) -> Witnessed:
    """Execute a routine or a piece of code and compare every statement of its contract.

    ``draw`` gives inputs that are allowed, for where they are hard to find; ``extra`` are executed
    as well, if they are allowed. ``limits`` are the cycles as proved; ``tight``: limits of cycles,
    these or else those of the contract, were said to be reached. ``ends``: so was that every run
    ends. What a ``model`` says is compared as well. ``left`` are the seconds that there are still:
    when they are over, what is open is left out, and the result says so. A routine with pointers
    is executed with its blocks at some places (romproof.witness.pointed), and has no model.
    """
    if subject.contract.pointers:
        return _at_places(subject, plan, draw, extra, limits, tight, ends, left)
    chance = np.random.default_rng(plan.seed)
    setting, _ = settings_of(subject, chance)
    counts = counting(subject, model)
    inputs = inputs_of(subject, setting, plan.runs, plan.exhaustive, draw, extra, chance, counts)
    claims = tuple(_claims(subject, limits))
    tally = Tally(subject, inputs.domains)
    work = _Work(subject, plan, claims, ends, chance, tally, model, left)
    work.all(inputs.rows)
    tight = tight and work.has_had(inputs.given)
    for wrong in compare_together(subject, tally.least, tally.most, claims, tight):
        tally.by_statement[wrong.statement] = wrong
    return _result(work, inputs)


def _at_places(
    subject: Subject,
    plan: Plan,
    draw: Draw | None,
    extra: Sequence[Point],
    limits: CycleEnds,
    tight: bool,
    ends: bool,
    left: Callable[[], float],
) -> Witnessed:
    """The same, with the blocks of pointers at some places: of each a part of all runs."""
    chosen = choices(subject, draw, extra, np.random.default_rng(plan.seed))
    done: list[Witnessed] = []
    for number, (places, points) in enumerate(chosen):
        if left() <= 0 or any(each.disagreements for each in done):
            break
        part = plan.part(len(chosen), number)
        one = pointed.at(subject, places)
        done.append(witness(one, part, extra=points, limits=limits, ends=ends, left=left))
    least, most = pointed.least_of(done), pointed.most_of(done)
    claims = tuple(_claims(subject, limits))
    whole = len(done) == len(chosen)
    wrong = [*compare_together(subject, least, most, claims, tight and whole)]
    result = pointed.together(done, wrong)
    return result if whole else replace(result, stopped=left() <= 0)


def _claims(subject: Subject, limits: CycleEnds) -> Iterator[CycleLimits]:
    """What is said of cycles: by the proof, and by the contract."""
    unit = subject.abi.cycles
    if limits != (None, None):
        low, high = limits
        text = f"{_range(low, high)} {unit}, as found by the proof"
        yield claim_cycles(text, Cycles.FOUND, low, high)
    if subject.contract.cycles is not None:
        low, high = subject.contract.cycles
        text = f"takes {claim_text((low, high), ',')} {unit}"
        yield claim_cycles(text, Cycles.CLAIMED, low or None, high)


def _range(low: int | None, high: int | None) -> str:
    if low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"


@dataclass
class _Work:
    """What is executed, and what came of it so far."""

    subject: Subject
    plan: Plan
    claims: tuple[CycleLimits, ...]
    ends: bool
    chance: np.random.Generator
    tally: Tally
    model: Model | None
    left: Callable[[], float] = field(default=lambda: inf, repr=False)
    ports: bool = False
    number: int = 0
    """The number of the pair of settings, and of the first input in it."""
    first: int = 0
    engine: str = ""
    cut: bool = False
    """Whether inputs were left out."""
    stopped: bool = False
    """Whether that was because there was no time left."""

    @property
    def limit(self) -> int:
        """The cycles of one run: enough to see by how much it is wrong."""
        plan = self.plan
        if self._most:
            return 2 * max(self._most) + 1000
        short = self.engine == PLAIN
        return min(plan.limit, plan.plain_cycles // PART) if short else plan.limit

    @property
    def _most(self) -> list[int]:
        """The most cycles, as claimed."""
        return [claim.high for claim in self.claims if claim.high is not None]

    def has_had(self, first: int) -> bool:
        """Whether the first inputs were executed."""
        return self.first >= first and not (self.ports and self.cut)

    def all(self, rows: Array) -> None:
        """Execute these inputs, some of them more than once when they are few."""
        plan, subject = self.plan, self.subject
        automatic = plan.engine == AUTO
        self.engine = engine_for(subject.cpu.name) if automatic else plan.engine
        if not len(rows):
            return
        self.ports = self._has_ports(rows)
        self._execute(rows)
        limit = min(self.limit, plan.sample_cycles)
        wrong = self.tally.disagreements if subject.volatile and not self.ports else ()
        if any(touches(subject, each, limit) for each in wrong):
            # what memory has in place of ports does not change: that may be what is wrong
            self.ports, self.tally = True, Tally(subject, self.tally.domains)
            self._execute(rows)
        self._sample(rows)

    def _execute(self, rows: Array) -> None:
        """All inputs, or some of them where there are ports."""
        plan, subject = self.plan, self.subject
        self.number = self.first = 0
        if self.ports:
            self.engine = PLAIN
            self.cut = len(rows) > plan.runs
            rows = rows[_spread(len(rows), plan.runs)]
        count = len(rows)
        if count < plan.runs:
            rows = np.resize(rows, (plan.runs, rows.shape[1]))
        if self.ports:
            count = len(rows)  # each brings something else through the ports
        first = FEW if self.ports else FIRST
        most = _most_at_once(len(rows), len(subject.cells))
        probed = PROBE_OF_PORTS if self.ports else PROBE
        size = probed if self.left() > SHORT else 1
        while self.first < len(rows):
            begun, chunk = time.monotonic(), rows[self.first : self.first + size]
            self._chunk(chunk)
            self.first += len(chunk)
            self.number += 1
            used = self.tally.cycles + OVERHEAD * self.tally.runs
            spent = self.engine == PLAIN and used > plan.plain_cycles
            spent |= self.tally.cycles > plan.all_cycles and self.first >= plan.runs
            spent |= self.tally.unfinished > first  # they would take most of the time
            spent |= self.tally.unfinished == self.tally.runs > 0
            each = (time.monotonic() - begun) / len(chunk)
            self.stopped = self.first < len(rows) and self.left() < each
            self.cut |= (spent or self.stopped) and self.first < count
            if self.tally.by_statement or spent or self.stopped:
                break
            wanted = first - probed if self.number == 1 else 2 * max(size, first // 2)
            size = max(1, int(min(wanted, most, self.left() / each)))

    def _has_ports(self, rows: Array) -> bool:
        """Whether ports are read, as far as some runs show."""
        subject = self.subject
        if not subject.volatile:
            return False
        if getattr(subject.contract, "volatile", ()):
            return True
        setting, before = self._some(rows, FEW)
        return probe(subject, setting, before, min(self.limit, self.plan.sample_cycles // FEW))

    def _some(self, rows: Array, count: int) -> tuple[Setting, Machines]:
        """Some of the inputs, in one setting."""
        setting, _ = settings_of(self.subject, self.chance)
        some = rows[_spread(len(rows), count)]
        return setting, self._allow(machines(self.subject, setting, some, self.chance))

    def _allow(self, pool: Machines) -> Machines:
        return pool.rows(np.flatnonzero(find_allowed(self.subject, pool)))

    def _chunk(self, rows: Array) -> None:
        """Some inputs in two settings, and with other secrets."""
        subject, chance, tally = self.subject, self.chance, self.tally
        setting, opposite = settings_of(subject, chance, self.number)
        before = self._allow(machines(subject, setting, rows, chance))
        if not len(before):
            return
        one = self._run(setting, before)
        if self.model is not None:
            tally.tell(one, compare_model(one, self.model))
        if tally.cycles > self.plan.cycles and not self.ports:
            one = one.rows(_spread(len(before), FEW))
        other = self._run(opposite, contrast(subject, opposite, one.before, chance))
        if subject.lists_inputs:
            tally.tell(one, dependences(one, other))
        if subject.secrets or subject.secret_ports:
            again = one.before
            if subject.secrets:
                again = swap_secrets(subject, again, tally.domains, chance)
            others = self._run(setting, again, subject.secret_ports)
            tally.tell(one, secrets(one, others))

    def _run(
        self, setting: Setting, before: Machines, swapped: frozenset[int] = frozenset()
    ) -> Ran:
        device = _streams(self.first, swapped) if self.ports else None
        ran = run(self.subject, setting, before, self.limit, self.engine, device)
        self.tally.count(ran)
        # of runs that had fewer cycles than there might have been, the end is not told
        ends = self.ends and (bool(self._most) or self.limit >= self.plan.limit)
        self.tally.tell(ran, statements(ran, self.limit, self.claims, ends))
        return ran

    def _sample(self, rows: Array) -> None:
        """Some runs of which every access and every label is checked."""
        plan = self.plan
        setting, before = self._some(rows, max(plan.sample, plan.labels))
        effort = Effort(plan.sample, plan.labels, plan.sample_cycles, self.limit)
        subject = self.subject
        devices = _streams(0), _streams(0, subject.secret_ports)
        device, other = devices if subject.volatile else (None, None)
        sample(subject, setting, before, effort, self.tally, device, other, self.chance, self.left)


def _streams(first: int, swapped: frozenset[int] = frozenset()) -> Callable[[int], Device]:
    """What ports bring in each of some runs, of which ``first`` is the number of the first; those
    that are ``swapped`` something else than without that."""
    return lambda row: PortStream(first + row, swapped)


def _spread(count: int, wanted: int) -> Array:
    """The numbers of ``wanted`` rows among ``count``, the first one and the last included."""
    if wanted >= count:
        return np.arange(count)
    return np.linspace(0, count - 1, wanted).astype(np.int64)


def _most_at_once(count: int, width: int) -> int:
    """How many of so many rows one pair of settings has at most."""
    return max(FIRST, min(-(-count // SETTINGS), BYTES // max(width, 1)))


def _result(work: _Work, inputs: DrawnInputs) -> Witnessed:
    tally = work.tally
    return Witnessed(
        tally.runs,
        min(work.first, len(inputs.rows)),
        inputs.whole and not work.cut,
        work.engine,
        tally.watched,
        tally.unfinished,
        tally.least,
        tally.most,
        frozenset(tally.returns),
        frozenset(tally.ends) if not work.subject.is_called else frozenset(),
        tally.labels,
        tally.disagreements,
        work.stopped,
    )
