"""``romproof run --frames``: whole programs, their traces, and states as files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_programs import Run
from slow import slow_but

GAME_BOY = """\
SECTION "vblank", ROM0[$40]
    jp handler
SECTION "entry", ROM0[$100]
    jp start
    ds $150 - @, 0
SECTION "work", WRAM0
frames:: ds 1
SECTION "home", ROM0
start::
    ld sp, $D000
    xor a
    ld [frames], a
    ldh [$FF0F], a
    inc a
    ldh [$FFFF], a
    ei
.loop:
    call far
    call far
    jr .loop
handler::
    push af
    ld a, [frames]
    inc a
    ld [frames], a
    pop af
    reti
SECTION "far", ROMX[$4000], BANK[1]
far::
    nop
    ret
SECTION "other", ROMX[$4000], BANK[2]
other::
    ret
"""
NES = """\
.segment "HEADER"
  .byte "NES", $1A, 2, 1, 0, 0
.segment "ZEROPAGE"
frames: .res 1
.exportzp frames
.segment "CODE"
.export reset, nmi, bump
.proc nmi
  inc frames
  rti
.endproc
.proc reset
  ldx #$FF
  txs
  inx
  stx frames
  lda #$80
  sta $2000
wait:
  jsr idle
  jmp wait
.endproc
.proc idle
  nop
  rts
.endproc
.proc bump
  inc frames
  rts
.endproc
.segment "VECTORS"
  .word nmi, reset, nmi
.segment "CHARS"
  .res 8192
"""
NES_CFG = """
MEMORY {
  HEADER: start = 0, size = 16, fill = yes, file = %O;
  ZP:  start = $10,   size = $80,   type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
  CHR: start = 0, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP,  type = zp;
  CODE:     load = ROM, type = ro;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
  CHARS:    load = CHR, type = ro;
}
"""
C64 = """\
.segment "LOADADDR"
  .word $0801
.segment "CODE"
  .word next, 10
  .byte $9E, "2061", 0
next: .word 0
main:
  inc $0400
  jmp main
