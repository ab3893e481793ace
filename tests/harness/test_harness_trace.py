"""What a call executed, and what wrote a byte last: the same on every engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from source_programs import rom_6502, rom_sm83

from romproof.engine.engines import ENGINES
from romproof.harness.checks.compared import explain_memory
from romproof.harness.checks.journal import NotedRead
from romproof.harness.replay import run as replay
from romproof.harness.replay.instructions import WIDTH, statement
from romproof.harness.replay.run import LAST, Calls, find_last_writes
from romproof.harness.rom import Rom
from romproof.projects import Manifest, build

CODE_6502 = """\
.export add_n, patch, fill
.proc add_n
        ldx #3
@loop:  lda arr,x       ; the element
        jsr one
        sta arr,x
        dex
        bpl @loop
        rts
.endproc
.proc one
        clc
        adc n
        rts
.endproc
.proc patch             ; changes the operand of an instruction in RAM
        inc $0401
        jsr $0400
        rts
.endproc
.proc fill
        ldx #0
:       sta $0500,x
        inx
        bne :-
        rts
.endproc
"""
CODE_SM83 = """\
add_n::
        ld hl, arr
        ld b, 4
.loop:  call one   ; the element
        ld [hl+], a
        dec b
        jr nz, .loop
        set 7, [hl]
        ret
one:    ld a, [count]
        add [hl]
        ret
