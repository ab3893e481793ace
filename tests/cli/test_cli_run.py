from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import DEMO, Run, write_rom


@pytest.fixture(autouse=True)
def _project(project: Path) -> None:
    pass


def test_json(romproof: Run) -> None:
    args = "run demo --call step --mem lfsr=81000040 --reg x=$0C --reg c=1 --read lfsr --json"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    # 81 00 00 40 is $40000081: shifted left $80000102, nothing shifted out
    assert json.loads(done.stdout) == {
        "schema": "romproof.run/1",
        "symbol": "step",
        "registers": {"a": 2, "x": 0x0C, "y": 0x96, "s": 0xFF, "p": 0x64},
        "flags": {"n": 0, "v": 1, "d": 0, "i": 1, "z": 0, "c": 0},
        "cycles": 29,
        "instructions": 6,
        "stack": 0,
        "changed": [
            {"address": 0x80, "symbol": "lfsr", "old": 0x81, "new": 0x02},
            {"address": 0x81, "symbol": "lfsr+1", "old": 0x00, "new": 0x01},
            {"address": 0x83, "symbol": "lfsr+3", "old": 0x40, "new": 0x80},
        ],
        "memory": {"lfsr": "02010080"},
    }


def test_text(romproof: Run) -> None:
    args = "run demo --call fill --mem $80=01000000 --read deck --read deck:2 --read $82:1"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fill  142 cycles, ")
    assert "\x1b" not in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["deck", "08", "04", "02"] in rows
    assert ["deck:2", "08", "04"] in rows
    assert ["$0082:1", "00"] in rows


def test_a_broken_contract_fails(romproof: Run, project: Path) -> None:
    source = DEMO.replace("cycles:   29", "cycles:   28")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof("run", "demo", "--call", "step")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the call took 29 cycles; the claim is 28" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ("--call stop", 2, "did you mean 'step'?"),
        ("--call step --mem lfs=12345678", 2, "did you mean 'lfsr'?"),
        ("--call step --mem lfsr=1234", 2, "'lfsr' has 4 bytes, the value given has 2"),
        ("--call step --mem lfsr=123", 2, "lfsr=12345678"),
        ("--call step --mem lfsr", 2, "lfsr=12345678"),
        ("--call step --reg q=1", 2, "registers a x y, flags n v d i z c"),
        ("--call step --reg a=256", 2, "a=256 is not within 0..255"),
        ("--call step --reg c=2", 2, "c=2 is not within 0..1"),
        ("--call step --read lfsr:x", 2, "write deck or deck:78"),
        ("--call step --read lfs", 2, "did you mean 'lfsr'?"),
        ("--call step --read 0xFFFF:2", 2, "2 bytes from $FFFF are not a range"),
        ("--call lfsr", 2, "there is no code at $0080 (lfsr)"),
        ("--call 0x0300", 2, "there is no code at $0300"),
        ("--call step --engine py66", 2, "did you mean 'py65'?"),
        ("--call step --limit 0", 2, "not within 1.."),
        ("--call main --limit 500", 1, "did not end within 500 cycles"),
        ("", 2, "give --call SYMBOL for one routine, or --frames N for the whole program"),
        ("--call step --frames 1", 2, "for the whole program, not both"),
        ("--frames 1", 2, 'flat memory has no picture; machine = "nes"'),
        ("--frames 0", 2, "0 is not within 1..100000"),
        ("--frames 1 --reg a=1 --until fill", 2, "--reg, --until: of one routine"),
        ("--frames 1 --limit 5", 2, "--limit: of one routine; add --call SYMBOL"),
        ("--call step --until main --state x", 2, "--state has the state after the call"),
        ("--call step --state -", 2, "--state needs a file: a state is no text"),
        ("--call step --trace=x --state x", 2, "--trace and --state name the same file"),
        ("--call step --trace-only fill", 2, "--trace-format and --trace-only need --trace"),
        ("--call step --trace --json --trace-format nestest", 2, "with --json a trace is JSON"),
        ("--call step --trace --trace-format mesen", 2, "runs on 'flat', which Mesen 2 does not"),
        ("--call step --trace --trace-format gameboy-doctor", 2, "is not for the mos6502: use nes"),
        ("--call step --trace --trace-format nesttest", 2, "did you mean 'nestest'?"),
        ("--call step --trace --trace-only stepp", 2, "did you mean 'step'?"),
        ("--call step --trace --trace-only $20-$10", 2, "'$20-$10' is empty or outside"),
        ("--call step --trace --trace-only 0-$10000", 2, "'0-$10000' is empty or outside"),
        ("--call step --trace --trace-only PRG[1]", 2, "no bank 'PRG[1]' on this machine; kinds "),
        ("--call step --from nothing", 2, "File 'nothing' does not exist"),
    ],
)
def test_what_is_refused(romproof: Run, args: str, code: int, told: str) -> None:
    done = romproof("run", "demo", *args.split())
    assert done.returncode == code
    assert told in done.stderr
    assert done.stdout == ""


