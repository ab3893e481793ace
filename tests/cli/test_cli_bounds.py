from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_programs import DEMO, Run, write_rom


@pytest.fixture(autouse=True)
def _project(project: Path) -> None:
    pass


def rows(done: Any) -> dict[str, dict[str, Any]]:
    data = json.loads(done.stdout)
    assert data["schema"] == "romproof.bounds/2"
    return {row["name"]: row for rom in data["roms"] for row in rom["routines"]}


def test_a_table(romproof: Run) -> None:
    done = romproof("bounds", "demo")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "demo mos6502, cycles of any call"
    assert lines[1] == "routine best worst claim"
    # fill: 2 + 3 * (6 + 29 + 5 + 2 + 3) - 1 + 6
    assert lines[3:6] == ["main - ?", "step 29 29 29 ok", "fill 142 142"]
    assert lines[6:] == [
        "",
        "worst not known:",
        "rom/demo/demo.s:10: this loop is never left",
        "rom/demo/demo.s:9: it never returns",
    ]


def test_one_routine_as_json_with_its_loops(romproof: Run) -> None:
    done = romproof("bounds", "demo:fill", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = rows(done).values()
    assert (row["best"], row["worst"], row["reasons"], row["claim"]) == (142, 142, [], None)
    assert row["loops"] == [
        {
            "label": "fill::loop",
            "address": row["address"] + 2,
            "place": "rom/demo/demo.s:30",
            "turns": 3,
            "stated": False,
        }
    ]


def test_all_roms_and_routines_that_are_not_exported(romproof: Run, project: Path) -> None:
    write_rom(project, "tiny", ".export go\ngo: jsr help\n rts\nhelp: rts\n")
    assert set(rows(romproof("bounds", "--json"))) == {"main", "step", "fill", "go"}
    assert set(rows(romproof("bounds", "tiny", "--all", "--json"))) == {"go", "help"}
    write_rom(project, "none", "go: jsr help\n rts\nhelp: rts\n")
    assert set(rows(romproof("bounds", "none", "--json"))) == {"go", "help"}


@pytest.mark.parametrize(
    ("claim", "verdict", "note"),
    [
        ("29", "ok", ""),
        ("28", "wrong", "claims at most 28; no call takes fewer than 29"),
        ("30..40", "wrong", "claims at least 30; no call takes more than 29"),
        ("20..29", "loose", "at least 29"),
        ("20..", "loose", "at least 29"),
        ("29..", "ok", ""),
        ("..29", "ok", ""),
        ("..35", "loose", "at most 29"),
        ("..28", "wrong", "claims at most 28; no call takes fewer than 29"),
    ],
)
def test_claims(romproof: Run, project: Path, claim: str, verdict: str, note: str) -> None:
    source = DEMO.replace("cycles:   29", f"cycles:   {claim}")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof("bounds", "demo:step", "--json")
    assert done.returncode == (1 if verdict == "wrong" else 0)
    row = rows(done)["step"]
    assert (row["verdict"], row["note"]) == (verdict, note)
    shown = romproof("bounds", "demo:step", env={"COLUMNS": "100"})
    assert (f"step: {note}" in shown.stdout) == bool(note)
    assert shown.returncode == done.returncode


BOTH = """\
        .export both
;; both – A and 5 are compared twice: only one of the branches is taken.
; in:       A
; out:      none
; clobbers: N Z C
; cycles:   {claim}
.proc both
        cmp #5
        bcc @small
        nop
        nop
@small: cmp #5
        bcs @large
        nop
        nop
@large: rts
.endproc
"""  # 19 cycles on both ways; the bounds are 16..22


@pytest.mark.slow_cases("16..21-claims at most 21; the most found are 22")
@pytest.mark.parametrize(
    ("claim", "note"),
    [
        ("16..21", "claims at most 21; the most found are 22"),
        ("..21", "claims at most 21; the most found are 22"),
        ("17..", "claims at least 17; the fewest found are 16"),
        (
            "17..21",
            "claims at least 17; the fewest found are 16; claims at most 21; the most found are 22",
        ),
    ],
)
def test_claims_that_the_bounds_exceed(romproof: Run, project: Path, claim: str, note: str) -> None:
    write_rom(project, "both", BOTH.format(claim=claim))
    done = romproof("bounds", "both", "--json")
    assert done.returncode == 1
    row = rows(done)["both"]
    assert (row["best"], row["worst"]) == (16, 22)
    assert (row["verdict"], row["note"]) == ("may exceed", note)
    assert f"{claim} may exceed" in romproof("bounds", "both").stdout
    # for this very code the claim is proved, and that is said
    done = romproof("bounds", "both", "--prove", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    row = rows(done)["both"]
    assert (row["verdict"], row["note"]) == ("proved", "19; the bounds are 16..22")
    assert f"{claim} proved" in romproof("bounds", "both", "--prove").stdout


def test_a_claim_that_the_prover_refutes(romproof: Run, project: Path) -> None:
    write_rom(project, "both", BOTH.format(claim="..18"))
    done = romproof("bounds", "both", "--prove", "--json")
    assert done.returncode == 1
    row = rows(done)["both"]
    assert row["verdict"] == "wrong"
    assert row["note"].startswith("it can take 19 for A=$")


def test_a_claim_on_cycles_of_which_there_is_no_bound(romproof: Run, project: Path) -> None:
    source = BOTH.replace("cmp #5\n        bcc @small", "jsr both\n        bcc @small", 1)
    write_rom(project, "both", source.format(claim="..99"))
    row = rows(romproof("bounds", "both", "--json"))["both"]
    assert row["verdict"] == "may exceed"
    assert row["note"] == "claims at most 99; the most are not known"
    # what is proved of other statements only proves no cycles
    done = romproof("bounds", "both", "--prove", "--effort", "0.01", "--json")
    assert done.returncode == 1
    row = rows(done)["both"]
    assert row["verdict"] == "may exceed"
    assert "; not proved: " in row["note"]


def test_turns_that_a_contract_states(romproof: Run, project: Path) -> None:
    text = """\
        .export wait
;; wait – for something.
; in:       none
; out:      none
; clobbers: N Z
; loops:    {loops}
.proc wait
        ldx #4
@turn:
        dex
        bne @turn
@wait:
        lda $D012
        bne @wait
        rts
.endproc
"""
    write_rom(project, "wait", text.format(loops="@wait 3..7"))
    shown = romproof("bounds", "wait", "--loops")
    lines = [" ".join(line.split()) for line in shown.stdout.splitlines()]
    assert "wait@wait 7 contract rom/wait/wait.s:13" in lines
    assert "wait@turn 4 rom/wait/wait.s:10" in lines
    # ldx, 4 turns of 5 less 1, 7 of 7 less 1, rts
    assert "wait 47 75*" in lines
    at = lines.index("* relies on 'loops:' of contracts, which are not checked here:")
    assert lines[at + 1] == "wait: stated: @wait 3..7"
    row = rows(romproof("bounds", "wait", "--json"))["wait"]
    assert row["stated"] == [
        {"label": "@wait", "least": 3, "most": 7, "place": "rom/wait/wait.s:6"}
    ]
    assert romproof("build", "wait").returncode == 0
    listing = (project / "build/rom/wait.lst").read_text("utf-8")
    assert "; static 47..75 cycles, stated: @wait 3..7\n" in listing
    (project / "rom/wait/wait.s").write_text(text.format(loops="@turn 3, @wait 7"), "utf-8")
    shown = romproof("bounds", "wait", env={"COLUMNS": "100"})
    assert shown.returncode == 1
    assert "6: 'loops: @turn 3' is impossible: the loop has at least 4 iterations" in shown.stdout


@pytest.mark.parametrize("columns", ["40", "80", "120"])
def test_it_fits_the_terminal(romproof: Run, columns: str) -> None:
    done = romproof("bounds", "demo", "--loops", env={"COLUMNS": columns, "NO_COLOR": "1"})
    assert max(len(line) for line in done.stdout.splitlines()) <= int(columns)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("bounds demp", 2, "no ROM 'demp'; did you mean 'demo'?"),
        ("bounds demo:", 2, "'demo:' names no routine after the colon"),
        ("bounds demo:stepp", 2, "no symbol 'stepp' in the image; did you mean 'step'?"),
        ("bounds demo:lfsr", 2, "there is no code at $0080 (lfsr)"),
        ("bounds demo:0xFFF0", 2, "there is no code at $FFF0"),
    ],
)
def test_what_cannot_be_meant(romproof: Run, words: str, code: int, told: str) -> None:
    done = romproof(*words.split())
    assert done.returncode == code
    assert told in done.stderr
    assert done.stdout == ""


def test_a_listing_with_bounds(romproof: Run, project: Path) -> None:
    assert romproof("build", "demo", "--no-bounds").returncode == 0
    listing = project / "build/rom/demo.lst"
    plain = listing.read_text("utf-8")
    assert "static" not in plain
    assert romproof("build", "demo").returncode == 0
    lines = listing.read_text("utf-8").splitlines()
    notes = [line for line in lines if "; static" in line]
    assert [line.strip() for line in notes] == [
        "; static 29 cycles",
        "; static 142 cycles",
    ]
    before = {lines[lines.index(note) - 1].split()[-1] for note in notes}
    assert before == {"step", "fill"}
    said = [line for line in lines if line not in notes and not line.startswith("static")]
    assert said == plain.splitlines()


def test_a_malformed_contract_is_no_reason_not_to_build(romproof: Run, project: Path) -> None:
    source = next(project.rglob("*.s"))
    source.write_text(source.read_text("utf-8").replace("; cycles:", "; cycles: many", 1), "utf-8")
    assert romproof("build", "demo").returncode == 0
    assert "; static" not in (project / "build/rom/demo.lst").read_text("utf-8")