"""
ON_6502 = [name for name, row in ENGINES.items() if row.refusal("mos6502") is None]
ON_SM83 = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]
GIVEN = {"n": b"\1\0\0\0", "arr": b"\1\2\3\4"}


@pytest.fixture(params=ON_6502)
def rom(request: pytest.FixtureRequest, tmp_path: Path) -> Rom:
    return rom_6502(tmp_path, CODE_6502, request.param)


def _steps(rom: Rom, routine: str, **given: object) -> list[tuple[object, ...]]:
    rom.call(routine, **given)  # type: ignore[arg-type]
    assert rom.last_call is not None
    return [
        (
            step.cycle,
            step.address,
            step.after and step.after.pc,  # type: ignore[attr-defined]
            [("w" if a.is_write else "r", a.address, a.value) for a in step.accesses],
        )
        for step in rom.last_call.trace.steps
    ]


def test_accesses_and_cycles_of_each_instruction(rom: Rom) -> None:
    steps = _steps(rom, "add_n", mem=GIVEN)
    assert len(steps) == LAST == 32
    # by hand, from the cycles of the NMOS 6502: 129 before the RTS that ends the call
    assert steps[-3:] == [
        (125, 0x800B, 0x800C, []),
        (127, 0x800C, 0x800E, []),
        (129, 0x800E, 0xFFF9, [("r", 0x1FE, 0xF8), ("r", 0x1FF, 0xFF)]),
    ]
    assert (102, 0x8005, 0x800F, [("w", 0x1FD, 0x80), ("w", 0x1FC, 0x07)]) in steps
    assert (110, 0x8010, 0x8013, [("r", 0x300, 1)]) in steps
    assert (120, 0x8008, 0x800B, [("w", 0x304, 2)]) in steps


def test_an_instruction_is_shown_as_it_was_executed(rom: Rom) -> None:
    machine = rom.machine()
    machine.write(0x400, b"\xa9\x10\xee\x01\x04\x60", code=True)  # lda #$10; inc $0401; rts
    assert machine.call("patch").a == 0x11
    assert rom.last_call is not None
    steps = rom.last_call.trace.steps
    assert [step.data[:2].hex() for step in steps[2:4]] == ["a911", "ee01"]
    # it reads its own operand as data once: that is no fetch
    assert [(a.is_write, a.value) for a in steps[3].accesses] == [(False, 0x11), (True, 0x12)]
    assert "lda #$11" in rom.last_call.report()


@pytest.mark.parametrize("engine", ON_SM83)
def test_the_game_boys_cpu(tmp_path: Path, engine: str) -> None:
    rom = rom_sm83(tmp_path, CODE_SM83, engine)
    steps = _steps(rom, "add_n", mem={"count": 1, "arr": b"\1\2\3\4"})
    # M-cycles by hand: 5 before the loop; 22 each time it goes on, 21 the last time
    assert steps[-2:] == [
        (92, 0x015C, 0x015E, [("r", 0xC006, 0x5A), ("w", 0xC006, 0xDA)]),
        (96, 0x015E, 0xFEFF, [("r", 0xDFFE, 0xFF), ("r", 0xDFFF, 0xFE)]),
    ]
    writes = find_last_writes(rom.last_call.scenario, [0xC002, 0xC003, 0xC009])  # type: ignore[union-attr]
    assert sorted(writes) == [0xC002, 0xC003]
    assert (writes[0xC002].site, writes[0xC002].value, writes[0xC002].cycle) == (0x158, 2, 21)


def test_the_last_writer_of_a_byte(rom: Rom) -> None:
    r = rom.call("add_n", mem=GIVEN)
    values = r.read("arr")
    text = explain_memory(rom.reads, (values, b"\2\4\4\6"))
    lines = text.splitlines()
    assert lines[0] == "memory compared after the call of 'add_n', and the writes to it:"
    assert re.fullmatch(
        r"  \$0305 arr\+1 is \$03, expected \$04: written in cycle 88 by "
        r"\$8008 \(add_n@loop\+6\)  \S*prog\.s:\d+",
        lines[1],
    )
    assert lines[2] == "      sta arr,x"
    assert lines[3].strip() == "$8000 (add_n), called by the test"
    assert "$0307 arr+3 is $05, expected $06: written in cycle 24 by the same" in lines[4]
    assert len(lines) == 5


@pytest.mark.parametrize(
    "form",
    [bytes, bytearray, list, tuple, bytes.hex, lambda data: int.from_bytes(data, "little")],
)
def test_in_whatever_form_bytes_are_compared(tmp_path: Path, form: object) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    values = rom.call("add_n", mem=GIVEN).read("arr")
    for sides in ((values, b"\2\3\4\7"), (b"\2\3\4\7", values)):
        compared = tuple(form(side) for side in sides)  # type: ignore[operator]
        text = explain_memory(rom.reads, compared)
        assert "$0307 arr+3 is $05, expected $07" in text
        assert text.count("is $") == 1


def test_what_the_call_did_not_write(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    r = rom.call("add_n", mem=GIVEN)
    assert r.mem["n"] == GIVEN["n"]
    text = explain_memory(rom.reads, (GIVEN["n"], b"\2\0\0\0"))
    assert "$0300 n is $01, expected $02: this call did not write it" in text
    assert r.mem[0x304] == 2
    text = explain_memory(rom.reads, (2, 3))
    assert "$0304 arr is $02, expected $03: written in cycle 120" in text


def test_a_register_that_was_compared_shows_what_was_read_lately(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    r = rom.call("add_n", mem=GIVEN)
    assert explain_memory(rom.reads, (r.a, 7)) == ""
    r.read("arr", 1)
    text = explain_memory(rom.reads, (r.x, 7))
    assert text.startswith(
        "memory read after the call of 'add_n', and the writes to it:\n  $0304 arr"
    )


def test_the_call_whose_memory_was_compared(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    machine = rom.machine()
    first = machine.call("add_n", mem=GIVEN).read("arr")
    machine.call("fill", a=9)
    second = machine.read(0x5FF, 1)
    machine.write(0x5FE, 1)
    third = machine.read(0x5FE, 1)
    assert "call of 'add_n'" in explain_memory(rom.reads, (first, bytes(4)))
    text = explain_memory(rom.reads, (second, b"\0"))
    assert "call of 'fill'" in text
    assert "$05FF is $09, expected $00: written in cycle 2552" in text  # 2 + 255 * 10
    assert "with $09, changed since" in explain_memory(rom.reads, (third, b"\0"))
    machine.reset()
    machine.read("arr")
    rom.forget()
    assert not rom.reads
    machine.read("arr")
    assert not rom.reads


def test_many_bytes_are_counted(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    data = rom.call("fill", a=9).read(0x500, 0x100)
    lines = explain_memory(rom.reads, (data, bytes(0x100))).splitlines()
    assert lines[-1] == "  … and 248 more bytes"
    assert len(lines) < 15


def test_the_table_of_instructions(rom: Rom) -> None:
    rom.call("add_n", mem=GIVEN)
    assert rom.last_call is not None
    text = rom.last_call.report()
    assert "last 32 of 34 instructions (135 cycles used); registers after each" in text
    rows = [line.rstrip() for line in text.splitlines()]
    (row,) = (line for line in rows if line.startswith("    110 "))
    assert row.split() == (
        "110 $8010 26 adc n 02 00 96 FB nvdIzc r $0300 n=01".replace("26", row.split()[2]).split()
    )
    assert any(re.fullmatch(r"  one, \S*prog\.s", line) for line in rows)
    assert max(len(line) for line in rows) <= WIDTH + 40  # paths may be long


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("@loop:  lda  #';'  ; x", "@loop: lda #';'"),
        (' db "a;b" ; c', 'db "a;b"'),
        ("  ; only", ""),
        (" ex af, af' ; swaps", "ex af, af'"),
    ],
)
def test_comments_are_left_out(line: str, text: str) -> None:
    assert statement(line) == text


# ---------------------------------------------------------------- interrupts, stubs, machines

HANDLER = """\
.export wait, handler, note
wait:    cli
:        lda count
         beq :-
         sei
         rts
handler: inc count
         jsr note
         rti
note:    ldx #3
         stx arr
         rts