# ---------------------------------------------------------------- following a call

FILL = "run demo --call fill --mem lfsr=01000000"


def test_a_trace_has_the_form_of_nestests_log(romproof: Run) -> None:
    done = romproof(*FILL.split(), "--trace")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    # columns and words as in nestest.log; what follows the semicolon is ours
    assert lines[0].partition("  ; ")[0] == (
        "1011  A2 02     LDX #$02                        A:A5 X:C3 Y:96 P:E5 SP:FD CYC:0"
    )
    assert lines[2] == (
        "1006  06 80     ASL $80 = 01                    A:A5 X:02 Y:96 P:65 SP:FB CYC:8"
        "  ; step  rom/demo/demo.s:20"
    )
    assert lines[8].partition("  ; ")[0] == (
        "1016  9D 1D 10  STA $101D,X @ 101F = 5A         A:02 X:02 Y:96 P:64 SP:FD CYC:37"
    )
    assert lines[32].startswith("fill  142 cycles, 32 instructions")


def test_the_file_of_a_trace_stands_behind_an_equals_sign(romproof: Run, project: Path) -> None:
    shown = romproof("run", "--trace", *FILL.split()[1:]).stdout.splitlines()
    done = romproof(*FILL.split(), "--trace=out.log")
    assert done.stdout.startswith("fill  142 cycles")
    assert (project / "out.log").read_text("utf-8").splitlines() == shown[:32]
    assert romproof(*FILL.split(), "--trace", "out.log").returncode == 2
    done = romproof(*FILL.split(), "--trace=out.json", "--json")
    rows = [json.loads(line) for line in (project / "out.json").read_text("utf-8").splitlines()]
    assert [row["cycle"] for row in rows[:4]] == [0, 2, 8, 13]
    assert "trace" not in json.loads(done.stdout)
    assert sorted(path.name for path in project.glob("*out*")) == ["out.json", "out.log"]
    done = romproof(*FILL.split(), "--trace=rom")
    assert (done.returncode, "rom: Is a directory" in done.stderr) == (1, True)


def test_breaks_show_the_state_at_each_visit(romproof: Run) -> None:
    done = romproof(*FILL.split(), *["--break", "step", "--break", "loop", "--read", "deck:2"])
    assert (done.returncode, done.stderr) == (0, "")
    heads = [line for line in done.stdout.splitlines() if line.startswith("break at")]
    assert heads[:4] == [
        "break at $1013 (fill::loop): cycle 2",
        "break at $1006 (step): cycle 8",
        "break at $1013 (fill::loop): visit 2, cycle 47",
        "break at $1006 (step): visit 2, cycle 53",
    ]
    assert len(heads) == 6
    first = done.stdout.partition("\n\n")[0].splitlines()
    assert first[1] == "  A=$A5 X=$02 Y=$96 S=$FD P=nVdIzC PC=$1013"
    assert "  deck:2: 5a 5a" in first
    assert first[-1] == "  $1011 (fill), called by the test"
    assert "fill  142 cycles" in done.stdout


