"""``romproof prove``: what it takes, and how it tells what was found."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from cli_programs import Run, romproof_in, write_rom
from prove_programs import fails, project_of

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.projects import build, find_manifest
from romproof.prover.routines.program_proof import LemmaStore

CALLS = """\
        .segment "ZEROPAGE"
n:      .res 1
        .exportzp n
        .segment "CODE"
        .export outer, inner, rest

;; outer – calls inner.
; in:       n
; out:      A
; clobbers: callees
; requires: n < 100
; stack:    2
; cycles:   25
.proc outer
        jsr inner               ; 6
        nop                     ; 2
        rts                     ; 6
.endproc

;; inner – n, one bit of it dropped.
; in:       n
; out:      A
; clobbers: N Z
; requires: n < 100
; ensures:  A <= n
; stack:    0
; cycles:   11
.proc inner
        lda n                   ; 3
        and #$7F                ; 2
        rts                     ; 6
.endproc

;; rest – does nothing.
; in:       none
; out:      none
; clobbers: none
; stack:    0
; cycles:   6
.proc rest
        rts                     ; 6
.endproc
"""
BROKEN = CALLS.replace("and #$7F", "ora #$80")


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """A project with a ROM of three routines; all of them keep their contracts."""
    project_of(tmp_path, "6502", CALLS)
    return tmp_path


def test_all_is_proved(romproof: Run, calls: Path) -> None:
    done = romproof("prove")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "demo  mos6502, cycles of any call"
    rows = [line.split() for line in lines[3:6]]
    assert [row[:3] for row in rows] == [
        ["rest", "proved", "6"],
        ["inner", "proved", "11"],
        ["outer", "proved", "25"],
    ]
    assert rows[2][-1:] == ["inner"]
    assert lines[6:] == ["", "3 routines: 3 proved"]


@pytest.mark.slow
def test_routines_can_be_chosen_and_their_callees_come_first(romproof: Run, calls: Path) -> None:
    def routines(*names: str) -> list[str]:
        data = json.loads(romproof("prove", *names, "--json").stdout)
        return [routine["name"] for rom in data["roms"] for routine in rom["routines"]]

    assert routines("demo:rest") == ["rest"]
    assert routines("demo:outer") == ["inner", "outer"]
    assert routines("demo:inner", "demo:rest") == ["rest", "inner"]
    assert routines("demo:inner", "demo") == routines("demo") == ["rest", "inner", "outer"]
    address = Rom(build(find_manifest("demo")).image).image.address("inner")
    assert routines(f"demo:${address:04X}") == ["inner"]


def test_verbose_tells_everything(romproof: Run, calls: Path) -> None:
    lines = [line.strip() for line in romproof("prove", "demo:outer", "-v").stdout.splitlines()]
    told = lines[lines.index("outer") :]
    assert told[1:5] == [
        "assumed   n < 100",
        "clobbers  N Z",
        "with      inner",
        "rests on  no interrupt happens",
    ]
    assert "proved    returns, for every input" in told
    assert any(line.startswith("executed  ") and "as proved" in line for line in told)
    assert "proved    takes 25 cycles (25: always)" in told
    assert "most      25 cycles for n=[00]" in told


def test_what_is_not_proved_is_told(romproof: Run, calls: Path) -> None:
    project_of(calls, "6502", BROKEN)
    done = romproof("prove", "demo:inner", env={"COLUMNS": "60"})
    assert (done.returncode, done.stderr) == (1, "")
    begin, _, rest = done.stdout.partition("\ninner\n")
    assert "inner    refuted      11" in begin
    text, _, test = rest.partition("\n\n")
    assert text.splitlines() == [
        "  refuted   ensures A <= n",
        "            it does not hold",
        "  input     n=[00] (confirmed by execution)",
    ]
    code, _, end = test.partition("\n\n")
    assert end == "1 routine: 1 refuted\n"
    fails(code, calls)


@pytest.mark.slow
def test_several_roms(romproof: Run, project: Path) -> None:
    write_rom(project, "other", BROKEN)
    write_rom(project, "bare", "        rts\n")
    data = json.loads(romproof("prove", "--json").stdout)
    assert {rom["name"]: len(rom["routines"]) for rom in data["roms"]} == {
        "bare": 0,
        "demo": 1,
        "other": 3,
    }
    done = romproof("prove")
    assert done.returncode == 1
    assert done.stdout.endswith("4 routines: 3 proved, 1 refuted\n")
    assert '@pytest.mark.rom("other")\ndef test_inner_counterexample(rom):\n' in done.stdout


def test_json(romproof: Run, calls: Path) -> None:
    data = json.loads(romproof("prove", "demo:inner", "--json").stdout)
    assert data["schema"] == "romproof.prove/2"
    assert data["ok"] is True
    (rom,) = data["roms"]
    assert (rom["name"], rom["cpu"], rom["left"]) == ("demo", "mos6502", [])
    (routine,) = rom["routines"]
    assert routine.pop("seconds") >= 0
    findings = routine.pop("findings")
    example = {
        "registers": {},
        "flags": {},
        "memory": [{"address": 0x80, "name": "n", "bytes": "00"}],
        "stack": None,
        "returns_to": None,
    }
    assert routine.pop("runs") >= 1000
    assert routine.pop("engine") in ("llvm", "plain")
    assert "no interrupt happens" in routine.pop("rests_on")
    assert routine == {
        "name": "inner",
        "verdict": "proved",
        "attained": "attained",
        "kept": False,
        "claim": {"minimum": 11, "maximum": 11},
        "cycles": {"least": 11, "most": 11, "fastest": example, "slowest": example},
        "assumed": ["n < 100"],
        "clobbers": ["N", "Z"],
        "inferred": [],
        "lemmas": [],
        "notes": [],
        "all_inputs": True,
        "unfinished": 0,
    }
    assert all(each.pop("seconds") >= 0 and each.pop("work") >= 0 for each in findings)
    assert findings[-1] == {
        "statement": "takes 11 cycles",
        "verdict": "proved",
        "detail": "11: always",
        "attained": "attained",
        "advice": None,
        "assuming": None,
        "example": None,
        "other": None,
        "place": None,
        "state": None,
        "replayed": None,
        "test": None,
    }


def test_loose_claims(romproof: Run, calls: Path) -> None:
    project_of(calls, "6502", CALLS.replace("cycles:   11", "cycles:   9..13"))
    told = "proved, loose  takes 9..13 cycles (11: no input takes less than 11, no input"
    done = romproof("prove", "demo:inner")
    assert done.returncode == 0
    assert told in done.stdout
    assert "1 proved (1 loose)" in done.stdout
    assert romproof("prove", "demo:inner", "--tight").returncode == 1
    done = romproof("prove", "demo:inner", "--loose")
    assert (done.returncode, "proved, loose" in done.stdout) == (0, False)
    assert romproof("prove", "demo:inner", "--loose", "--tight").returncode == 2
    found = json.loads(romproof("prove", "demo:inner", "--json").stdout)["roms"][0]["routines"]
    assert [(each["verdict"], each["attained"]) for each in found] == [("proved", "loose")]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("demo:", "names no routine"),
        ("dem", "did you mean 'demo'?"),
        ("demo:iner", "no routine 'iner' with a contract; did you mean 'inner'?"),
        ("demo:$0003", "no routine '$0003' with a contract"),
        ("--timeout 0", "not within 1.."),
        ("--timeout soon", "is not a number"),
        ("nope/manifest.toml", "nope/manifest.toml"),
    ],
)
def test_what_is_refused(romproof: Run, calls: Path, args: str, told: str) -> None:
    done = romproof("prove", *args.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("        rts\n", "no routine of 'demo' has a contract"),
        ("        foo\n", "demo.s:1:9: error"),
        (CALLS[: CALLS.index(";; rest")].replace("n < 100", "n <"), "error"),
        (CALLS[: CALLS.index(";; rest")].replace("out:      A", "out:      Q"), "error"),
    ],
)
def test_what_cannot_be_proved_at_all(
    romproof: Run, tmp_path: Path, source: str, told: str
) -> None:
    project_of(tmp_path, "6502", source)
    done = romproof("prove", "--json")
    assert done.returncode == 2
    assert told in done.stderr
    data = json.loads(done.stdout)
    assert (data["schema"], data["ok"], data["roms"]) == ("romproof.prove/2", False, [])
    assert data["diagnostics"][0]["severity"] == "error"


def test_without_z3_one_line_says_what_to_install(calls: Path) -> None:
    hidden = "import sys; sys.modules['z3'] = None; from romproof.cli import main; main()"
    done = romproof_in(calls, "prove", program=hidden)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'error: a proof needs z3: pip install "romproof[prove]"\n'


def test_an_interruption_shows_what_was_found(
    romproof: Run, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove = LemmaStore.prove

    def interrupted(bank: LemmaStore, contract: Contract) -> Any:
        if contract.name == "outer":
            raise KeyboardInterrupt
        return prove(bank, contract)

    monkeypatch.setattr(LemmaStore, "prove", interrupted)
    done = romproof("prove")
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted")
    assert done.stdout.endswith("2 routines: 2 proved\nnot tried: outer\n")
    data = json.loads(romproof("prove", "--json").stdout)
    assert (data["ok"], data["roms"][0]["left"]) == (False, ["outer"])


def test_an_interruption_at_once_says_that_nothing_is_proved_yet(
    romproof: Run, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(bank: LemmaStore, contract: Contract) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(LemmaStore, "prove", interrupted)
    done = romproof("prove", "demo", "--fresh")
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted")
    assert "0 routines: none proved yet\nnot tried: " in done.stdout


def test_a_proof_that_the_machine_does_not_follow_refutes_nothing(
    romproof: Run, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_of(calls, "6502", BROKEN)
    monkeypatch.setattr("romproof.prover.replay.judge.agrees", lambda *args: False)
    monkeypatch.setattr("romproof.prover.routines.routine.attempt", lambda *given: None)
    done = romproof("prove", "demo:inner")
    assert done.returncode == 1
    assert "the machine behaves differently" in done.stdout
    assert "def test_" not in done.stdout
    assert done.stdout.endswith("1 routine: 1 unknown\n")


def test_colours_and_none(romproof: Run, calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in romproof("prove").stdout
    monkeypatch.setattr("romproof.cli.output.wants_colour", lambda stream: True)
    assert "\x1b[32mproved" in romproof("prove").stdout


def test_a_narrow_terminal(romproof: Run, calls: Path) -> None:
    text = romproof("prove", "-v", env={"COLUMNS": "40"}).stdout
    assert all(len(line) <= 40 for line in text.splitlines())
    assert "\nouter    proved       25" in text


@pytest.mark.slow
def test_shells_complete_roms_and_routines(calls: Path) -> None:
    env = {"_ROMPROOF_COMPLETE": "bash_complete", "COMP_WORDS": "romproof prove demo:in"}
    assert romproof_in(calls, "build").returncode == 0
    done = romproof_in(calls, env={**env, "COMP_CWORD": "2"})
    assert done.stdout.split() == ["plain,demo:inner"]


@pytest.mark.slow
def test_several_processes_prove_the_same_and_keep_it(tmp_path: Path) -> None:
    # bytes that no ROM had before, so nothing is known of it; compiled code of others may serve
    never_seen = ", ".join(f"${byte:02X}" for byte in secrets.token_bytes(16))
    project_of(tmp_path, "6502", f"{CALLS}        .byte {never_seen}\n")
    first = romproof_in(tmp_path, "prove", "demo", "--jobs", "2")
    assert first.returncode == 0
    assert first.stdout.splitlines()[-1] == "3 routines: 3 proved"
    second = romproof_in(tmp_path, "prove", "demo")
    assert second.stdout == first.stdout.replace(
        "3 routines: 3 proved", "3 routines: 3 proved (all in an earlier run)"
    )
    again = romproof_in(tmp_path, "prove", "demo", "--fresh")
    assert again.stdout.splitlines()[-1] == "3 routines: 3 proved"


MALFORMED = """\
        .segment "CODE"
        .export wrong, also, right

