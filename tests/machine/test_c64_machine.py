"""The C64 as a board: memory, what is in sight, starting, stopping, saving, all engines."""

from __future__ import annotations

from functools import partial

import pytest
from c64_programs import LIMIT, ORIGIN, prg, run, to_the_end
from every_case import every_case

from romproof.engine.engines import NoSuchEngine, make_engine
from romproof.engine.protocol import EngineFault, FaultKind, Guard, Stop
from romproof.machine.board import Board, BoardError
from romproof.machine.c64.machine import C64
from romproof.machine.c64.program import BadProgram
from romproof.machine.c64.region import REGIONS
from romproof.program.image import Block
from romproof.text.errors import BadInput

ENGINES = ("plain", "llvm", "recompiled")
FOREVER = "forever: jmp forever"


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    if request.param != "plain":
        pytest.importorskip("llvmlite")
    return str(request.param)


def at(code: str, address: int = 0xC000, **options: object) -> C64:
    """A machine with bytes at an address, which are where the CPU is."""
    block = Block("code", address, bytes.fromhex(code), writable=True)
    machine = C64([block], engine="plain", **options)  # type: ignore[arg-type]
    machine.registers.pc = address
    return machine


def test_it_is_a_board() -> None:
    board: Board = C64(prg("rts"), engine="plain")
    assert board.name == "c64"


def test_a_line_of_basic_says_where_the_program_begins(engine: str) -> None:
    machine = C64(prg(f"lda #$12\n sta $C000\n rts\n .assert * > {ORIGIN}, error"), engine=engine)
    machine.start()
    assert machine.registers.pc == ORIGIN
    to_the_end(machine)
    assert machine.peek(0xC000) == 0x12


def test_without_basic_it_begins_at_its_first_byte() -> None:
    machine = C64(bytes.fromhex("00C0 EA"), engine="plain")
    machine.start()
    assert machine.registers.pc == 0xC000
    assert not machine.registers.p & 4, "interrupts are enabled, as after RUN"


@every_case(
    "basic",
    ["0B08 0A00 99 22 00 0000", "0B08 0A00 9E 00 0000", "0B08", "0B08 0A00 9E 393939393900"],
)
def test_a_line_without_a_sys_that_can_be_meant(basic: str) -> None:
    machine = C64(bytes.fromhex("0108" + basic), engine="plain")
    machine.start()
    assert machine.registers.pc == 0x0801


@every_case(
    "program, says",
    [
        (b"", "load address"),
        (b"\x00\xc0", "load address"),
        (b"\xff\xff\x01\x02", "$FFFF"),
        (b"\x00\x00\x01", "$0000"),
        ([], "no blocks"),
        ([Block("x", 0xFFFF, b"ab", writable=True)], "'x': 2 bytes at $FFFF"),
    ],
)
def test_what_cannot_be_loaded(program: bytes, says: str) -> None:
    with pytest.raises(BadProgram) as caught:
        C64(program, engine="plain")
    assert says in str(caught.value)


def test_options_that_are_wrong() -> None:
    with pytest.raises(BoardError, match=r"no region 'pall'.*did you mean 'pal'"):
        C64(prg("rts"), region="pall")
    with pytest.raises(BadInput, match="fill byte 256"):
        C64(prg("rts"), fill=256)
    with pytest.raises(NoSuchEngine, match="'py65' cannot run a C64: it supports no interrupts"):
        C64(prg("rts"), engine="py65")


def test_memory_that_nobody_wrote_to() -> None:
    machine = C64(prg("rts"), engine="plain", fill=0x33)
    assert [machine.peek(a) for a in (0x0002, 0x0400, 0x9FFF, 0xC000)] == [0x33] * 4
    assert machine.peek(0xD800) == 0xF3


SEEN = {  # bits 2 to 0 of $01: BASIC, I/O, KERNAL as they are in sight (unusedino.de, memcfg)
    0b000: "ram ram ram", 0b001: "ram char ram", 0b010: "ram char rom", 0b011: "rom char rom",
    0b100: "ram ram ram", 0b101: "ram io ram", 0b110: "ram io rom", 0b111: "rom io rom",
}  # fmt: skip


