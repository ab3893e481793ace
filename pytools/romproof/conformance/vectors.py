"""Single instructions with the state before and after: JSON of SingleStepTests, and ours."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from romproof.conformance.model import SHOWN, CaseFailure, SuiteFile, SuiteOutcome
from romproof.conformance.probe import IDLE, BusRecord, OpcodeVector, ProbeEngine
from romproof.engine.engines import ENGINES, make_engine
from romproof.isa.cpus import cpu_named
from romproof.support.reading import read_input

_SM83_REGISTERS = ("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime")
_ARTIFICIAL = (0x10, 0x76)
"""After ``stop`` and ``halt`` the vectors repeat cycles that say nothing."""
_UNSTABLE_STORES = (0x93, 0x9B, 0x9C, 0x9E, 0x9F)
"""What these store, and where, differs from chip to chip; our own vectors leave it open."""
_TRANSLATES = "recompiled"
"""The engine that would interpret what runs but once; here it is made to translate it."""
UNSTABLE = "store that differs from chip to chip"
"""Why a case does not count."""


def run_6502(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of SingleStepTests/65x02, its folder 6502/v1; every ``sample``-th case of it."""
    return _all(_6502_vectors(file, sample, _UNSTABLE_STORES), engine, "mos6502")


def run_65c02(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of the same, of a folder with the name of a 65C02."""
    return _all(_6502_vectors(file, sample), engine, file.path.parents[1].name)


def _6502_vectors(
    file: SuiteFile, sample: int, unstable: Collection[int] = ()
) -> Iterable[OpcodeVector]:
    return (
        OpcodeVector(
            name=case["name"],
            before=_registers(case["initial"], ("pc", "s", "a", "x", "y", "p")),
            ram=dict(case["initial"]["ram"]),
            after=_registers(case["final"], ("pc", "s", "a", "x", "y", "p")),
            ram_after=dict(case["final"]["ram"]),
            bus=tuple((kind, address, value) for address, value, kind in case["cycles"]),
            cycles=len(case["cycles"]),
            unstable=int(case["name"].split()[0], 16) in unstable,
        )
        for case in _cases(file.path)[::sample]
    )


def run_sm83(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of SingleStepTests/sm83, its folder v1; every ``sample``-th case of it."""
    return _all(map(_sm83_vector, _cases(file.path)[::sample]), engine, "sm83")


def _sm83_vector(case: Mapping[str, Any]) -> OpcodeVector:
    cycles = [_sm83_cycle(cycle) for cycle in case["cycles"]]
    artificial = int(case["name"].split()[0], 16) in _ARTIFICIAL
    return OpcodeVector(
        name=case["name"],
        before=_registers(case["initial"], _SM83_REGISTERS),
        ram=dict(case["initial"]["ram"]),
        after=_registers(case["final"], _SM83_REGISTERS),
        ram_after=dict(case["final"]["ram"]),
        bus=tuple(cycles[:1] if artificial else cycles),
        cycles=None if artificial else len(cycles),
    )


def _sm83_cycle(cycle: tuple[int, int, str] | None) -> BusRecord:
    """``r-m`` reads, ``-wm`` writes, ``---`` and null are cycles without an access."""
    if cycle is None or "m" not in cycle[2]:
        return IDLE
    return ("write" if "w" in cycle[2] else "read", cycle[0], cycle[1])


def run_silicon(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """Cases from a simulation of the 6502's transistors, in the form of tests/vectors; every
    ``sample``-th of them."""
    vectors = map(_silicon_vector, _cases(file.path)[::sample])
    return _all(vectors, engine, _silicon_cpu(engine))


def _silicon_cpu(engine: str) -> str:
    """The CPU that does what the simulation does; the documented part is the same for both."""
    known = ENGINES[engine].cpus
    return "perfect6502" if known is None or "perfect6502" in known else "mos6502"


def _silicon_vector(case: Mapping[str, Any]) -> OpcodeVector:
    bus = [("read" if read else "write", address, value) for address, value, read in case["cycles"]]
    ram = dict(case["initial"]["ram"])
    unstable = case["op"] in _UNSTABLE_STORES
    written = {address: value for kind, address, value in bus if kind == "write"}
    return OpcodeVector(
        name=f"{case['op']:02x} at ${case['initial']['pc']:04X}",
        before=_registers(case["initial"], ("pc", "s", "a", "x", "y", "p")),
        ram=ram,
        after=_registers(case["final"], ("pc", "s", "a", "x", "y", "p")),
        ram_after={} if unstable else ram | written,
        bus=tuple(bus[:-1] if unstable else bus),
        cycles=len(bus),
    )


def _registers(state: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    return {name: state[name] for name in names}


def _all(vectors: Iterable[OpcodeVector], engine: str, cpu: str) -> SuiteOutcome:
    if engine != _TRANSLATES:
        return _probe_all(vectors, ProbeEngine(make_engine(engine, cpu), cpu_named(cpu)))
    from romproof.conformance.translating import groups, probe_of  # they need LLVM

    total = SuiteOutcome()
    for group in groups(cpu_named(cpu), list(vectors)):
        total += _probe_all(group.vectors, probe_of(group, cpu))
    return total


def _probe_all(vectors: Iterable[OpcodeVector], probe: ProbeEngine) -> SuiteOutcome:
    passed, failed, apart = 0, 0, Counter[str]()
    failures: list[CaseFailure] = []
    for vector in vectors:
        reason = probe.reason_not_to_run(vector)
        if reason is not None:
            apart[reason] += 1
            continue
        wrong = probe.run(vector)
        if vector.unstable:
            apart[f"{UNSTABLE}: {'differs' if wrong else 'agrees'}"] += 1
        elif wrong is None:
            passed += 1
        else:
            failed += 1
            if failed <= SHOWN:
                failures.append(CaseFailure(vector.name, wrong))
    return SuiteOutcome(passed, failed, apart, tuple(failures)) + probe.progress


_MAX = 1 << 28


def _cases(path: Path) -> Any:
    data = read_input(path, _MAX)
    if path.suffix == ".gz":
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(_MAX + 1)
    if len(data) > _MAX:
        raise ValueError(f"it has more than {_MAX >> 20} MiB")
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