;; wrong – half of A.
; in:       A
; out:      A
; ensures:  A == old A / 2
; clobbers: N Z C
.proc wrong
        lsr a
        rts
.endproc

;; also – what nobody knows.
; in:       Q
; clobbers: none
.proc also
        rts
.endproc

;; right – half of A.
; in:       A
; out:      A
; ensures:  A == old A >> 1
; clobbers: N Z C
.proc right
        lsr a
        rts
.endproc
"""


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_contract_that_cannot_be_read_does_not_spoil_the_others(
    jobs: str, romproof: Run, tmp_path: Path
) -> None:
    pytest.importorskip("z3")
    project_of(tmp_path, "6502", MALFORMED)
    told = romproof("prove", "--jobs", jobs)
    assert told.returncode == 2
    assert "demo.s:7:24: error" in told.stderr
    assert "demo.s:15:13: error" in told.stderr
    assert "right    proved" in told.stdout
    assert "not tried, because the contract cannot be read: wrong, also" in told.stdout


def test_what_is_wrong_with_other_contracts_is_not_asked(romproof: Run, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    project_of(tmp_path, "6502", MALFORMED)
    told = romproof("prove", "demo:right")
    assert (told.returncode, told.stderr) == (0, "")


def test_json_tells_of_contracts_that_cannot_be_read(romproof: Run, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    project_of(tmp_path, "6502", MALFORMED)
    shown = romproof("prove", "--json")
    told = json.loads(shown.stdout)
    assert (shown.returncode, told["ok"]) == (2, False)
    assert [each["line"] for each in told["diagnostics"]] == [7, 15]
    assert [each["name"] for each in told["roms"][0]["routines"]] == ["right"]


def test_if_no_contract_can_be_read_nothing_could_be_said(romproof: Run, tmp_path: Path) -> None:
    project_of(tmp_path, "6502", MALFORMED)
    told = romproof("prove", "demo:wrong")
    assert told.returncode == 2
    assert "demo.s:7:24: error" in told.stderr
    assert "demo.s:15" not in told.stderr


def test_a_port_that_is_no_input_is_told_how_to_list_it(romproof: Run, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    wait = ";; wait – waits.\n; in: none\n; assumes: $4016 changes\n; clobbers: A N Z\n"
    code = ".export wait\n" + wait + ".proc wait\n@l: lda $4016\n beq @l\n rts\n.endproc\n"
    project_of(tmp_path, "6502", code)
    told = romproof("prove")
    assert told.returncode == 2
    assert "demo.s:4:12: error: '$4016' is not listed under 'in:'" in told.stderr
    assert "help: a port is an input: in: volatile $4016[1]" in told.stderr


ASTRAY = """\
        .segment "ZEROPAGE"
        .exportzp cells