"""
PYPROJECT = """\
[tool.romproof.roms.gb]
cpu = "sm83"
sources = ["gb.asm"]
machine = "gameboy"
header = { title = "GB", mbc = "MBC1" }
[tool.romproof.roms.nes]
sources = ["nes.s"]
config = "nes.cfg"
machine = "nes"
[tool.romproof.roms.other]
sources = ["other.s"]
config = "nes.cfg"
machine = "nes"
[tool.romproof.roms.c64]
sources = ["c64.s"]
config = "c64.cfg"
machine = "c64"
"""
C64_CFG = """\
MEMORY {
  HEAD: start = $07FF, size = 2, file = %O;
  MAIN: start = $0801, size = $1000, type = rw, file = %O;
}
SEGMENTS { LOADADDR: load = HEAD, type = ro; CODE: load = MAIN, type = ro; }
"""
MESEN_NES = re.compile(
    r"[0-9A-F]{4}  [A-Z]{3} .{28,} A:\w\w X:\w\w Y:\w\w S:\w\w P:[nN][vV]--[dD][iI][zZ][cC] "
    r"V:[-0-9 ]{3} H:[0-9 ]{3}"
)
MESEN_GB = re.compile(
    r"[0-9A-F]{4}  [A-Z]+.{27,} A:\w\w B:\w\w C:\w\w D:\w\w E:\w\w F:[zZ][nN][hH][cC] "
    r"HL:\w{4} S:\w{4} V:[0-9 ]{3} H:[0-9 ]{3}"
)


@pytest.fixture(autouse=True)
def _project(tmp_path: Path) -> None:
    files = {
        "gb.asm": GAME_BOY,
        "nes.s": NES,
        "other.s": NES.replace("nop", "clc"),
        "nes.cfg": NES_CFG,
        "c64.s": C64,
        "c64.cfg": C64_CFG,
        "pyproject.toml": PYPROJECT,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")


def _json(romproof: Run, args: str) -> dict[str, object]:
    done = romproof(*args.split(), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", slow_but(["nes"], ["c64", "gb", "nes"]))
def test_frames_in_two_runs_are_those_of_one(romproof: Run, tmp_path: Path, name: str) -> None:
    run = f"run {name} --engine plain"
    whole = _json(romproof, f"{run} --frames 2 --state whole.state")
    first = _json(romproof, f"{run} --frames 1 --state parts.state")
    second = _json(romproof, f"{run} --frames 1 --from parts.state --state parts.state")
    assert (tmp_path / "whole.state").read_bytes() == (tmp_path / "parts.state").read_bytes()
    for key in ("registers", "beam"):
        assert second[key] == whole[key]
    for key in ("frames", "cycles"):
        assert first[key] + second[key] == whole[key]  # type: ignore[operator]
    assert whole["state"] == "whole.state"


def test_what_a_run_says(romproof: Run) -> None:
    args = "run nes --frames 2 --read frames --mem $20=55 --read $20:1 --engine plain"
    shown = _json(romproof, args)
    assert shown.keys() == {
        "schema", "rom", "machine", "frames", "cycles", "registers", "beam", "memory", "state",
        "screenshot",
    }  # fmt: skip
    assert (shown["schema"], shown["rom"], shown["machine"]) == ("romproof.run/1", "nes", "nes")
    assert shown["memory"] == {"frames": "02", "$0020:1": "55"}
    done = romproof(*["run", "gb", "--frames", "1", "--read", "frames", "--engine", "plain"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "gb  1 frame on 'gameboy', 17,55" in done.stdout
    assert ["frames", "01"] in [line.split() for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nes", "gb"])
def test_a_trace_has_a_line_of_mesen_for_each_instruction(
    romproof: Run, tmp_path: Path, name: str
) -> None:
    form = MESEN_NES if name == "nes" else MESEN_GB
    done = romproof("run", name, "--frames", "2", "--trace=trace.log")
    assert (done.returncode, done.stderr) == (0, "")
    lines = (tmp_path / "trace.log").read_text().splitlines()
    assert [line for line in lines if form.fullmatch(line) is None] == []
    pcs = [line[:4] for line in lines]
    handler = {"nes": "8000", "gb": "0040"}[name]
    assert pcs.count(handler) == 2
    assert 9_000 < len(pcs) < 15_000
    plain = romproof("run", name, "--frames", "2", "--trace", "--engine", "plain")
    assert plain.stdout == "\n".join([*lines, done.stdout])


def test_the_first_lines_of_a_trace(romproof: Run) -> None:
    args = "run nes --frames 1 --trace --engine plain"
    lines = romproof(*args.split()).stdout.splitlines()
    assert lines[0] == (
        "8003  LDX #$FF                         A:00 X:00 Y:00 S:FD P:nv--dIzc V:0   H:21 "
    )
    assert lines[-3].startswith("nes  1 frame on 'nes', 2")
    assert lines[-1].startswith("the picture is at line 0, dot ")


@pytest.mark.parametrize(
    ("args", "start"),
    [
        ("nes --trace-format nestest", "8003  A2 FF     LDX #$FF                        A:00 X:00"),
        ("c64", "080D  EE 00 04  INC $0400 = 5A                  A:00 X:00"),
        ("gb --trace-format gameboy-doctor", "A:01 F:B0 B:00 C:13 D:00 E:D8 H:01 L:4D SP:FFFE"),
    ],
)  # fmt: skip
def test_other_formats(romproof: Run, args: str, start: str) -> None:
    done = romproof("run", *args.split(), "--frames", "1", "--trace", "--engine", "plain")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(start)
    if args.startswith("nes"):
        assert "SP:FD CYC:7  ; reset  nes.s:" in done.stdout.splitlines()[0]


def _addresses(romproof: Run, args: str) -> set[str]:
    done = romproof("run", *args.split(), "--trace")
    assert (done.returncode, done.stderr) == (0, "")
    return {line[:4] for line in done.stdout.splitlines() if re.match(r"[0-9A-F]{4}  ", line)}


@pytest.mark.slow
def test_a_trace_of_parts(romproof: Run) -> None:
    assert _addresses(romproof, "nes --frames 3 --trace-only nmi") == {"8000", "8002"}
    assert _addresses(romproof, "nes --frames 1 --trace-only $8003-$8005") == {"8003", "8005"}
    assert _addresses(romproof, "gb --frames 1 --trace-only far") == {"4000", "4001"}
    assert _addresses(romproof, "gb --frames 1 --trace-only ROMX[1]") == {"4000", "4001"}
    assert _addresses(romproof, "gb --frames 1 --trace-only ROMX") == {"4000", "4001"}
    assert _addresses(romproof, "gb --frames 1 --trace-only ROMX[2]") == set()
    assert _addresses(romproof, "gb --frames 1 --trace-only other") == set()
    both = _addresses(romproof, "gb --frames 2 --trace-only handler --trace-only far")
    assert {"4000", "4001"} < both
    assert len(both) == 8
    assert _addresses(romproof, "nes --call idle --trace-only idle") == {"8014", "8015"}
    assert _addresses(romproof, "nes --call bump --trace-only idle") == set()


def test_a_trace_as_json(romproof: Run, tmp_path: Path) -> None:
    run = "run gb --frames 1 --engine plain --trace-only start"
    shown = _json(romproof, f"{run} --trace")
    (first, *_) = shown["trace"]  # type: ignore[misc]
    assert (first["symbol"], first["instruction"], first["cycle"]) == ("start", "ld sp, $d000", 4)
    assert "accesses" not in first
    shown = _json(romproof, f"{run} --trace=t.json")
    assert "trace" not in shown
    lines = (tmp_path / "t.json").read_text().splitlines()
    assert json.loads(lines[0]) == first


def test_a_call_begins_with_a_state_and_leaves_one(romproof: Run) -> None:
    call = "run nes --engine plain --read frames --call bump"
    _json(romproof, "run nes --engine plain --frames 2 --state two.state")
    called = _json(romproof, f"{call} --from two.state --state three.state")
    assert called["memory"] == {"frames": "03"}
    again = _json(romproof, f"{call} --from three.state")
    assert again["memory"] == {"frames": "04"}
    done = romproof(*f"{call} --from two.state --trace --trace-format mesen".split())
    assert "INC $10 = $02" in done.stdout.splitlines()[0]


def _spoil(tmp_path: Path, kind: str) -> None:
    data = (tmp_path / "nes.state").read_bytes()
    middle = len(data) // 2
    spoiled = {
        "short": data[:-1],
        "flipped": data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :],
        "empty": b"",
        "text": b"[tool.romproof]\n",
    }
    (tmp_path / f"{kind}.state").write_bytes(spoiled.get(kind, data))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("other --frames 1 --from nes.state", "nes.state: the state is of another program"),
        ("gb --frames 1 --from nes.state", "is of the machine 'nes', and the program runs on"),
        ("nes --frames 1 --from short.state", "the state is damaged: it ends after"),
        ("nes --frames 1 --from flipped.state", "the state is damaged: it does not have"),
        ("nes --frames 1 --from empty.state", "this is no state of romproof"),
        ("nes --frames 1 --from text.state", "this is no state of romproof"),
        ("nes --call idle --from short.state", "the state is damaged: it ends after"),
        ("nes --frames 1 --state pyproject.toml", "is no state of romproof: give --state another"),
        ("nes --frames 1 --trace --trace-only nothing", "no symbol 'nothing' in the image"),
        ("gb --frames 1 --trace --trace-only ROMX[9]", "the cartridge has no bank 9 of ROMX"),
        ("gb --frames 1 --trace --trace-only PRG[1]", "kinds of banks there are: ROM0, ROMX, SRAM"),
        ("gb --frames 1 --trace --trace-format nestest", "use gameboy-doctor or mesen"),
        ("c64 --frames 1 --trace --trace-format mesen", "which Mesen 2 does not have: use nestest"),
    ],
)
def test_what_is_refused(romproof: Run, tmp_path: Path, args: str, says: str) -> None:
    assert romproof(*["run", "nes", "--frames", "1", "--state", "nes.state"]).returncode == 0
    for kind in ("short", "flipped", "empty", "text"):
        _spoil(tmp_path, kind)
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    out = "" if "--state" in args else "--state out.state"
    done = romproof("run", *f"{args} {out} --engine plain".split())
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len([line for line in done.stderr.splitlines() if "rror" in line]) == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_fault_leaves_its_trace_and_no_state(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "nes.s").write_text(NES.replace("  nop\n", "  .byte $02\n"), "utf-8")
    done = romproof(*["run", "nes", "--frames", "2", "--trace=t.log", "--state", "out.state"])
    assert (done.returncode, done.stdout) == (1, "")
    assert "idle" in done.stderr
    lines = (tmp_path / "t.log").read_text().splitlines()
    assert lines[-1].startswith("800E  JSR $8014")
    assert not (tmp_path / "out.state").exists()


def test_a_screenshot(romproof: Run, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    out = tmp_path / "shown.png"
    shown = _json(romproof, f"run gb --frames 1 --screenshot {out} --engine plain")
    assert shown["screenshot"] == str(out)
    with image.open(out) as picture:
        assert (picture.format, picture.size) == ("PNG", (160, 144))
    out.unlink()
    for words, told in (
        (f"run gb --frames 1 --screenshot {tmp_path}/shown.gif", "pictures are PNG files"),
        (f"run gb --frames 1 --state {out} --screenshot {out}", "name the same file"),
        (f"run gb --call main --screenshot {out}", "use --frames N"),
    ):
        refused = romproof(*words.split())
        assert refused.returncode == 2, words
        assert told in refused.stderr
    assert not list(tmp_path.glob("*.png")) + list(tmp_path.glob("*.gif"))