def test_many_breaks_are_counted(romproof: Run) -> None:
    args = "run demo --call fill --reg x=0 --break 0x1013 --limit 100000"
    source = Path("rom/demo/demo.s")
    source.write_text(DEMO.replace("jsr step                ; 6", "nop"), "utf-8")
    source.write_text(source.read_text("utf-8").replace("ldx #2 ", "ldx #$7F "), "utf-8")
    source.write_text(source.read_text("utf-8").replace("deck:   .res 3", "deck: .res 128"))
    done = romproof(*args.split())
    assert done.stdout.count("break at") == 100
    assert "… and 28 more breaks" in done.stdout


def test_until_ends_the_call_there(romproof: Run) -> None:
    args = "run demo --call main --mem lfsr=01000000 --until halt --json"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert (result["cycles"], result["stack"], result["registers"]["a"]) == (148, 4, 8)
    assert [row["new"] for row in result["changed"] if row["symbol"] == "lfsr"] == [8]
    done = romproof(*FILL.split(), "--until", "main")
    assert (done.returncode, done.stderr) == (0, "the call returned without reaching main\n")
    assert "142 cycles" in done.stdout


def test_accesses_to_a_variable_in_their_order(romproof: Run) -> None:
    done = romproof(*FILL.split(), "--watch", "deck", "--watch", "lfsr:1")
    rows = [" ".join(line.split()) for line in done.stdout.splitlines() if line[:5] == "cycle"]
    assert rows[:4] == [
        "cycle 8 read $0080 lfsr = $01 at $1006 (step) in step rom/demo/demo.s:20",
        "cycle 8 write $0080 lfsr = $02 at $1006 (step) in step rom/demo/demo.s:20",
        "cycle 28 read $0080 lfsr = $02 at $100E (step+8) in step rom/demo/demo.s:24",
        "cycle 37 write $101F deck+2 = $02 at $1016 (fill::loop+3) in fill rom/demo/demo.s:31",
    ]
    assert len(rows) == 12


@pytest.mark.parametrize("engine", ["plain", "py65", "llvm", "recompiled"])
def test_json_of_all_that_is_followed_on_every_engine(romproof: Run, engine: str) -> None:
    args = f"{FILL} --trace --break step --watch deck --read deck --json --engine {engine}"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    trace, breaks, watched = result["trace"], result["breaks"], result["watched"]
    assert len(trace) == result["instructions"] == 32
    assert trace[2] == {
        "cycle": 8,
        "cycles": 5,
        "address": 0x1006,
        "symbol": "step",
        "bytes": "0680",
        "instruction": "asl lfsr",
        "file": "rom/demo/demo.s",
        "line": 20,
        "registers": {"a": 0xA5, "x": 2, "y": 0x96, "s": 0xFB, "p": 0x65, "pc": 0x1006},
        "accesses": [
            {"address": 0x80, "symbol": "lfsr", "value": 1, "write": False},
            {"address": 0x80, "symbol": "lfsr", "value": 2, "write": True},
        ],
    }
    assert [(one["visit"], one["cycle"]) for one in breaks] == [(1, 8), (2, 53), (3, 98)]
    assert breaks[2]["memory"] == {"deck": "5a0402"}
    assert breaks[0]["calls"] == [
        {"entry": 0x1011, "symbol": "fill", "site": None, "interrupt": False},
        {"entry": 0x1006, "symbol": "step", "site": 0x1013, "interrupt": False},
    ]
    assert watched[0] == {
        "cycle": 37, "address": 0x101F, "symbol": "deck+2", "value": 2, "write": True,
        "site": 0x1016, "routine": "fill",
    }  # fmt: skip
    assert len(watched) == 3


