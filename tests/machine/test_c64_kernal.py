"""The KERNAL's calls: what they return, what they destroy, the files, and when they are there.

What is expected is what the Commodore 64 Programmer's Reference Guide says of each call.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from c64_programs import prg, run, to_the_end
from every_case import every_case

from romproof.engine.protocol import EngineFault
from romproof.engine.registers import Registers
from romproof.machine.c64 import rom
from romproof.machine.c64.calls import HANDLERS
from romproof.machine.c64.machine import C64
from romproof.machine.c64.petscii import from_text, to_text

KEEP = "sta $C000\n stx $C001\n sty $C002\n php\n pla\n sta $C003\n rts\n"
"""What a call left in A, X, Y and P."""


def kept(machine: C64) -> tuple[int, int, int, int]:
    a, x, y, p = (machine.peek(0xC000 + i) for i in range(4))
    return a, x, y, p


def called(source: str, disk: dict[str, bytes] | None = None, typed: str = "") -> C64:
    """The machine after ``source`` and a look at the registers."""
    machine = C64(prg(source + "\n" + KEEP), engine="plain")
    machine.files.update(disk or {})
    if typed:
        machine.type(typed)
    machine.start()
    to_the_end(machine)
    return machine


def name(text: str) -> str:
    """Assembly that sets a file's name; the letters as unshifted PETSCII."""
    codes = ", ".join(str(code) for code in from_text(text))
    return f"""
        lda #{len(text)}
        ldx #<name
        ldy #>name
        jsr SETNAM
        jmp after
    name: .byte {codes}
    after:
    """


def lfs(number: int, device: int, secondary: int) -> str:
    return f"lda #{number}\n ldx #{device}\n ldy #{secondary}\n jsr SETLFS\n"


# ------------------------------------------------------------------ registers and errors

AFFECTED = {  # Programmer's Reference Guide, "Registers affected"; results are not among them
    "CHKIN": "axy", "CHKOUT": "ax", "CHROUT": "a", "CINT": "axy", "CLALL": "ax", "CLOSE": "axy",
    "CLRCHN": "ax", "IOINIT": "axy", "OPEN": "axy", "RAMTAS": "axy", "RESTOR": "axy",
    "SCNKEY": "axy", "STOP": "ax", "UDTIM": "ax", "SETLFS": "", "SETNAM": "", "SETTIM": "",
    "SETTMO": "", "CHRIN": "x", "GETIN": "xy", "VECTOR": "axy", "SAVE": "axy",
}  # fmt: skip


@every_case("call", AFFECTED)
def test_registers_that_a_call_affects_are_destroyed_and_others_are_not(call: str) -> None:
    machine = C64(prg("rts"), engine="plain")
    entry = next(c.entry for c in rom.CALLS if c.name == call)
    for a, x, y in ((0x0D, 0x00, 0xC0), (0xF2, 0xFF, 0x3F)):
        machine.registers.set(Registers(a, x, y, 0xF9, 0x24, entry))
        machine.poke(0x01FA, 0xFF)
        machine.poke(0x01FB, 0xBF)
        machine.run({0xC000}, 10_000_000)
        r = machine.registers
        changed = "".join(n for n, v in (("a", a), ("x", x), ("y", y)) if getattr(r, n) != v)
        results = {"CHRIN": "a", "GETIN": "a"}.get(call, "")
        assert "".join(n for n in changed if n not in results) == AFFECTED[call]
        assert r.s == 0xFB


@every_case(
    "source, error",
    [
        ("ldx #7\n jsr CHKIN", 3),
        ("ldx #7\n jsr CHKOUT", 3),
        (lfs(1, 9, 2) + "jsr OPEN", 5),
        (lfs(1, 0, 0) + "jsr OPEN\n jsr OPEN", 2),
        (lfs(1, 0, 0) + "jsr OPEN\n ldx #1\n jsr CHKOUT", 7),
        (lfs(1, 8, 0) + name("gone") + "lda #0\n jsr LOAD", 4),
        (lfs(1, 8, 0) + "lda #0\n jsr SETNAM\n lda #0\n jsr LOAD", 8),
        (lfs(1, 9, 0) + name("it") + "lda #0\n jsr LOAD", 5),
        (lfs(1, 3, 0) + name("it") + "lda #0\n jsr LOAD", 9),
        (lfs(1, 0, 0) + name("it") + "lda #$FB\n jsr SAVE", 9),
        (lfs(1, 8, 0) + "lda #0\n jsr SETNAM\n lda #$FB\n jsr SAVE", 8),
        (
            "ldx #11\n loop: stx $C010\n txa\n ldx #0\n ldy #0\n jsr SETLFS\n jsr OPEN\n"
            "bcs out\n ldx $C010\n dex\n bne loop\n out:",
            1,
        ),
    ],
)
def test_carry_set_is_an_error_whose_number_is_in_a(source: str, error: int) -> None:
    a, _, _, p = kept(called(source))
    assert (a, p & 1) == (error, 1)