"""


@pytest.mark.parametrize("engine", ["plain", "llvm", "recompiled"])
def test_a_handler_is_in_the_call_chain(tmp_path: Path, engine: str) -> None:
    rom = rom_6502(tmp_path, HANDLER, engine)
    machine = rom.machine()
    machine.write(0xFFFE, rom.image.address("handler").to_bytes(2, "little"))
    machine.interrupt("irq")
    machine.call("wait", mem={"count": 0, "arr": bytes(4)})
    values = machine.read("arr")
    lines = explain_memory(rom.reads, (values, bytes(4))).splitlines()
    assert "$0304 arr is $03, expected $00: written in cycle 25 by" in lines[1]
    assert [line.split(", ")[1].split("  ")[0] for line in lines[3:]] == [
        "called by the test",
        "interrupting $8003 (wait+3)",
        "called at $8009 (handler+2)",
    ]
    assert "(interrupt)" in rom.last_call.report()  # type: ignore[union-attr]


def test_a_stub_takes_its_cycles_in_the_replay_too(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path, CODE_6502, "plain")
    machine = rom.machine()
    machine.stub("one", lambda m: m.write(0x600, 1), cycles=50)
    result = machine.call("add_n", mem=GIVEN)
    values = machine.read("arr")
    # LDX 2, then LDA 4, JSR 6 and the stub's 50 before the STA that is the fourth to last
    text = explain_memory(rom.reads, (values, bytes(4)))
    assert "$0307 arr+3 is $04, expected $00: written in cycle 62 by" in text
    assert rom.last_call is not None
    assert rom.last_call.trace.cycles == result.cycles


GAME = """\
SECTION "work", WRAM0
frames:: ds 1
SECTION "vblank", ROM0[$40]
    jp handler
SECTION "entry", ROM0[$100]
    nop
    jp start
    ds $150 - @, 0
SECTION "home", ROM0
start::
    xor a
    ld [frames], a
    ldh [$FF0F], a
    inc a
    ldh [$FFFF], a
    ei
wait:: halt
    nop
    jr wait
handler::
    push af
    ld a, [frames]
    inc a
    ld [frames], a
    pop af
    reti
SECTION "two", ROMX, BANK[2]
in_two::
    ld a, 2
    ld [frames], a
    ret
"""


@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_on_a_game_boy_with_banks_and_frames(tmp_path: Path, engine: str) -> None:
    (tmp_path / "game.asm").write_text(GAME)
    header = (("title", "GAME"), ("mbc", "MBC1"))
    manifest = Manifest(
        "game", (tmp_path / "game.asm",), cpu="sm83", machine="gameboy", header=header
    )
    rom = Rom(build(manifest).image, engine, machine="gameboy")
    machine = rom.machine()
    machine.run_until("wait", limit=20_000)
    machine.run_frames(1)
    count = machine.read("frames")
    text = explain_memory(rom.reads, (count, b"\0"))
    assert "$C000 frames is $01, expected $00: written in M-cycle" in text
    assert "$0040, interrupting $" in text
    machine.call("in_two")
    count = machine.read("frames")
    text = explain_memory(rom.reads, (count, b"\0"))
    assert "$C000 frames is $02, expected $00: written in M-cycle 2 by $4002 (in_two+2)" in text
    assert "ld [frames], a" in text


LONG = """\
.export long, first, last
.proc long
        jsr first
        jsr wait
        inc n
        jsr wait
        jsr last
        jsr wait
        rts
.endproc
.proc first
        sta count
        sta other
        rts
.endproc
.proc last
        sty other
        rts
.endproc
.proc wait
        ldx #0
:       dex
        bne :-
        rts
.endproc
"""


@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_of_a_long_run_calls_are_watched_near_the_writes_only(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rom = rom_6502(tmp_path, LONG, engine)
    rom.call("long", a=1, y=2)
    record = rom.last_call
    assert record is not None
    places = [rom.image.address(name) for name in ("count", "n", "other")]
    whole = find_last_writes(record.scenario, places)
    told: list[int] = []
    instruction = Calls.instruction

    def counted(self: Calls, pc: int, *others: int) -> None:
        told.append(pc)
        instruction(self, pc, *others)

    monkeypatch.setattr(Calls, "instruction", counted)
    assert find_last_writes(record.scenario, places) == whole
    most = len(told)
    told.clear()
    monkeypatch.setattr(replay, "WATCHED", 50)
    near = find_last_writes(record.scenario, places)
    assert 0 < len(told) < 80 < most
    assert near.keys() == whole.keys()
    for address, write in near.items():
        other = whole[address]
        assert (write.site, write.cycle, write.value) == (other.site, other.cycle, other.value)
        assert other.unwatched == 0
    early, middle, late = (near[address] for address in places)
    assert (early.unwatched, early.frames) == (0, whole[places[0]].frames)
    assert middle.unwatched > 1_000
    assert [f.entry for f in late.frames][-1] == rom.image.address("last"), "entered just before"
    text = explain_memory([*_reads(rom, "other")], (b"\2", b"\3"))
    assert f"… calls of the first {late.unwatched:,} cycles are not listed" in text


def _reads(rom: Rom, name: str) -> list[NotedRead]:
    record = rom.last_call
    assert record is not None
    return [NotedRead(record, rom.image.address(name), b"\2")]
