"""All statements, and proving them in several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from types import MappingProxyType

from fairdeck.proofs.proof_cache import recall_or_prove
from fairdeck.proofs.statement import Statement
from romproof import BadInput, Proof, ProofOptions, suggest, workers

TOPICS = ("tarot", "shuffle", "sha512", "mt19937", "arith", "mjarcade", "tenhou", "riichi")
"""The modules with statements, in the order in which people read them."""

LONGEST = (
    *(
        "shuffle-fast-model",
        "mj_deal",
        "mj_deal-contract",
        "tenhou_round",
        "tenhou_round-contract",
        "mt_init_by_array",
        "shuffle-balanced-model",
        "best_discard",
        "target",
        "suit_costs-model",
        "ukeire",
        "call_options",
        "shanten",
        "complete",
        "normal_shanten",
        "sha512_block",
        "sha512_of_128",
        "sha512",
        "shuffle",
        "shuffle-small",
        "shuffle-balanced",
        "honour_costs-contract",
        "honour_costs",
        "sha512_rounds",
        "twist",
        "round",
        "suit_costs",
    ),
    *("sha512_schedule", "kokushi_shanten", "word"),
)
"""The subjects that take longest, the longest first: with several processes they are begun first,
so that none is left to work alone in the end. Nothing else depends on it."""


class NoSuchStatement(BadInput):
    """The name is no statement's."""


@cache
def every() -> Mapping[str, Statement]:
    """All statements by their names."""
    rows = [
        statement
        for topic in TOPICS
        for statement in import_module(f"fairdeck.proofs.{topic}").statements()
    ]
    return MappingProxyType({statement.name: statement for statement in rows})


def chosen(patterns: Sequence[str]) -> list[Statement]:
    """The statements that ``patterns`` name: whole names, their first parts (``sha512``,
    ``tarot/sm83``) or patterns with ``*``. Without any, all that are not long. Raises
    NoSuchStatement."""
    names: dict[str, None] = {}
    for pattern in patterns:
        fitting = [
            name
            for name in every()
            if name == pattern or name.startswith(f"{pattern}/") or fnmatchcase(name, pattern)
        ]
        if not fitting:
            hint = suggest(pattern, every()) or f"topics are {', '.join(_topics())}"
            raise NoSuchStatement(f"nothing called '{pattern}' is to be proved; {hint}")
        names |= dict.fromkeys(fitting)
    return [every()[name] for name in names] or [one for one in every().values() if not one.long]


def _topics() -> list[str]:
    return list(dict.fromkeys(statement.topic for statement in every().values()))


def prove_all(
    statements: Sequence[Statement],
    options: ProofOptions,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> Iterator[tuple[Statement, Proof, bool]]:
    """The proofs as they come, and whether each was kept from an earlier run.

    ``jobs`` is the number of processes; None: one for each core. ``scheduler`` is the address of a
    cluster that proves in their place. Raises for it what ``romproof.workers`` raises."""
    count = min(jobs or os.cpu_count() or 1, len(statements))
    if count <= 1 and scheduler is None:
        for statement in statements:
            yield statement, *recall_or_prove(statement, options)
        return
    with workers(max(1, count), scheduler, ("romproof", "fairdeck")) as pool:
        waiting = {
            pool.submit(_prove, statement.name, replace(options, on_progress=_unheard)): statement
            for statement in sorted(statements, key=_rank)
        }
        for future in as_completed(waiting):
            yield waiting[future], *future.result()


def _rank(statement: Statement) -> int:
    """When a statement is begun: in the order of LONGEST, then those that are not in it."""
    return LONGEST.index(statement.subject) if statement.subject in LONGEST else len(LONGEST)


def _prove(name: str, options: ProofOptions) -> tuple[Proof, bool]:
    return recall_or_prove(every()[name], options)


def _unheard(count: int) -> None:
    """In another process nobody hears of progress."""


Tick = Callable[[], None]


def prove_in_order(
    statements: Sequence[Statement],
    options: ProofOptions,
    jobs: int | None = None,
    tick: Tick = lambda: None,
    scheduler: str | None = None,
) -> list[tuple[Statement, Proof, bool]]:
    """The proofs in the order of the statements; ``tick`` is called after each."""
    proofs: dict[str, tuple[Proof, bool]] = {}
    for statement, proof, kept in prove_all(statements, options, jobs, scheduler):
        proofs[statement.name] = proof, kept
        tick()
    return [(statement, *proofs[statement.name]) for statement in statements]
