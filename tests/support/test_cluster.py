"""Tasks done by the workers of a dask cluster give what they give in this process."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import romproof
from fairdeck.audit.sample import sample
from fairdeck.cli.group import fairdeck
from fairdeck.proofs.every import chosen, prove_in_order
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.targets import MOS6502
from romproof import ProofOptions, workers
from romproof.cli.group import romproof as command
from romproof.prover.routines.jobs import ignore_progress, job_of, prove_job
from romproof.prover.routines.survey import SurveyRow, Work, work_on
from romproof.support import cluster
from romproof.support.cluster import NoScheduler, WorkerFailed

pytestmark = pytest.mark.xdist_group("cluster")  # one cluster is enough


def test_where_nobody_answers_it_says_what_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_ANSWER", 1)
    with pytest.raises(NoScheduler, match="dask scheduler"), workers(1, "tcp://127.0.0.1:9"):
        pass
    with (
        pytest.raises(NoScheduler, match="start one with 'dask scheduler'"),
        workers(1, "nonsense:"),
    ):
        pass


def test_other_code_on_a_worker_is_refused() -> None:
    with pytest.raises(WorkerFailed, match="another version of romproof and fairdeck"):
        cluster._do("0", ("romproof", "fairdeck"), len, ("abc",), {})


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """A cluster of three processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=2, dashboard_address=None, silence_logs=50
    ) as local:
        yield local


@pytest.fixture
def address(dask: Any) -> str:
    return str(dask.scheduler_address)


def works(tmp_path: Path) -> Work:
    """Twelve routines that know nothing of each other, two of them with false contracts."""
    (tmp_path / "main.s").write_text(
        ".zeropage\nn: .res 1\n.code\n"
        + "".join(
            f".export r{k}\n;; r{k} – bits of n.\n; in: n\n; out: A\n"
            f"; clobbers: {'Z' if k in (3, 8) else 'N Z'}\n; ensures: A == n & {k}\n"
            f"; cycles: 11\n.proc r{k}\n  lda n\n  and #{k}\n  rts\n.endproc\n"
            for k in range(128, 140)
        )
        .replace("r131", "r3")
        .replace("r136", "r8")
    )
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["main.s"]\n')
    return work_on("many", romproof.load(tmp_path))


def told(rows: list[SurveyRow]) -> list[tuple[Any, ...]]:
    """What does not depend on the clock."""
    return sorted((repr(replace(row.proof, seconds=0)), row.tests) for row in rows)


@pytest.mark.slow
def test_a_worker_that_dies_loses_nothing(tmp_path: Path, address: str) -> None:
    work = works(tmp_path)
    options = ProofOptions(timeout=300, fresh=True, on_progress=ignore_progress)
    here = told(list(work.rows(options, lambda name: None)))
    jobs = [job_of(part) for part in work.parts()]
    assert len(jobs) == 12
    there: list[SurveyRow] = []
    with workers(1, address) as pool:
        first, *others = {pool.submit(os.getpid) for _ in range(6)}
        victims = {future.result() for future in (first, *others)}
        futures = [pool.submit(prove_job, job, options) for job in jobs]
        os.kill(victims.pop(), signal.SIGKILL)
        for future in as_completed(futures):
            there += future.result()
    assert told(there) == here


@pytest.mark.slow
def test_logs_are_verified_by_a_cluster(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its workers are in other folders, and results have the names that were given."""
    vectors = json.loads((Path(__file__).parents[1] / "vectors" / "tenhou_logs.json").read_text())
    texts = {log["name"]: log["xml"] for log in vectors["logs"]}
    (tmp_path / "logs").mkdir()
    for number in range(70):
        name = ("e", "a-tampered-draw", "no-seed")[number % 3]
        (tmp_path / "logs" / f"{number:02}.xml").write_text(texts[name], "utf-8")
    monkeypatch.chdir(tmp_path)
    given = ["tenhou", "verify", "logs", "--json-lines"]
    here = CliRunner().invoke(fairdeck, [*given, "--jobs", "1"])
    there = CliRunner().invoke(fairdeck, [*given, "--scheduler", address])
    assert here.exit_code == there.exit_code == 1
    assert here.stdout == there.stdout
    assert len(here.stdout.splitlines()) == 70


@pytest.mark.slow
def test_faults_of_tasks_come_back(address: str) -> None:
    with workers(1, address) as pool:
        with pytest.raises(WorkerFailed, match="ZeroDivisionError"):
            pool.submit(divmod, 1, 0).result()
        with pytest.raises(romproof.RomproofError, match=r"nowhere\.gb"):
            pool.submit(romproof.load, "nowhere.gb").result()
        assert pool.submit(divmod, 7, 2).result() == (3, 1)


@pytest.mark.slow
def test_an_interrupt_leaves_no_task_behind(address: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        _interrupted(address)
    with workers(1, address) as pool:  # else it would wait for all of them
        assert pool.submit(divmod, 7, 2).result() == (3, 1)


def _interrupted(address: str) -> None:
    with workers(1, address) as pool:
        for _ in range(20):
            pool.submit(time.sleep, 0.5)
        raise KeyboardInterrupt


@pytest.mark.slow
def test_commands_give_the_same(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    works(tmp_path)
    monkeypatch.chdir(tmp_path)
    here, there = (
        CliRunner().invoke(command, ["prove", "--fresh", "--json", *more], catch_exceptions=False)
        for more in ([], ["--scheduler", address])
    )
    assert here.exit_code == there.exit_code
    assert verdicts(here.output) == verdicts(there.output)
    assert len(verdicts(here.output)) == 12


def verdicts(text: str) -> list[tuple[str, str]]:
    (rom,) = json.loads(text)["roms"]
    return [(row["name"], row["verdict"]) for row in rom["routines"]]


@pytest.mark.slow
def test_statements_and_samples_are_the_same(address: str) -> None:
    statements = chosen(["tarot/6502/flip", "tarot/sm83/flip"])
    options = ProofOptions(300.0, fresh=True)
    here = prove_in_order(statements, options, 1)
    there = prove_in_order(statements, options, None, scheduler=address)
    assert [proof.verdict for _, proof, _ in here] == [proof.verdict for _, proof, _ in there]
    with workers(1, address, ("romproof", "fairdeck")) as pool:
        one = sample(MOS6502, Reduction.CORRECT, 300, workers=1, fresh=True)
        other = sample(MOS6502, Reduction.CORRECT, 300, pool=pool, fresh=True)
    assert np.array_equal(one.counts, other.counts)
    assert (one.cycles, one.checked) == (other.cycles, other.checked)