@every_case(
    "source",
    [
        lfs(1, 0, 0) + "jsr OPEN",
        lfs(1, 0, 0) + "jsr OPEN\n ldx #1\n jsr CHKIN",
        lfs(1, 3, 0) + "jsr OPEN\n ldx #1\n jsr CHKOUT",
        "sec\n lda #65\n jsr CHROUT",
        "sec\n jsr GETIN",
        "sec\n lda #1\n jsr CLOSE",
    ],
)
def test_carry_is_clear_when_there_is_no_error(source: str) -> None:
    assert kept(called(source))[3] & 1 == 0


# ------------------------------------------------------------------------ text and keys


def test_text_that_is_written() -> None:
    source = """
        ldx #0
loop:   lda text,x
        beq done
        jsr CHROUT      ; keeps X
        inx
        bne loop
done:   rts
text:   .byte $93, "HELLO, ", $D7, "ORLD!", 13, $1C, "2", 0
    """
    machine = run(source)
    assert machine.text == "hello, World!\n2"
    assert machine.screen[:2] == b"\x93H"


def test_petscii_and_text() -> None:
    text = "abc XYZ 0189 !\"#$%&'()*+,-./:;<=>?@[]\n£↑←"
    assert to_text(from_text(text)) == text
    assert to_text(bytes([0x93, 0x11, 0xA6, 0x61, 0x8D])) == "?A\n"
    for character in "{\\é_":
        with pytest.raises(ValueError, match="PETSCII has no"):
            from_text(character)


def test_getin_takes_keys_one_by_one_and_then_gives_0() -> None:
    source = """
        ldy #0
loop:   sty $C010
        jsr GETIN
        beq done        ; Z as after loading A
        ldy $C010
        sta $C100,y
        iny
        bne loop
done:
    """
    machine = called(source, typed="more than ten characters\n")
    count = machine.peek(0xC010)
    assert to_text(bytes(machine.peek(0xC100 + i) for i in range(count))) == (
        "more than ten characters\n"
    )
    assert kept(machine)[0] == 0


def test_the_buffer_is_where_programs_look_for_it() -> None:
    machine = C64(prg("rts"), engine="plain")
    machine.type("0123456789abc")
    assert machine.peek(0xC6) == 10
    assert bytes(machine.peek(0x0277 + i) for i in range(10)) == b"0123456789"


def test_chrin_reads_a_line() -> None:
    source = """
        ldy #0
loop:   jsr CHRIN
        sta $C100,y
        iny
        cmp #13
        bne loop
        sty $C010
    """
    machine = called(source, typed="line one\nrest")
    assert machine.peek(0xC010) == 9
    assert to_text(bytes(machine.peek(0xC100 + i) for i in range(9))) == "line one\n"


def test_a_key_that_is_down_comes_into_the_buffer_once() -> None:
    source = "jsr $FF9F\n jsr $FF9F\n lda $C6\n sta $C010\n jsr GETIN"
    for keys, code in (
        (("a",), 0x41), (("a", "left-shift"), 0xC1), (("1",), 0x31), (("1", "right-shift"), 0x21),
        (("down-arrow", "left-shift"), 0x91), (("f7",), 0x88), (("@",), 0x40), (("return",), 13),
    ):  # fmt: skip
        machine = C64(prg("sei\n" + source + "\n" + KEEP), engine="plain")
        for key in keys:
            machine.press(key)
        machine.start()
        to_the_end(machine)
        assert machine.peek(0xC010) == 1
        assert kept(machine)[0] == code