@every_case("lines", SEEN)
def test_what_the_processor_port_shows(lines: int) -> None:
    machine = C64(prg("rts"), engine="plain")
    for address in (0xA123, 0xD020, 0xE123):
        machine.space.store[address] = 0x77
    machine.poke(1, 0x30 | lines)
    found = []
    for address, io in ((0xA123, None), (0xD020, 0xFE), (0xE123, None)):
        value = machine.peek(address)
        name = "char" if address == 0xD020 else "rom"
        found.append("ram" if value == 0x77 else "io" if value == io else name)
        assert value in (0x77, 0x02, io)
    assert " ".join(found) == SEEN[lines]


def test_writes_go_to_the_ram_beneath(engine: str) -> None:
    source = """
        sei
        lda #$11
        sta $A000
        sta $E000
        sta $FFFE
        lda #$35        ; ROMs off, I/O on
        sta $01
        lda $A000
        sta $C000
        lda $E000
        sta $C001
        lda #$22
        sta $D020       ; a chip
        lda #$34        ; RAM everywhere
        sta $01
        lda #$33
        sta $D020
        lda $D020
        sta $C002
        lda #$37
        sta $01
        lda $D020
        sta $C003
        lda $A000
        sta $C004
        lda $01
        sta $C005
        lda $00
        sta $C006
        rts
    """
    machine = run(source, engine)
    assert bytes(machine.peek(0xC000 + i) for i in range(7)).hex() == "111133f202372f"


def test_code_in_ram_under_roms_and_under_the_io_area_runs(engine: str) -> None:
    source = """
        sei
        ldx #2
    copy:
        lda code,x
        sta $A000,x
        sta $D000,x     ; to the chips
        sta $E000,x
        dex
        bpl copy
        lda #$34
        sta $01
        ldx #2
    under:
        lda code,x
        sta $D000,x
        dex
        bpl under
        lda #0
        jsr $A000
        jsr $D000
        jsr $E000
        sta $C000
        lda #$37
        sta $01
        rts
    code:
        adc #1
        rts
    """
    assert run(source, engine).peek(0xC000) == 3


def test_inputs_of_the_processor_port_read_as_their_pins(engine: str) -> None:
    """Pull-ups hold bits 0 to 2 and 4 high; bit 5 is low (VICE, c64pla)."""
    source = "sei\n lda #0\n sta $00\n lda $01\n sta $C000\n lda #$2F\n sta $00\n rts"
    assert run(source, engine).peek(0xC000) & 0x37 == 0x17


def test_colour_ram_has_four_bits() -> None:
    machine = run("lda #$A5\n sta $D800\n sta $DBFF\n lda $D800\n sta $C000\n rts")
    assert [machine.peek(a) for a in (0xC000, 0xD800, 0xDBFF)] == [0xF5] * 3
    machine.poke(0xD800, 0x03)
    assert machine.peek(0xD800) == 0xF3


def test_peek_has_no_effect_and_poke_reaches_ram(engine: str) -> None:
    machine = C64(prg(FOREVER), engine=engine)
    machine.start()
    machine.registers.p |= 4
    machine.run((), 20_000)
    assert [machine.peek(0xDC0D) for _ in range(3)] == [0x81] * 3
    machine.interrupt("raster")
    assert [machine.peek(0xD019) for _ in range(3)] == [0x71] * 3
    machine.poke(0xE000, 0x12)
    assert machine.peek(0xE000) == 0x02
    machine.poke(1, 0x35)
    assert machine.peek(0xE000) == 0x12
    assert machine.peek(0xDC0D) == 0x81


