"""The switches: what a run is checked for besides contracts, off, as a warning, or as an error."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from source_programs import rom_6502, rom_sm83

from romproof import RomproofError, RomproofWarning
from romproof.engine.checks import DEFAULTS, LEVELS, NAMES, BadCheck, Checks, checks_of
from romproof.engine.engines import ENGINES
from romproof.engine.protocol import FaultKind, RefusedWrite
from romproof.harness.errors import CallFault, UninitialisedRead
from romproof.harness.rom import Rom

CODE = """\
.export write_rom, write_stray, write_far, read, push, jump, run_data, skip, fall, twice, mixed
write_rom:   lda #7
             sta read           ; ROM
             ldx #3
             rts
write_stray: lda #7
             sta $2000
             sta $2001
             rts
write_far:   ldx #0
:            sta $2000,x
             inx
             bne :-
             rts
read:        lda n
             lda n
             ldx other
             rts
push:        lda #1
             ldx #80
:            pha
             dex
             bne :-
             ldx #80
:            pla
             dex
             bne :-
             rts
jump:        lda #<target
             sta $0500+$FF
             lda #>target
             sta $0500          ; the chip takes the high byte from here
             jmp ($05FF)
target:      ldx #9
             rts
run_data:    jmp table
table:       .byte $A2, $04, $60     ; ldx #4, rts
skip:        ldx #1
             .byte $2C
             ldx #2
             rts
fall:        ldx #5
numbers:     .byte $EA, $EA
             rts
twice:       jsr run_data
             jsr run_data
             rts
mixed:       jsr write_stray
             jsr run_data
             rts
"""
LAYOUT = """\
MEMORY {
  ZP:  start = $10,   size = $80,   type = rw;
  PAGE: start = $100, size = $C0,   type = rw;
  RAM: start = $300,  size = $400,  type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP,  type = zp;
  LOW:      load = PAGE, type = bss, optional = yes;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
}
"""
SM83 = """\
write_rom::  ld a, 7
             ld [read], a
             ret
write_stray:: ld a, 7
             ld [$A000], a
             ret
read::       ld a, [count]
             ret
run_data::   jp table
table:       db $3E, $04, $C9
deep::       ld b, 0
.loop:       push bc
             dec b
             jr nz, .loop
             add sp, 127
             add sp, 127
             add sp, 127
             add sp, 127
             add sp, 4
             ret