def test_stop_says_whether_the_key_is_down() -> None:
    up = called("jsr $FFE1")
    assert not kept(up)[3] & 2
    machine = C64(prg("jsr $FFE1\n" + KEEP), engine="plain")
    machine.press("stop")
    machine.start()
    to_the_end(machine)
    assert kept(machine)[3] & 2


# -------------------------------------------------------------------- files and the drive


def test_load_to_where_the_file_says_and_to_where_the_caller_says() -> None:
    disk = {"data": b"\x00\xc1abc"}
    source = lfs(1, 8, 1) + name("data") + "lda #0\n ldx #$00\n ldy #$C2\n jsr LOAD"
    machine = called(source, disk)
    assert bytes(machine.peek(0xC100 + i) for i in range(3)) == b"abc"
    _, x, y, p = kept(machine)
    assert (x, y, p & 1) == (0x03, 0xC1, 0)
    machine = called(source.replace(lfs(1, 8, 1), lfs(1, 8, 0)), disk)
    assert bytes(machine.peek(0xC200 + i) for i in range(3)) == b"abc"
    assert kept(machine)[1:3] == (0x03, 0xC2)
    assert machine.peek(0x90) == 0x40


def test_verify_compares() -> None:
    disk = {"data": b"\x00\xc1abc"}
    load = lfs(1, 8, 1) + name("data") + "lda #0\n jsr LOAD\n {}\n lda #1\n jsr LOAD\n jsr READST"
    assert kept(called(load.format(""), disk))[0] == 0x40
    assert kept(called(load.format("inc $C101"), disk))[0] == 0x50


def test_save_writes_a_file_with_its_address() -> None:
    source = (
        lfs(1, 8, 0) + name("saved")
        + "lda #$00\n sta $FB\n lda #$C1\n sta $FC\n lda #$77\n sta $C100\n sta $C101\n"
        + "lda #$FB\n ldx #$02\n ldy #$C1\n jsr SAVE"
    )  # fmt: skip
    machine = called(source)
    assert machine.files == {"saved": b"\x00\xc1\x77\x77"}
    assert kept(machine)[3] & 1 == 0
    machine = called(source, {"saved": b"old"})
    assert machine.files == {"saved": b"old"}, "it is not overwritten"
    replacing = source.replace(name("saved"), name("@0:saved"))
    assert called(replacing, {"saved": b"old"}).files == {"saved": b"\x00\xc1\x77\x77"}


READ = """
        jsr OPEN
        ldx #2
        jsr CHKIN
        ldy #0
loop:   sty $C010
        jsr {call}
        ldy $C010
        sta $C100,y
        iny
        sty $C010
        jsr READST
        beq again
        sta $C011
        lda #2
        jsr CLOSE
        jsr CLRCHN
        jmp out
again:  ldy $C010
        jmp loop
out:
"""


@every_case("call", ["CHRIN", "GETIN"])
def test_a_file_is_read_to_its_end(call: str) -> None:
    source = lfs(2, 8, 2) + name("text,s,r") + READ.format(call=call)
    machine = called(source, {"text": b"12345"})
    assert machine.peek(0xC010) == 5
    assert bytes(machine.peek(0xC100 + i) for i in range(5)) == b"12345"
    assert machine.peek(0xC011) == 0x40
    assert (machine.peek(0x98), machine.peek(0x99)) == (0, 0)


def test_a_file_that_is_not_there_reads_as_an_error_in_the_status() -> None:
    """The call OPEN does not fail; the drive says why, on its command channel."""
    source = lfs(2, 8, 2) + name("gone") + READ.format(call="CHRIN")
    machine = called(source)
    assert machine.peek(0xC010) == 1
    assert machine.peek(0xC011) == 0x42
    message = lfs(15, 8, 15) + "lda #0\n jsr SETNAM\n" + READ.format(call="CHRIN")
    message = message.replace("ldx #2", "ldx #15").replace("loop", "loop2")
    message = message.replace("again", "again2").replace("out", "out2")
    machine = called(source + message)
    read = bytes(machine.peek(0xC100 + i) for i in range(machine.peek(0xC010)))
    assert to_text(read) == "62, file not found,00,00\n"