def test_a_call_that_fails_is_followed_to_its_end(romproof: Run) -> None:
    args = "run demo --call main --limit 100 --trace --break step"
    done = romproof(*args.split())
    assert done.returncode == 1
    assert "'main' did not end within 100 cycles" in done.stderr
    assert done.stdout.count("break at") == 3
    assert done.stdout.count("  JSR $1006 ") == 3
    done = romproof(*args.split(), "--json")
    result = json.loads(done.stdout)
    assert (result["ok"], len(result["trace"]), len(result["breaks"])) == (False, 23, 3)


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ("--break nowhere", "no symbol 'nowhere' in the image"),
        ("--until lop", "no symbol 'lop'"),
        ("--watch 0x10000", "which is not an address of 16 bits"),
        ("--check stac=off", "did you mean 'stack'?"),
        ("--check stack", "is one of off, warn, error, not ''"),
    ],
)
def test_what_cannot_be_followed(romproof: Run, args: str, text: str) -> None:
    done = romproof(*FILL.split(), *args.split())
    assert done.returncode in (1, 2)
    assert text in done.stderr.replace("\n", " ")


DATA = ".export slip\nslip: jmp table\ntable: .byte $60\n.byte $EA\n"


def test_warnings_are_lines_on_stderr(romproof: Run, project: Path) -> None:
    (project / "rom/demo/demo.s").write_text(f'{DEMO}\n.segment "CODE"\n{DATA}', "utf-8")
    done = romproof("run", "demo", "--call", "slip")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("rom/demo/demo.s:")
    assert "warning: $" in line
    assert "(table) is data in the source but is executed" in line
    done = romproof("run", "demo", "--call", "slip", "--check", "data_execution=error")
    assert done.returncode == 1
    assert "(table) is data in the source but is executed" in done.stderr
    done = romproof("run", "demo", "--call", "slip", "--check", "data_execution=off")
    assert (done.returncode, done.stderr) == (0, "")
    manifest = project / "pyproject.toml"
    manifest.write_text(f"{manifest.read_text()}checks = {{ data_execution = 'error' }}\n")
    assert romproof("run", "demo", "--call", "slip").returncode == 1
    own = project / "rom/demo/manifest.toml"
    own.write_text(f"{own.read_text()}\n[rom.checks]\ndata_execution = 'off'\n")
    assert romproof("run", "demo", "--call", "slip").stderr == ""
    manifest.write_text("[tool.romproof]\nfolders = ['rom']\nchecks = { data = 'error' }\n")
    done = romproof("run", "demo", "--call", "slip")
    assert done.returncode == 1
    assert "pyproject.toml: no check 'data'" in done.stderr


@pytest.mark.parametrize("command", ["run --call step --json", "report --call step --json"])
def test_the_only_rom_need_not_be_named(romproof: Run, command: str) -> None:
    name, *others = command.split()
    done, named = romproof(name, *others), romproof(name, "demo", *others)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(named.stdout)


@pytest.mark.parametrize("command", ["run --call step", "report"])
def test_one_of_several_roms_has_to_be_named(romproof: Run, project: Path, command: str) -> None:
    write_rom(project, "second", DEMO, [])
    done = romproof(*command.split())
    assert done.returncode == 2
    assert "demo, second" in done.stderr


def test_memory_goes_on_from_a_state_of_flat_memory(romproof: Run, project: Path) -> None:
    first = [
        "run",
        "demo",
        "--call",
        "step",
        "--mem",
        "lfsr=01000000",
        "--state",
        "one.state",
        "--read",
        "lfsr",
    ]
    assert romproof(*first).returncode == 0
    done = romproof(
        *["run", "demo", "--call", "step", "--from", "one.state", "--read", "lfsr", "--json"]
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["memory"] == {"lfsr": "04000000"}
    before = (project / "one.state").read_bytes()
    source = DEMO.replace("ldx #2 ", "ldx #1 ")
    (project / "rom/demo/demo.s").write_text(source, "utf-8")
    done = romproof(
        *["run", "demo", "--call", "step", "--from", "one.state", "--state", "one.state"]
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "one.state: the state is of another program" in done.stderr
    assert (project / "one.state").read_bytes() == before
