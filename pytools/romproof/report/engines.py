"""The nouns of a report on the engines: which there are, what they can do, how fast they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from romproof.engine.engines import ENGINES, Ability, choose_engine
from romproof.engine.speed import Speed
from romproof.isa.cpus import CPUS


@dataclass(frozen=True, slots=True)
class EngineLine:
    """One engine. ``refusal`` says why it cannot be used here, None when it can; ``cpus`` are
    those it knows, ``speeds`` were measured, by CPU."""

    name: str
    about: str
    refusal: str | None
    cpus: tuple[str, ...]
    abilities: frozenset[Ability]
    speeds: Mapping[str, Speed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EngineReport:
    """All engines, the fastest first. ``cpus`` are those the report is about; ``chosen`` names
    the engine that "auto" takes for each."""

    cpus: tuple[str, ...]
    chosen: Mapping[str, str]
    engines: tuple[EngineLine, ...]


def usable_pairs(cpus: Sequence[str]) -> list[tuple[str, str]]:
    """Every engine that can be used here, with every one of ``cpus`` it knows."""
    return [
        (name, cpu) for cpu in cpus for name, row in ENGINES.items() if row.refusal(cpu) is None
    ]


def engine_report(
    cpus: Sequence[str] = tuple(CPUS), speeds: Mapping[tuple[str, str], Speed] | None = None
) -> EngineReport:
    """The report for some CPUs; ``speeds`` by engine and CPU."""
    measured = speeds or {}
    lines = [
        EngineLine(
            name=name,
            about=row.about,
            refusal=row.missing(),
            cpus=tuple(cpu for cpu in CPUS if row.cpus is None or cpu in row.cpus),
            abilities=row.abilities,
            speeds={cpu: measured[name, cpu] for cpu in cpus if (name, cpu) in measured},
        )
        for name, row in ENGINES.items()
    ]
    return EngineReport(tuple(cpus), {cpu: choose_engine(cpu) for cpu in cpus}, tuple(lines))
