"""What the tests of whole classes of claims share: small programs, their verdicts, and why."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from thorough import THOROUGH

from romproof.harness.rom import Rom
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.prover.results import Attained, Proof, Verdict
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions
from romproof.text.cause import Cause
from romproof.text.diagnostic import BuildFailed
from romproof.witness.results import Witnessed
from romproof.witness.subject import Subject
from romproof.witness.witness import DEFAULT, Plan, witness

PROVED, REFUTED, UNKNOWN = Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN
PARTIAL, VACUOUS = Verdict.PARTIAL, Verdict.VACUOUS

NOT_SHOWN = (REFUTED, UNKNOWN)
"""Verdicts on what is false, where finding an input is not asked for."""

HEAD_6502 = """\
        .segment "ZEROPAGE"
n:      .res 1
m:      .res 1
tmp:    .res 1
ptr:    .res 2
buf:    .res 4
        .exportzp n, m, tmp, ptr, buf
        .segment "BSS"
arr:    .res 4
tail:   .res 4
alias = arr
        .export arr, tail, alias
        .segment "CODE"
"""
HEAD_SM83 = """\
SECTION "Variables", HRAM[$FF90]
n:: ds 1
m:: ds 1
tmp:: ds 1
ptr:: ds 2
buf:: ds 4
SECTION "Work", WRAM0[$C080]
alias::
arr:: ds 4
tail:: ds 4
SECTION "Main", ROM0[$0150]
"""


@dataclass(frozen=True)
class Said:
    """A claim about the routine ``it`` and the verdicts it may get.

    ``contract`` has fields parted by ``;``, ``code`` lines parted by ``/``. ``others`` are further
    routines, name to contract (None: without one) and code. ``reason`` is part of the statement or
    the detail of what is not proved; ``head`` takes the place of the usual variables.
    """

    contract: str
    code: str
    verdicts: tuple[Verdict, ...] = (PROVED,)
    reason: str = ""
    others: Mapping[str, tuple[str | None, str]] | None = None
    head: str | None = None
    attained: tuple[Attained | None, ...] = (Attained.YES, None)


def wide(said: Said) -> Said:
    """The same of a claim that is true, and allows cycles that no call takes."""
    return replace(said, verdicts=(PROVED,), reason="", attained=(Attained.NO, Attained.UNKNOWN))


def false(
    contract: str,
    code: str,
    reason: str = "",
    verdicts: tuple[Verdict, ...] = NOT_SHOWN,
    others: Mapping[str, tuple[str | None, str]] | None = None,
    head: str | None = None,
) -> Said:
    """A claim that must not be proved."""
    return Said(contract, code, verdicts, reason, others, head)


def true(
    contract: str,
    code: str,
    verdicts: tuple[Verdict, ...] = (PROVED,),
    others: Mapping[str, tuple[str | None, str]] | None = None,
    head: str | None = None,
) -> Said:
    """A claim that has to be proved."""
    return Said(contract, code, verdicts, "", others, head)


def source(cpu: str, said: Said) -> str:
    """The program."""
    is_6502 = cpu != "sm83"
    head = said.head or (HEAD_6502 if is_6502 else HEAD_SM83)
    routines = {**(said.others or {}), "it": (said.contract, said.code)}
    found = [head]
    for name, (contract, code) in routines.items():
        fields = (contract or "").split(";") if contract else []
        found += [f";; {name} – for a test."] if fields else []
        found += [f"; {field.strip()}" for field in fields]
        found += [f".export {name}", f".proc {name}"] if is_6502 else [f"{name}::"]
        found += [f"  {line.strip()}" for line in code.split("/")]
        found += [".endproc", ""] if is_6502 else [""]
    return "\n".join(found) + "\n"


def rom_of(cpu: str, text: str) -> Rom:
    """The program, linked. Raises BuildFailed."""
    name = "demo.asm" if cpu == "sm83" else "demo.s"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / name).write_text(text, "utf-8")
        table = {"name": "demo", "cpu": cpu, "sources": [name]}
        rom = Rom(build(manifest_from(table, path, "demo", "test")).image)
        assert "it" in rom.contracts  # the sources are still there now
        return rom


FEW = replace(
    DEFAULT,
    runs=250,
    exhaustive=1 << 12,
    sample=8,
    labels=32,
    sample_cycles=20_000,
    limit=300_000,
    cycles=20_000_000,
    plain_cycles=1_000_000,
    all_cycles=100_000_000,
)
"""The runs that a proof is held against here; ``make test-slow`` takes those that users have."""


def _fewer(plan: Plan) -> Plan:
    """Of each number the smaller."""
    numbers = [each.name for each in fields(FEW) if isinstance(getattr(FEW, each.name), int)]
    return replace(plan, **{n: min(getattr(plan, n), getattr(FEW, n)) for n in numbers})


@contextmanager
def few_runs() -> Iterator[None]:
    """What is proved is executed for a few inputs: these tests are about what proofs say."""

    def shorter(subject: Subject, plan: Plan, **others: Any) -> Witnessed:
        return witness(subject, plan if THOROUGH else _fewer(plan), **others)

    with patch("romproof.prover.replay.confirm.witness", shorter):
        yield


def proofs_of(cpu: str, said: Said, timeout: float = 1000.0) -> dict[str, Proof]:
    """What is proved of each routine."""
    rom = rom_of(cpu, source(cpu, said))
    with few_runs():
        proofs = prove_rom(rom, (), ProofOptions(timeout=timeout))
        return {proof.routine: proof for proof in proofs}


def told(proof: Proof) -> str:
    """All findings, for a failed test."""
    return "\n".join(
        f"{each.verdict.value}: {each.statement} ({each.detail})" for each in proof.findings
    )


def check(cpu: str, said: Said) -> None:
    """Hold that a claim gets the verdict it should, or is refused, and that the reason is named."""
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    refused = ""
    try:
        proofs = proofs_of(cpu, said)
    except BuildFailed as error:
        refused = str(error)
    if refused:
        # what nothing can fulfil is sometimes seen when the contract is read
        assert VACUOUS in said.verdicts, refused
        assert (said.reason or "no input satisfies") in refused
        return
    proof = proofs["it"]
    assert proof.verdict in said.verdicts, told(proof)
    for each in proofs.values():  # it is the rules that have to stop what is false, not the runs
        stopped = [
            f
            for f in each.findings
            if Cause.PROVER_FAULT in f.causes and Cause.CUT_OFF not in f.causes
        ]
        assert not stopped, told(each)  # that a run was cut off says nothing of a rule
    if proof.verdict is PROVED:
        assert proof.attained in said.attained, told(proof)
    reasons = [
        f"{each.statement} {each.detail}"
        for each in proof.findings
        if each.verdict is not Verdict.PROVED
    ]
    if said.reason:
        assert any(said.reason in reason for reason in reasons), told(proof)


Table = Mapping[str, Mapping[str, Said]]


def _twins(
    table: Mapping[str, Mapping[str, Said]], long: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The claims that a table has on another CPU too, without one of each that is not ``long``."""
    names = sorted({name for claims in table.values() for name in claims})
    for number, name in enumerate(names):
        cpus = [cpu for cpu, claims in table.items() if name in claims]
        quick = [cpu for cpu in cpus if f"{cpu} {name}" not in long] or cpus
        tried = quick[number % len(quick)]
        yield from ((cpu, name) for cpu in cpus if cpu != tried)


def cases(*tables: Table, long: Collection[str] = ()) -> Iterable[object]:
    """The claims of tables by CPU and name, as pytest's parameters.

    Those named in ``long`` (``6502 a loop``) are left to ``make proofs``. So are twins: what a
    table says of two CPUs in the same words the suite tries on one of them, on each in turn. The
    rule that is aimed at is the same; what differs between the CPUs is in tests of their terms.
    """
    known = {f"{cpu} {name}" for table in tables for cpu in table for name in table[cpu]}
    assert known.issuperset(long), set(long) - known
    left = [set(_twins(table, long)) for table in tables]
    return [
        pytest.param(
            cpu,
            said,
            id=f"{cpu} {name}",
            marks=[pytest.mark.proof]
            if (cpu, name) in left[number] or f"{cpu} {name}" in long
            else [],
        )
        for number, table in enumerate(tables)
        for cpu, claims in table.items()
        for name, said in claims.items()
    ]