def test_code_in_a_rom_is_refused(engine: str) -> None:
    for entry, says in (
        (0xE544, "$E544 is in the KERNAL ROM"),
        (0xA871, "$A871 is in the BASIC ROM"),
        (0xFFB1, "$ED0C (LISTEN) is in the KERNAL ROM"),
        (0xFCE2, "(RESET)"),
    ):
        with pytest.raises(EngineFault) as caught:
            run(f"jsr ${entry:04X}\n rts", engine)
        assert says in str(caught.value)
        assert caught.value.kind is FaultKind.OUTSIDE


def test_code_in_the_character_rom_is_refused() -> None:
    with pytest.raises(EngineFault, match=r"\$D000 is in the character ROM"):
        run("sei\n lda #$33\n sta $01\n jmp $D000")


def test_an_opcode_that_stops_the_cpu_in_ram_stays_what_it_is() -> None:
    with pytest.raises(EngineFault) as caught:
        run(".byte $02")
    assert caught.value.kind is FaultKind.JAM


def test_a_program_that_returns_is_in_basic() -> None:
    machine = C64(prg("rts"), engine="plain")
    machine.start()
    with pytest.raises(EngineFault, match="returned to BASIC"):
        machine.run((), LIMIT)


def test_the_budget_ends_a_run(engine: str) -> None:
    machine = C64(prg(FOREVER), engine=engine)
    machine.start()
    assert machine.run((), 1000) is Stop.LIMIT
    assert 1000 <= machine.cycles < 1007
    assert machine.run({ORIGIN}, 1000) is Stop.REACHED


def test_a_run_can_stop_at_a_call_and_then_performs_it(engine: str) -> None:
    machine = C64(prg("lda #$41\n jsr CHROUT\n rts"), engine=engine)
    machine.start()
    for stop in (0xFFD2, 0xF1CA):
        assert machine.run({stop}, LIMIT) is Stop.REACHED
        assert machine.registers.pc == stop
        assert machine.text == ""
    to_the_end(machine)
    assert machine.text == "a"


def test_a_budget_that_ends_at_a_call_leaves_it_for_the_next_run() -> None:
    machine = C64(prg("lda #$41\n jsr CHROUT\n rts"), engine="plain")
    machine.start()
    assert machine.run((), 13) is Stop.LIMIT  # lda, jsr, jmp ($0326)
    assert machine.text == ""
    assert machine.registers.pc == 0xF1CA
    to_the_end(machine)
    assert machine.text == "a"


BUSY = """
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #$7F
        sta $DC0D
        lda #100
        sta $D012
        lda #$1B
        sta $D011
        lda #1
        sta $D01A
        cli
        ldx #0
wait:   lda $D012
        sta $C100,x
        lda $DC04
        eor $D41B
        sta $C200,x
        txa
        jsr CHROUT
        inx
        cpx #100
        bne wait
        sei
        rts
irq:    asl $D019
        inc $C000
        jmp $EA31
"""


def test_engines_agree(engine: str) -> None:
    plain, other = run(BUSY), run(BUSY, engine)
    assert plain.peek(0xC000) > 3
    assert plain.cycles == other.cycles
    assert plain.space.store == other.space.store
    assert plain.text == other.text


def test_a_program_for_the_cpu_alone_does_what_py65_does() -> None:
    pytest.importorskip("py65")
    code = "A203 A000 18 98 7D10C1 9D10C1 2A 48 C8 D0F4 CA D0F0 68 60"
    data = bytes.fromhex(code)
    machine = at(code, fill=0x5A)
    for i in range(4):
        machine.poke(0xC110 + i, i + 1)
    witness = make_engine("py65", "mos6502")
    witness.memory[:] = machine.space.store[:0x10000]
    witness.memory[0:2] = b"\x2f\x37"
    witness.registers.set(machine.registers)
    stop = {0xC000 + len(data) - 1}
    machine.run(stop, LIMIT)
    witness.run(stop, LIMIT)
    assert machine.cycles == witness.cycles
    assert machine.registers == witness.registers
    assert machine.space.store[2:0xA000] == witness.memory[2:0xA000]