def test_a_file_is_written_when_it_is_closed() -> None:
    source = (
        lfs(2, 8, 2) + name("0:new,s,w")
        + "jsr OPEN\n ldx #2\n jsr CHKOUT\n lda #65\n jsr CHROUT\n lda #66\n jsr CHROUT\n"
        + "jsr CLRCHN\n lda #67\n jsr CHROUT\n lda #2\n jsr CLOSE"
    )  # fmt: skip
    machine = called(source)
    assert machine.files == {"new": b"AB"}
    assert machine.screen == b"C"


def test_what_was_set_is_where_the_kernal_keeps_it() -> None:
    machine = called(lfs(4, 8, 7) + name("abc"))
    assert [machine.peek(a) for a in (0xB8, 0xBA, 0xB9, 0xB7)] == [4, 8, 7, 3]


# ------------------------------------------------------------------- clock, screen, memory


def test_the_clock_is_set_and_read() -> None:
    machine = called("sei\n lda #1\n ldx #2\n ldy #3\n jsr $FFDB\n lda #0\n tax\n tay\n jsr $FFDE")
    a, x, y, p = kept(machine)
    assert (a, x, y) == (1, 2, 3)
    assert not p & 4, "both end with cli"


def test_the_clock_begins_anew_after_a_day() -> None:
    machine = called(
        "sei\n lda #$00\n ldx #$1A\n ldy #$4F\n jsr $FFDB\n sei\n jsr $FFEA\n jsr $FFDE"
    )
    assert kept(machine)[:3] == (0, 0, 0)


def test_the_cursor_is_moved_and_asked_for() -> None:
    _, x, y, _ = kept(
        called("clc\n ldx #5\n ldy #7\n jsr $FFF0\n ldx #0\n ldy #0\n sec\n jsr $FFF0")
    )
    assert (x, y) == (5, 7)
    source = "ldx #41\n loop: lda #65\n jsr CHROUT\n dex\n bne loop\n lda #13\n jsr CHROUT\n"
    _, x, y, _ = kept(called(source + "lda #66\n jsr CHROUT\n sec\n jsr $FFF0"))
    assert (x, y) == (2, 1)
    _, x, y, _ = kept(
        called(source + "lda #$93\n jsr CHROUT\n lda #$1D\n jsr CHROUT\n sec\n jsr $FFF0")
    )
    assert (x, y) == (0, 1)


@every_case(
    "source, x, y",
    [
        ("jsr $FFED", 40, 25),
        ("jsr $FFF3", 0x00, 0xDC),
        ("sec\n jsr $FF99", 0x00, 0xA0),
        ("sec\n jsr $FF9C", 0x00, 0x08),
        ("ldx #$34\n ldy #$12\n clc\n jsr $FF99\n ldx #0\n ldy #0\n sec\n jsr $FF99", 0x34, 0x12),
    ],
)
def test_what_is_returned_in_x_and_y(source: str, x: int, y: int) -> None:
    assert kept(called(source))[1:3] == (x, y)


# ------------------------------------------------------------------------------- vectors


def test_a_vector_that_the_program_changes_is_followed() -> None:
    source = """
        lda #<mine
        sta $0326
        lda #>mine
        sta $0327
        lda #65
        jsr CHROUT
        jsr $FF8A       ; RESTOR
        lda #66
        jsr CHROUT
        rts
mine:   sta $C010
        jmp $F1CA       ; what the vector had
    """
    machine = run(source)
    assert machine.peek(0xC010) == 65
    assert machine.screen == b"AB"


def test_vectors_are_copied_both_ways() -> None:
    copy = "ldx #$00\n ldy #$C1\n jsr $FF8D\n"
    source = f"sei\n sec\n {copy} inc $C100\n clc\n {copy}"
    machine = called(source)
    assert machine.peek(0x0314) == 0x32
    assert machine.peek(0x0315) == 0xEA


def test_load_goes_through_its_vector_with_the_address_in_c3() -> None:
    source = """
        lda #<mine
        sta $0330
        lda #>mine
        sta $0331
        lda #0
        ldx #$34
        ldy #$12
        jsr LOAD
        rts
mine:   lda $C3
        sta $C010
        lda $C4
        sta $C011
        clc
        rts
    """
    machine = run(source)
    assert (machine.peek(0xC010), machine.peek(0xC011)) == (0x34, 0x12)


