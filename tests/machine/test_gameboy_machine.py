"""A whole Game Boy: the state it starts in, its memory, and ways to run it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from gameboy_programs import LIMIT, MAIN, cartridge

from romproof.engine.engines import ENGINES
from romproof.engine.protocol import EngineFault, FaultKind, Stop
from romproof.machine.gameboy import boot
from romproof.machine.gameboy.header import read_header
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import FILL, GameBoy
from romproof.machine.gameboy.model import DMG
from romproof.machine.gameboy.verdict import run_mooneye

FOREVER = "forever:\n jr forever"


Start = Callable[..., GameBoy]


@pytest.fixture(params=[name for name, row in ENGINES.items() if row.refusal("sm83") is None])
def start(request: pytest.FixtureRequest) -> Start:
    """GameBoy with each engine that can be used here."""
    return partial(GameBoy, engine=request.param)


def test_the_registers_after_the_boot_rom(start: Start) -> None:
    r = start(cartridge("nop")).registers
    found = (r.a, r.f, r.b, r.c, r.d, r.e, r.h, r.l, r.sp, r.pc, r.ime)
    assert found == (0x01, 0xB0, 0x00, 0x13, 0x00, 0xD8, 0x01, 0x4D, 0xFFFE, 0x0100, 0)


def test_the_flags_after_the_boot_rom_come_from_the_header() -> None:
    rom = bytearray(cartridge("nop"))
    rom[0x14D] = 0
    assert boot.registers(read_header(bytes(rom)), DMG).f == 0x80


def test_the_io_registers_after_the_boot_rom(start: Start) -> None:
    """Values measured on a DMG; what depends on the moment is left out."""
    game = start(cartridge("nop"))
    expected = {
        0x00: "CF 00 7E FF AB 00 00 F8 FF FF FF FF FF FF FF E1",
        0x10: "80 BF F3 FF BF FF 3F 00 FF BF 7F FF 9F FF BF FF",
        0x20: "FF 00 00 BF 77 F3 F1 FF FF FF FF FF FF FF FF FF",
        0x40: "91 85 00 00 00 00 FF FC FF FF 00 00 FF FF FF FF",
    }
    for start, values in expected.items():
        found = bytes(game.peek(0xFF00 + start + i) for i in range(16))
        assert found == bytes.fromhex(values), f"${start:02X}"
    assert all(game.peek(address) == 0xFF for address in range(0xFF50, 0xFF80))
    assert game.peek(0xFFFF) == 0x00


def test_memory_that_nobody_wrote_to(start: Start) -> None:
    game = start(cartridge("nop"), fill=0x33)
    assert {game.peek(a) for a in (0xC000, 0xDFFF, 0xFE00, 0xFF30, 0xFF80, 0xFFFE)} == {0x33}
    assert game.peek(0x8000) == 0, "the boot ROM clears VRAM"
    assert start(cartridge("nop")).peek(0xC000) == FILL


def play(start: Start, main: str, parts: dict[int, str] | None = None) -> GameBoy:
    game = start(cartridge(f"{main}\n ld b, b", parts))
    assert game.run_to_breakpoint(LIMIT)
    return game


@pytest.mark.parametrize(
    ("written", "seen"),
    [(0x8000, 0x8000), (0xC123, 0xE123), (0xFDFF, 0xDDFF), (0xFF80, 0xFF80), (0xFFFE, 0xFFFE)],
)
def test_memory_and_its_echo(start: Start, written: int, seen: int) -> None:
    assert play(start, f"ld a, $77\n ld [{written}], a").peek(seen) == 0x77


@pytest.mark.parametrize(
    ("address", "value", "read"),
    [
        (0xFF03, 0x00, 0xFF),
        (0xFF4C, 0x00, 0xFF),
        (0xFF7F, 0x00, 0xFF),
        (0xFEA0, 0x77, 0x00),
        (0xFF0F, 0x00, 0xE0),
        (0xFF0F, 0xFF, 0xFF),
        (0xFFFF, 0xE3, 0xE3),
        (0xFF07, 0x00, 0xF8),
        (0xFF02, 0x00, 0x7E),
        (0xFF00, 0xFF, 0xFF),
        (0xFF10, 0x00, 0x80),
        (0xFF1C, 0x00, 0x9F),
        (0xFF13, 0x12, 0xFF),
        (0xFF26, 0xFF, 0xF0),
        (0xFF26, 0x00, 0x70),
        (0xFF30, 0x12, 0x12),
        (0xFF44, 0x77, 0x00),
    ],
)
def test_bits_that_do_not_exist(start: Start, address: int, value: int, read: int) -> None:
    game = play(
        start, f"ld a, 0\n ldh [$40], a\n ld a, {value}\n ld [{address}], a\n ld a, [{address}]"
    )
    assert game.registers.a == read


def test_while_the_sound_is_off_its_registers_are_zero(start: Start) -> None:
    main = "ld a, 0\n ldh [$26], a\n ld a, $33\n ldh [$24], a\n ldh [$30], a\n"
    game = play(start, main)
    assert [game.peek(a) for a in (0xFF11, 0xFF24, 0xFF25, 0xFF30)] == [0x3F, 0, 0, 0x33]
    on = "ld a, $80\n ldh [$26], a\n ld a, $44\n ldh [$24], a"
    assert play(start, main + on).peek(0xFF24) == 0x44


def test_what_is_sent_over_the_serial_port(start: Start) -> None:
    game = start(
        cartridge(f"""
            ld hl, text
        next:
            ld a, [hl+]
            and a, a
            jr z, forever
            ldh [$01], a
            ld a, $81
            ldh [$02], a
        wait:
            ldh a, [$02]
            bit 7, a
            jr nz, wait
            jr next
        {FOREVER}
        text:
            db $48
            db $69
            db 0
        """)
    )
    assert game.run_until(lambda g: b"Hi" in g.serial, LIMIT)
    assert game.serial == b"Hi"
    assert not game.run_until(lambda g: b"Ho" in g.serial, 10_000)


def test_run_stops_at_an_address_or_after_so_many_cycles(start: Start) -> None:
    game = start(cartridge("nop\n nop\n nop\n" + FOREVER))
    assert game.run(LIMIT, {MAIN + 2}) is Stop.REACHED
    assert (game.registers.pc, game.cycles) == (MAIN + 2, 1 + 4 + 2)
    assert game.run(100) is Stop.LIMIT
    assert 107 <= game.cycles < 107 + 3


def test_the_breakpoint_may_be_in_ram(start: Start) -> None:
    game = start(
        cartridge("""
            ld a, $40
            ld [$C000], a
            ld bc, $4040
            ld hl, 3000
        wait:
            dec hl
            ld a, h
            or a, l
            jr nz, wait
            jp $C000
        """)
    )
    assert game.run_to_breakpoint(LIMIT)
    assert (game.registers.pc, game.registers.b) == (0xC000, 0x40)
    assert not start(cartridge("ld bc, $4040\n" + FOREVER)).run_to_breakpoint(3 * FRAME)


def test_an_interrupt_is_served_and_comes_back(start: Start) -> None:
    game = play(
        start,
        """
            ld a, 4
            ldh [$FF], a
            ld a, 0
            ldh [$0F], a
            ld a, $F0
            ldh [$05], a
            ld a, 5
            ldh [$07], a
            ei
            halt
            nop
            ldh a, [$0F]
        """,
        {0x50: "ld d, 99\n reti"},
    )
    assert (game.registers.d, game.registers.a, game.registers.ime) == (99, 0xE0, 1)
    assert game.registers.sp == 0xFFFE


def test_ei_pushes_over_ie_cancel_an_interrupt(start: Start) -> None:
    """The high byte of the return address goes to IE, where it clears the bit: $0000."""
    game = start(
        cartridge(
            """
            ld a, 0
            ldh [$0F], a
            ld a, 4
            ldh [$FF], a
            ld sp, $0000
            ei
            nop
            ldh [$0F], a
            nop
            """,
            {0x00: "ld b, b"},
        )
    )
    assert game.run_to_breakpoint(LIMIT)
    assert game.registers.pc == 0
    assert (game.peek(0xFFFF), game.peek(0xFF0F)) == (MAIN >> 8, 0xE4)


def test_an_opcode_that_locks_up_the_cpu(start: Start) -> None:
    game = start(cartridge("db $D3"))
    with pytest.raises(EngineFault) as caught:
        game.run(LIMIT)
    assert (caught.value.kind, caught.value.address) == (FaultKind.JAM, MAIN)


def test_div_goes_on_from_where_the_boot_rom_left_it(start: Start) -> None:
    """The reads are in M-cycles 13 and 12 after the boot ROM; $AC begins at 13."""
    assert play(start, "nop\n" * 6 + "ldh a, [$04]").registers.a == 0xAC
    assert play(start, "nop\n" * 5 + "ldh a, [$04]").registers.a == 0xAB


def test_a_test_that_never_ends_has_no_verdict(start: Start) -> None:
    assert run_mooneye(start(cartridge(FOREVER)), 2 * FRAME) is None
