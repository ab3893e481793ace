"""Budgets: how they are written, in contracts and projects, and when bounds keep them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from romproof.cli import romproof as command
from romproof.contract.reading.parse import parse_contracts
from romproof.program.budget import BadBudget, parse_budget
from romproof.projects import Manifest, build
from romproof.projects.manifest import BadManifest, manifest_from
from romproof.projects.project import BadProject, find_project, manifests
from romproof.report.costs import annotation
from romproof.text.diagnostic import BuildFailed
from romproof.timing.budgets import BudgetRow, BudgetVerdict, budget_rows, with_calls

SOURCE = """\
.segment "CODE"
.export short, computed
;; short - nothing much
; in: none
; out: none
; clobbers: none
; cycles: 8
; budget: {budget}
.proc short
  nop
  rts
.endproc
.proc computed
  jmp ($10)
.endproc
"""


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., list[BudgetRow]]:
    def rows(budget: str = "8 cycles", frame: float | None = 29_780.5, **said: str) -> list:
        (tmp_path / "a.s").write_text(SOURCE.format(budget=budget), "utf-8")
        image = build(Manifest("a", (tmp_path / "a.s",)), None).image
        return budget_rows(image, parse_contracts(image), said.items(), frame)

    return rows


@pytest.mark.parametrize(
    ("text", "cpu", "cycles"),
    [
        ("0.5 frames", "mos6502", 14_890),  # 29,780.5 / 2 = 14,890.25
        ("1 frame", "mos6502", 29_780),
        ("1200 cycles", "mos6502", 1200),
        ("1 cycle", "sm83", 1),
        ("300 M-cycles", "sm83", 300),
        ("300 m-cycles", "sm83", 300),
    ],
)
def test_units(text: str, cpu: str, cycles: int) -> None:
    assert parse_budget(text, cpu).cycles(29_780.5) == cycles


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a budget"),
        ("12", "'12' is not a budget"),
        ("12 seconds", "'12 seconds' is not a budget"),
        ("-1 cycles", "'-1 cycles' is not a budget"),
        ("1e9 cycles", "'1e9 cycles' is not a budget"),
        ("9" * 100 + " cycles", "is not a budget"),
        ("1.5 cycles", "a call takes a whole number of cycles"),
        ("0 frames", "it must be more than 0"),
        ("1000000001 cycles", "at most 1,000,000,000"),
        ("3 M-cycles", "only the SM83 has M-cycles"),
        ("١ cycles\n2 frames", "is not a budget"),
    ],
)
def test_what_is_no_budget(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadBudget, match=message):
        parse_budget(text, "mos6502")
    table = {"sources": ["a.s"], "budgets": {"main": text}}
    with pytest.raises(BadManifest, match=f"where: the budget of 'main': .*{message}"):
        manifest_from(table, tmp_path, "a", "where")
    foreign = {"image": "a.nes", "budgets": {"main": text}}
    with pytest.raises(BadManifest, match=f"where: the budget of 'main': .*{message}"):
        manifest_from(foreign, tmp_path, "a", "where")


def test_frames_of_a_clock_without_any(rows: Callable[..., list[BudgetRow]]) -> None:
    with pytest.raises(BadBudget, match="the clock of the program has no frames"):
        rows("1 frame", None)


def test_a_budget_is_kept_up_to_the_bound(rows: Callable[..., list[BudgetRow]]) -> None:
    assert [row.verdict for row in rows("8 cycles")] == [BudgetVerdict.PROVED]
    (row,) = rows("7 cycles")
    assert (row.verdict, row.ok) == (BudgetVerdict.EXCEEDED, False)
    assert row.note == "no call takes fewer than 8 cycles"
    computed, _ = rows(computed="90 cycles")
    assert (computed.verdict, computed.ok) == (BudgetVerdict.UNKNOWN, False)
    assert computed.note.startswith("no upper static bound: ")


def test_what_calls_say(rows: Callable[..., list[BudgetRow]]) -> None:
    computed, short = rows(computed="90 cycles")
    assert with_calls(computed, 0, 0, "").verdict is BudgetVerdict.UNKNOWN
    assert with_calls(computed, 5, 90, "").verdict is BudgetVerdict.OBSERVED
    assert with_calls(computed, 5, 91, "x").verdict is BudgetVerdict.EXCEEDED
    assert with_calls(short, 0, 0, "") == short, "proved without a call"
    interrupted = with_calls(short, 1, 30, "rom.call('short')")
    assert interrupted.verdict is BudgetVerdict.EXCEEDED, "what is seen goes before what is proved"


def test_both_the_contract_and_the_project_may_say_one(
    rows: Callable[..., list[BudgetRow]],
) -> None:
    assert [row.limit for row in rows("8 cycles", short="7 cycles")] == [7, 8]


def test_a_contract_with_a_budget_that_is_none(rows: Callable[..., list[BudgetRow]]) -> None:
    with pytest.raises(BuildFailed) as caught:
        rows("8 apples")
    message = str(caught.value)
    assert "a.s:8:3: error: '8 apples' is not a budget" in message
    assert "help: write a number and its unit" in message


def test_an_annotation_has_no_line_ends(rows: Callable[..., list[BudgetRow]]) -> None:
    (row,) = rows("7 cycles")
    text = annotation(with_calls(row, 1, 8, "rom.call(100%\n::set-env::)"))
    assert text.count("\n") == 0
    assert "100%25%0A::set-env" in text
    assert text.startswith("::error file=")
    assert ",line=8,col=3::short: budget 7 cycles: exceeded" in text


def project(folder: Path, keys: str) -> None:
    (folder / "a.s").write_text(SOURCE.format(budget="8 cycles"), "utf-8")
    (folder / "pyproject.toml").write_text(f"[tool.romproof]\n{keys}\n", "utf-8")


def test_the_command_fails_of_what_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sources = 'sources = ["a.s"]\n'
    project(tmp_path, sources)
    done = CliRunner().invoke(command, ["bounds", "--budget", "--json"])
    assert done.exit_code == 0
    (rom,) = json.loads(done.output)["roms"]
    assert rom["budgets"] == [
        {
            "routine": "short",
            "budget": "8 cycles",
            "limit": 8,
            "verdict": "ok",
            "note": "the upper static bound is 8 cycles",
        }
    ]
    project(tmp_path, sources + '[tool.romproof.budgets]\ncomputed = "1 frame"')
    assert CliRunner().invoke(command, ["bounds"]).exit_code == 0
    done = CliRunner().invoke(command, ["bounds", "--budget", "--github"])
    assert done.exit_code == 1
    assert "::error file=a.s,line=13,col=1::computed: budget 1 frame = 29,780 cycles" in done.output
    only = CliRunner().invoke(command, ["bounds", "rom:short", "--budget"])
    assert only.exit_code == 0
    assert CliRunner().invoke(command, ["bounds", "--github"]).exit_code == 2


def test_the_budgets_of_a_project_are_of_its_program(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/manifest.toml").write_text(
        '[rom]\nsources = ["x.s"]\nbudgets = { a = "3 cycles" }\n', "utf-8"
    )
    project(tmp_path, 'rom = "one/manifest.toml"\nbudgets = { b = "1 frame" }')
    found = find_project(tmp_path)
    assert found is not None
    (manifest,) = manifests(found)
    assert dict(manifest.budgets) == {"a": "3 cycles", "b": "1 frame"}
    for keys, message in (
        ('rom = "one/manifest.toml"\nbudgets = 3', "'budgets' must be a table"),
        ('rom = "one/manifest.toml"\nbudgets = { b = 3 }', "the budget of 'b' must be a string"),
        ('folders = ["."]\nbudgets = { b = "1 frame" }', "which describes none"),
    ):
        project(tmp_path, keys)
        found = find_project(tmp_path)
        assert found is not None
        with pytest.raises(BadProject, match=message):
            manifests(found)