other:  .res 1
cells:  .res 4
third:  .res 1
        .segment "CODE"
        .export less
;; less – takes A from a cell, not below 0.
; in:       A X cells
; requires: X <= 4
; out:      cells
; ensures:  old cells[X] >= old A -> cells[X] == old cells[X] - old A
; clobbers: A N V Z C other
.proc less
        sta other
        lda cells,x
        sec
        sbc other
        bcs @store
        lda #0
@store: sta cells,x
        rts
.endproc
"""


def test_what_rests_on_a_refuted_statement_takes_one_line_and_is_no_fault_of_the_prover(
    romproof: Run, tmp_path: Path
) -> None:
    project_of(tmp_path, "6502", ASTRAY)
    done = romproof("prove")
    assert done.returncode == 1
    assert "please report" not in done.stdout
    assert done.stdout.count("relies on") == 1
    told = " ".join(done.stdout.split())
    assert "each relies on 'changes cells[4], other[1] and nothing else', which is refuted;" in told
    every = romproof("prove", "-v", "--fresh").stdout
    assert every.count("it relies on") == 4


TABLE = """\
        .segment "BSS"
other:  .res 4
        .segment "{segment}"
table:  .byte 0, 1, 4, 9
        .segment "CODE"
        .export square
;; square – X times X.
; in:       X
; requires: X < 4
; out:      A
; ensures:  A == X * X
; clobbers: N Z
.proc square
        lda {name},x
        rts
.endproc
"""


@pytest.mark.parametrize(
    ("segment", "name", "code", "is_told"),
    [
        ("RODATA", "table", 0, False),
        ("DATA", "table", 1, True),
        ("CODE", "table", 1, True),
        ("RODATA", "other", 1, False),
    ],
)
def test_who_keeps_a_table_where_it_may_be_written_hears_where_to_place_it(
    romproof: Run, tmp_path: Path, segment: str, name: str, code: int, is_told: bool
) -> None:
    project_of(tmp_path, "6502", TABLE.format(segment=segment, name=name))
    done = romproof("prove")
    assert done.returncode == code
    assert ("such as RODATA" in " ".join(done.stdout.split())) is is_told
