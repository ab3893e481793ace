"""What calls of routines cost in all runs of tests: the listener of ``--romproof-cycles``.

Counted are calls that tests make, and those that happen inside, of interrupt handlers too. The
input of a call that happens inside is that of the call which a test made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from romproof.engine.instruments import Watchpoint
from romproof.engine.protocol import Observer
from romproof.harness.calls.calling import CallRequest
from romproof.harness.calls.listening import ObservedRun, name_of
from romproof.harness.state.values import encode
from romproof.machine.memory import part_in_memory
from romproof.measure.call_times import CallTimes
from romproof.measure.code_digest import code_digest
from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.costs import RecordedCost, RoutineCost
from romproof.measure.coverage.reach import BankedCode
from romproof.program.image import Image
from romproof.text.errors import RomproofError

_PROGRAM_RUNS = "the program ran: run_until(), run_from() or run_frames()"
_MAX_BYTES = 1024
"""Bytes of memory that are written out of an input; of more, how many there are."""


@dataclass(slots=True)
class _Program:
    image: Image
    loaded: Image
    code: BankedCode
    costs: dict[str, RoutineCost] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Input:
    """What the running call was given; worked out when it is asked for."""

    run: ObservedRun
    _digest: int | None = None
    _text: str | None = None

    @property
    def digest(self) -> int:
        if self._digest is None:
            text = repr(_inputs_of(self.run.image, self.run.call)).encode("utf-8", "replace")
            self._digest = int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
        return self._digest

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = call_text(self.run)
        return self._text


class CallCosts:
    """A Listener (romproof.harness.calls.listening) that adds up what calls cost, by program and
    routine."""

    def __init__(self) -> None:
        self._programs: dict[tuple[int, tuple[str, ...]], _Program] = {}
        self._input: _Input | None = None
        self.unseen: dict[str, int] = {}

    def observer(self, run: ObservedRun, known: Observer | None) -> Observer | None:
        """See Listener."""
        self._input = _Input(run)
        if isinstance(known, CallTimes):
            known.restart()
            return known
        program = self._program(run)
        places = CodeLocations(program.loaded, tuple(run.board.windows))
        return CallTimes(run.board, places, partial(self._inside, program, places))

    def points(self, run: ObservedRun) -> tuple[Watchpoint, ...]:
        """See Listener."""
        return ()

    def on_call(self, run: ObservedRun, cycles: int) -> None:
        """See Listener."""
        assert run.call is not None, "a call was made"
        program = self._program(run)
        shown = (run.call.bank, *run.board.banks()) if run.board.windows else (0,)
        name = run.call.routine
        if not isinstance(name, str):
            name = run.image.entry(run.address) or f"${run.address:04X}"
        window = next(
            (n for n, w in enumerate(run.board.windows) if run.address in w.addresses), None
        )
        bank = 0 if window is None else shown[0] if shown[0] is not None else shown[window + 1]
        self._add(program, name, run.address, bank or 0, cycles)

    def on_unobserved(self, what: str, count: int, of: str) -> None:
        """See Listener."""
        self.unseen[what] = self.unseen.get(what, 0) + count

    def costs(self) -> dict[str, dict[str, RoutineCost]]:
        """What was measured so far, by the names of programs and routines."""
        total: dict[str, dict[str, RoutineCost]] = {}
        for program in self._programs.values():
            join(total, {name_of(program.image): program.costs})
        return total

    def _program(self, run: ObservedRun) -> _Program:
        key = id(run.image), tuple(run.board.left_out)
        known = self._programs.get(key)
        if known is None:
            loaded = part_in_memory(run.image, run.board.left_out)
            known = _Program(run.image, loaded, BankedCode(loaded, run.board.windows))
            self._programs[key] = known
        return known

    def _inside(self, program: _Program, places: CodeLocations, location: int, cycles: int) -> None:
        name = program.names.get(location)
        if name is None:
            image = places.image_at(location)
            name = image.entry(location % BANK) or f"${location % BANK:04X}"
            program.names[location] = name
        self._add(program, name, location % BANK, location // BANK, cycles)

    def _add(self, program: _Program, name: str, address: int, bank: int, cycles: int) -> None:
        cost = program.costs.get(name)
        if cost is None:
            digest = code_digest(program.loaded, address, bank, code=program.code)
            cost = program.costs[name] = RoutineCost(digest)
        given = self._input
        assert given is not None, "a run has begun"
        cost.inputs.add(given.digest)
        if cost.add(cycles):
            cost.name(given.text)


def join(
    total: dict[str, dict[str, RoutineCost]], other: Mapping[str, Mapping[str, RoutineCost]]
) -> None:
    """Add the costs of another process to ``total``."""
    for program, costs in other.items():
        known = total.setdefault(program, {})
        for name, cost in costs.items():
            known.setdefault(name, RoutineCost(cost.code)).join(cost)


def to_records(
    costs: Mapping[str, Mapping[str, RoutineCost]],
) -> dict[str, dict[str, RecordedCost]]:
    """As a file has them."""
    return {
        program: {name: cost.to_record() for name, cost in routines.items()}
        for program, routines in costs.items()
    }


def _inputs_of(image: Image, call: CallRequest | None) -> object:
    """What a call was given, the same for the same input wherever the program's variables are."""
    if call is None:
        return "run"
    mem = []
    for target, value in (call.mem or {}).items():
        try:
            data = encode(image, target, value)[1].hex()
        except RomproofError:
            data = repr(value)
        mem.append((str(target), data))
    registers = sorted((k, v) for k, v in call.registers.items() if v is not None)
    flags = sorted((call.flags or {}).items())
    return str(call.routine), registers, flags, sorted(mem), call.interrupt, call.bank


def call_text(run: ObservedRun) -> str:
    """A run as a test writes it: ``rom.call("add", a=1, mem={"sum": bytes.fromhex("00")})``."""
    call = run.call
    if call is None:
        return _PROGRAM_RUNS
    parts = [_code(call.routine)]
    parts += [f"{k}={v}" for k, v in call.registers.items() if v is not None]
    if call.flags:
        parts.append(f"flags={dict(call.flags)!r}")
    if call.mem:
        memory = (f"{_code(k)}: {_bytes(run.image, k, v)}" for k, v in call.mem.items())
        parts.append(f"mem={{{', '.join(memory)}}}")
    if call.interrupt:
        parts.append("interrupt=True")
    if call.bank is not None:
        parts.append(f"bank={call.bank}")
    after = "  # in memory that earlier calls left" if run.again else ""
    return f"{'machine' if run.again else 'rom'}.call({', '.join(parts)}){after}"


def _code(target: Any) -> str:
    return f"0x{target:04X}" if isinstance(target, int) else f'"{target}"'


def _bytes(image: Image, target: Any, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    try:
        data = encode(image, target, value)[1]
    except RomproofError:
        return repr(value)
    more = f" + {len(data) - _MAX_BYTES} more bytes" if len(data) > _MAX_BYTES else ""
    return f'bytes.fromhex("{data[:_MAX_BYTES].hex()}"{more})'