"""
ALL = [name for name, row in ENGINES.items() if row.refusal("mos6502") is None]


@pytest.fixture(params=ALL)
def rom(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rom:
    monkeypatch.setattr("source_programs.LAYOUT", LAYOUT)
    # $0100 to $01BF are data: the stack has 64 bytes
    return rom_6502(tmp_path, '.segment "LOW"\nlow: .res $C0\n.code\n' + CODE, request.param)


CASES: dict[str, tuple[str, FaultKind, str]] = {
    "rom_writes": ("write_rom", FaultKind.ROM_WRITE, "which is read-only"),
    "stray_writes": (
        "write_stray",
        FaultKind.STRAY_WRITE,
        r"writes \$07 to \$2000, which is in no memory area of the program's layout",
    ),
    "stack": ("push", FaultKind.STACK_OVERFLOW, r"last byte pushed is at \$01BF \(low\+191\)"),
    "indirect_jump": (
        "jump",
        FaultKind.INDIRECT_JUMP,
        r"jmp \(\$05FF\) at .* takes the high byte of its target from \$0500",
    ),
    "data_execution": (
        "run_data",
        FaultKind.DATA,
        r"\(table\) is data in the source but is executed, after \$8...",
    ),
}


@pytest.mark.parametrize("check", CASES)
def test_each_check_on_each_level(rom: Rom, check: str) -> None:
    routine, kind, text = CASES[check]
    with pytest.raises(CallFault, match=text) as caught:
        rom.call(routine, checks={check: "error"})
    assert caught.value.kind is kind
    assert "call chain:" in str(caught.value)
    with pytest.warns(RomproofWarning) as told:
        warned = rom.call(routine, checks={check: "warn"})
    assert re.search(text, str(told[0].message))
    assert [str(w.message).rpartition(" ")[2] for w in told] == [f"[{check}]"] * len(told)
    assert all(w.filename.endswith("prog.s") for w in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        off = rom.call(routine, checks={check: "off"})
    # a warning changes nothing
    assert (off.registers, off.cycles, off.after, off.stack) == (
        warned.registers, warned.cycles, warned.after, warned.stack,
    )  # fmt: skip


def test_reads_of_uninitialised_memory(rom: Rom) -> None:
    with pytest.raises(UninitialisedRead, match=r"reads \$0300 \(n\)"):
        rom.call("read", checks={"uninitialised": "error"})
    with pytest.warns(RomproofWarning) as told:
        rom.call("read", checks={"uninitialised": "warn"})
    assert "reads $0300 (n), which has not been written" in str(told[0].message)
    assert ["other" in str(w.message) for w in told] == [False, True]  # each byte once
    rom.call("read")
    # the older switch goes first: it is the same check
    rom.call("read", uninitialised=False, checks={"uninitialised": "error"})


def test_once_per_place(rom: Rom) -> None:
    with pytest.warns(RomproofWarning) as told:
        rom.call("twice")
    assert len(told) == 1  # one line, executed twice
    with pytest.warns(RomproofWarning) as told:
        rom.call("write_far", checks={"stray_writes": "warn"})
    assert len(told) == 1
    assert rom.call("write_far", a=5).read(0x2000, 256) == bytes([5]) * 256
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        rom.call("run_data")
        rom.call("run_data")
    assert len(seen) == 1


def test_several_checks_in_one_run(rom: Rom) -> None:
    with pytest.warns(RomproofWarning) as told:
        r = rom.call("mixed", checks={"stray_writes": "warn"})
    assert [str(w.message).rpartition(" ")[2] for w in told] == [
        "[stray_writes]",
        "[stray_writes]",
        "[data_execution]",
    ]
    assert (r.x, r.read(0x2000, 2)) == (4, b"\7\7")
    with pytest.warns(RomproofWarning), pytest.raises(CallFault) as caught:
        rom.call("mixed", checks={"stray_writes": "warn", "data_execution": "error"})
    assert caught.value.kind is FaultKind.DATA


def test_a_byte_that_skips_an_instruction_is_no_data(rom: Rom) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rom.call("skip").x == 1
    with pytest.raises(CallFault, match="numbers"):
        rom.call("fall", checks={"data_execution": "error"})


def test_code_that_a_test_writes_is_code(rom: Rom) -> None:
    machine = rom.machine()
    machine.write("table", b"\xa2\x08\x60", code=True)
    assert machine.call("run_data", checks={"data_execution": "error"}).x == 8
    machine.write(0x600, b"\x6c\xff\x05", code=True)
    machine.write(0x5FF, rom.image.address("target") & 0xFF)
    machine.write(0x500, rom.image.address("target") >> 8)
    with pytest.raises(CallFault, match="takes the high byte"):
        machine.call(0x600, checks={"indirect_jump": "error"})
    assert machine.call(0x600, checks={"indirect_jump": "off"}).x == 9


def test_without_checks_all_are_off_but_those_of_the_call(rom: Rom) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rom.call("run_data", check=False).x == 4
        assert rom.call("push", check=False).stack == 80
        assert rom.call("write_rom", check=False).mem[rom.image.address("read")] == 7
    with pytest.raises(CallFault):
        rom.call("run_data", check=False, checks={"data_execution": "error"})


def test_warnings_as_errors_end_the_test(rom: Rom) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RomproofWarning, match="is data in the source"):
            rom.call("run_data")
    assert issubclass(RomproofWarning, (RomproofError, UserWarning))


def test_of_a_whole_rom_and_of_its_machines(tmp_path: Path) -> None:
    image = rom_6502(tmp_path, CODE, "plain").image
    rom = Rom(image, "plain", checks={"data_execution": "error", "stray_writes": "error"})
    for target in (rom, rom.machine()):
        with pytest.raises(CallFault, match="table"):
            target.call("run_data")
        with pytest.raises(CallFault, match=r"\$2000"):
            target.call("write_stray")
        assert target.call("write_stray", checks={"stray_writes": "off"}).a == 7
    with pytest.raises(CallFault, match="table"):
        rom.machine().run_from("run_data", "skip")


@pytest.mark.parametrize("engine", [n for n, row in ENGINES.items() if row.refusal("sm83") is None])
def test_on_the_other_cpu(tmp_path: Path, engine: str) -> None:
    rom = rom_sm83(tmp_path, SM83, engine)
    cases = [
        ("write_rom", "rom_writes", "read-only"),
        ("write_stray", "stray_writes", "A000"),
        ("run_data", "data_execution", "table"),
    ]
    for routine, check, text in cases:
        with pytest.raises(CallFault, match=text):
            rom.call(routine, checks={check: "error"})
        with pytest.warns(RomproofWarning, match=text):
            rom.call(routine, checks={check: "warn"})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rom.call(routine, checks={check: "off"})
    with pytest.warns(RomproofWarning, match="count"):
        rom.call("read", checks={"uninitialised": "warn"})


def test_stray_writes_know_the_ports_and_the_stack(tmp_path: Path) -> None:
    text = "go:: ld a, 1\n ldh [$FF40], a\n ldh [$FF80], a\n push af\n pop af\n ret\n"
    rom = rom_sm83(tmp_path, text, "plain")
    rom.call("go", checks={"stray_writes": "error"})


@pytest.mark.parametrize(
    ("levels", "text"),
    [
        ({"stac": "off"}, "no check 'stac'; did you mean 'stack'"),
        ({"zzz": "off"}, "no check 'zzz'; the checks are rom_writes, "),
        ({"stack": "on"}, "the check 'stack' is one of off, warn, error, not 'on'"),
    ],
)
def test_what_cannot_be_meant(tmp_path: Path, levels: dict[str, Any], text: str) -> None:
    with pytest.raises(BadCheck, match=text):
        checks_of("flat", levels)
    with pytest.raises(BadCheck, match=text):
        rom_6502(tmp_path, CODE, "plain").call("skip", checks=levels)


def test_each_machine_has_its_defaults() -> None:
    assert set(DEFAULTS) == {"flat", "nes", "gameboy", "c64"}
    assert checks_of("flat") == Checks()
    for checks in DEFAULTS.values():
        assert {getattr(checks, name) for name in NAMES} <= set(LEVELS)


@pytest.mark.parametrize(("check", "place"), [("rom_writes", "read"), ("stray_writes", 0x2000)])
def test_no_words_of_an_engine_are_read(
    rom: Rom, check: str, place: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    routine, kind, _ = CASES[check]
    address = rom.image.address(place) if isinstance(place, str) else place
    monkeypatch.setattr(RefusedWrite, "describe", lambda write, why: "it is refused")
    with pytest.raises(CallFault, match="it is refused") as caught:
        rom.call(routine, checks={check: "error"})
    assert (caught.value.kind, caught.value.write) == (kind, RefusedWrite(address, 7))