def test_a_machine_that_was_saved_goes_on_in_the_same_way(engine: str) -> None:
    machine = C64(prg(BUSY), engine=engine)
    machine.start()
    machine.files["kept"] = b"abc"
    machine.run((), 20_000)
    machine.type("typed")
    machine.press("fire")
    saved, text = machine.save(), machine.text
    ends = []
    for _ in range(2):
        machine.restore(saved)
        assert (machine.text, machine.files) == (text, {"kept": b"abc"})
        machine.files["more"] = b""
        machine.poke(1, 0x34)
        machine.poke(1, 0x37)
        machine.type("again")
        assert machine.peek(0xDC00) & 0x10 == 0
        machine.release("fire")
        to_the_end(machine)
        ends.append(
            (machine.cycles, bytes(machine.space.store), machine.text, machine.registers.copy())
        )
    assert ends[0] == ends[1]


def test_what_was_saved_can_be_restored_in_another_machine(engine: str) -> None:
    first, second = (C64(prg(BUSY), engine=engine) for _ in range(2))
    first.start()
    first.run((), 20_000)
    first.poke(1, 0x33)
    saved = first.save()
    second.run((), 123)
    second.restore(saved)
    assert second.peek(1) == 0x33
    for machine in (first, second):
        machine.poke(1, 0x37)
        machine.interrupt("nmi")
        to_the_end(machine)
    assert first.text == second.text
    assert first.cycles == second.cycles
    assert first.space.store == second.space.store
    assert first.space.signals is not second.space.signals


def test_registers_that_repeat() -> None:
    machine = C64(prg("rts"), engine="plain")
    for address, count in ((0xD020, 16), (0xD7F8, 32), (0xDC0D, 16), (0xDDFE, 16), (0xD800, 1)):
        mirrors = list(machine.mirrors(address))
        assert address in mirrors
        assert len(mirrors) == count
        assert len({machine.peek(m) for m in mirrors}) == 1


def test_banks_of_the_port_come_back_too() -> None:
    machine = C64(prg("rts"), engine="plain")
    saved = machine.save()
    machine.poke(1, 0x34)
    machine.poke(0xA000, 0x11)
    machine.restore(saved)
    assert (machine.peek(1), machine.peek(0xA000)) == (0x37, 0x02)


def test_blocks_that_are_not_writable_are_protected() -> None:
    blocks = [Block("ro", 0xC000, b"\x8d\x00\xc0", writable=False)]
    machine = C64(blocks, engine="plain")
    assert machine.protected[0xBFFF:0xC004] == bytes([0, 1, 1, 1, 0])
    assert machine.executable[:3] == bytes([0, 0, 1])
    machine.registers.pc = 0xC000
    machine.engine.guard = Guard(machine.executable, machine.protected)
    with pytest.raises(EngineFault) as caught:
        machine.run((), 100)
    assert caught.value.kind is FaultKind.ROM_WRITE


def test_what_a_c64_does_not_have() -> None:
    machine = C64(prg("rts"), engine="plain")
    for act, says in (
        (partial(machine.select, 0, 0), "poke(1, value)"),
        (partial(machine.press, "fir"), "did you mean 'fire'"),
        (partial(machine.press, "up", 2), "players 0 and 1"),
        (partial(machine.release, "shift"), "no button 'shift'"),
        (partial(machine.interrupt, "vblank"), "irq, raster, nmi"),
        (partial(machine.type, "\N{SNOWMAN}"), "cannot be typed"),
    ):
        with pytest.raises(BoardError) as caught:
            act()
        assert says in str(caught.value)
    assert machine.banks() == ()


def test_frames_end_where_the_vertical_blank_begins() -> None:
    for name, (lines, cycles, first) in {
        "pal": (312, 63, 300), "ntsc": (263, 65, 13), "ntsc-old": (262, 64, 13),
    }.items():  # fmt: skip
        machine = C64(prg("sei\n" + FOREVER), engine="plain", region=name)
        machine.start()
        assert machine.frame_end() == first * cycles
        machine.run((), first * cycles)
        assert machine.frame_end() == (first + lines) * cycles
        assert REGIONS[name].frame == lines * cycles