def test_save_goes_through_its_vector_with_the_addresses_in_zero_page() -> None:
    source = """
        lda #<mine
        sta $0332
        lda #>mine
        sta $0333
        lda #$34
        sta $FB
        lda #$12
        sta $FC
        lda #$FB
        ldx #$78
        ldy #$56
        jsr SAVE
        rts
mine:   ldx #3
copy:   lda $AE,x       ; to $B1: only the first two
        sta $C010,x
        lda $C1,x
        sta $C014,x
        dex
        bpl copy
        clc
        rts
    """
    machine = run(source)
    assert [machine.peek(a) for a in (0xC010, 0xC011, 0xC014, 0xC015)] == [0x78, 0x56, 0x34, 0x12]


# ----------------------------------------------------- only while the KERNAL is in sight


def test_with_the_kernal_off_its_addresses_are_the_programs() -> None:
    source = """
        sei
        lda #$A9        ; lda #$55, rts
        sta $FFD2
        sta $F1CA
        lda #$55
        sta $FFD3
        sta $F1CB
        lda #$60
        sta $FFD4
        sta $F1CC
        lda #$35
        sta $01
        lda #65
        jsr $FFD2
        sta $C010
        lda #65
        jsr $F1CA
        sta $C011
        lda #$37
        sta $01
        lda #66
        jsr $FFD2
        rts
    """
    machine = run(source)
    assert (machine.peek(0xC010), machine.peek(0xC011)) == (0x55, 0x55)
    assert machine.screen == b"B"


def test_each_call_of_the_jump_table_is_performed_or_refused() -> None:
    for call in rom.CALLS:
        machine = C64(prg(f"jsr ${call.entry:04X}\n rts"), engine="plain")
        machine.start()
        if call.name in rom.SERIAL:
            with pytest.raises(EngineFault, match=call.name):
                to_the_end(machine)
        else:
            assert call.target in HANDLERS
            if call.name != "RAMTAS":
                to_the_end(machine)


COUNTED = {  # of the original's instructions on that path, without jsr and the jump at the entry
    0xFFBA: 15, 0xFFBD: 15, 0xFFDE: 30, 0xFFDB: 19, 0xFFED: 10, 0xFFF3: 10, 0xFFB7: 23, 0xFFA2: 10,
}  # fmt: skip


@every_case("entry", COUNTED)
def test_cycles_of_calls_that_are_counted(entry: int) -> None:
    machine = C64(prg(f"sei\n jsr ${entry:04X}\n nop\n rts"), engine="plain")
    machine.start()
    machine.run({0x0814}, 1000)
    assert machine.registers.pc == 0x0814
    assert machine.cycles == 2 + 6 + 3 + COUNTED[entry]


def test_an_observer_is_told_of_all_cycles() -> None:
    class Sum:
        cycles = 0

        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            self.cycles += cycles

    machine, observer = C64(prg("lda #65\n jsr CHROUT\n rts"), engine="plain"), Sum()
    machine.start()
    machine.run({machine.nowhere}, 100_000, observer)
    assert observer.cycles == machine.cycles > 500


def test_ioinit_stops_what_the_program_has_started() -> None:
    source = """
        sei
        lda #$9F
        sta $DC0D
        sta $DD0D
        lda #$01
        sta $DC0F
        sta $DD0E
        lda #$0F
        sta $D418
        jsr $FF84
    """
    machine = called(source)
    assert machine.sid[0x18] == 0
    running = [machine.peek(a) & 1 for a in (0xDC0E, 0xDC0F, 0xDD0E, 0xDD0F)]
    assert running == [1, 0, 0, 0]
    for _ in range(3):
        machine.interrupt("irq")
        assert machine.peek(0xDC0D) & 1
    assert (machine.peek(0), machine.peek(1)) == (0x2F, 0x37)


def test_the_page_says_the_cycles_of_all_calls() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "c64.md"
    rows = re.findall(r"([A-Z]{4,6}) \| ([\d,]+) \| (=?)", page.read_text("utf-8"))
    found = {name: (int(cycles.replace(",", "")), bool(mark)) for name, cycles, mark in rows}
    named = {h.name: (h.cycles, h.counted) for h in HANDLERS.values() if h.name.isupper()}
    assert found == named
