"""Which bank a cartridge's controller puts where, and what cartridge RAM does."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.mappers import Banks, Mapper, Mbc1, Mbc2, Mbc3, Mbc5
from romproof.machine.gameboy.rtc import SECOND, RealTimeClock
from romproof.machine.gameboy.speed import Speed

Writes = Iterable[tuple[int, int]]
ENABLE = (0x0000, 0x0A)


def after(mapper: Mapper, writes: Writes) -> Banks:
    for address, value in writes:
        mapper.write(address, value, 0)
    return mapper.banks(0)


@pytest.mark.parametrize(
    ("writes", "expected"),
    [
        ([], Banks(0, 1)),
        ([(0x2000, 0x00)], Banks(0, 1)),
        ([(0x3FFF, 0xE5)], Banks(0, 5)),
        ([(0x2000, 0x12), (0x4000, 0xFF)], Banks(0, 0x72)),
        ([(0x4000, 1)], Banks(0, 0x21)),  # $20 cannot be had at $4000 ...
        ([(0x4000, 1), (0x6000, 1)], Banks(0x20, 0x21)),  # ... but at $0000
        ([(0x1FFF, 0xFA), (0x4000, 2)], Banks(0, 0x41, 0)),
        ([ENABLE, (0x4000, 2), (0x7FFF, 1)], Banks(0x40, 0x41, 2)),
        ([ENABLE, (0x0000, 0x0B)], Banks(0, 1)),
    ],
)
def test_mbc1(writes: Writes, expected: Banks) -> None:
    assert after(Mbc1(), writes) == expected


def test_mbc1_in_a_multicart() -> None:
    assert after(Mbc1(multicart=True), [(0x2000, 0x12), (0x4000, 3)]) == Banks(0, 0x32)
    # 0 of five bits is taken for 1, 16 is not
    assert after(Mbc1(multicart=True), [(0x2000, 0x10), (0x4000, 1)]) == Banks(0, 0x10)


@pytest.mark.parametrize(
    ("writes", "expected"),
    [
        ([(0x0000, 0x03)], Banks(0, 1)),
        ([(0x0100, 0x13)], Banks(0, 3)),
        ([(0x3F00, 0x00)], Banks(0, 1)),
        ([(0x3EFF, 0x0A)], Banks(0, 1, 0)),
        ([(0x0100, 0x0A), (0x4100, 0x07)], Banks(0, 10)),
    ],
)
def test_mbc2_tells_its_registers_apart_by_bit_8(writes: Writes, expected: Banks) -> None:
    assert after(Mbc2(), writes) == expected


@pytest.mark.parametrize(
    ("writes", "expected"),
    [
        ([(0x2000, 0xFF)], Banks(0, 0x7F)),
        ([(0x2000, 0x00)], Banks(0, 1)),
        ([ENABLE, (0x4000, 3)], Banks(0, 1, 3)),
        ([ENABLE, (0x4000, 8)], Banks(0, 1)),
    ],
)
def test_mbc3(writes: Writes, expected: Banks) -> None:
    assert after(Mbc3(None, large=False), writes) == expected


@pytest.mark.parametrize(
    ("writes", "expected"),
    [
        ([(0x2000, 0x00)], Banks(0, 0)),
        ([(0x2FFF, 0xFE), (0x3000, 0xFF)], Banks(0, 0x1FE)),
        ([ENABLE, (0x5FFF, 0x1F)], Banks(0, 1, 15)),
        ([(0x0000, 0xFA)], Banks(0, 1)),
    ],
)
def test_mbc5(writes: Writes, expected: Banks) -> None:
    assert after(Mbc5(), writes) == expected


def play(main: str, **equipment: int) -> GameBoy:
    game = GameBoy(cartridge(f"{main}\n ld b, b", **equipment))
    assert game.run_to_breakpoint(LIMIT)
    return game


def bank_at(game: GameBoy, end: int) -> int:
    return game.peek(end - 2) | game.peek(end - 1) << 8


@pytest.mark.slow_cases("1-8-3")
@pytest.mark.parametrize(("kind", "banks", "bank"), [(0x01, 8, 3), (0x11, 8, 3), (0x19, 4, 3)])
def test_banks_wrap_around_at_the_size_of_the_rom(kind: int, banks: int, bank: int) -> None:
    game = play(f"ld a, {banks + bank}\n ld [$2000], a", kind=kind, banks=banks)
    assert (bank_at(game, 0x4000), bank_at(game, 0x8000)) == (0, bank)


@pytest.mark.slow
def test_all_512_banks_of_mbc5() -> None:
    game = play("ld a, 1\n ld [$3000], a\n ld a, $85\n ld [$2000], a", kind=0x19, banks=512)
    assert bank_at(game, 0x8000) == 0x185


def test_without_a_controller_writes_to_rom_do_nothing() -> None:
    game = play("ld a, 0\n ld [$2000], a\n ld [$7FFE], a\n ld [$3FFE], a")
    assert (bank_at(game, 0x4000), bank_at(game, 0x8000)) == (0, 1)


STORE = """
    ld a, $77
    ld [$A000], a
    ld a, [$A000]
    ldh [$80], a
"""


def test_ram_that_is_not_enabled_reads_as_ff_and_keeps_nothing() -> None:
    enabled = f"ld a, $0A\n ld [$0000], a\n{STORE} ld a, 0\n ld [$0000], a"
    for main, in_ram, read in ((STORE, 0xFF, 0xFF), (enabled, 0x77, 0x77)):
        game = play(main, kind=0x03, ram=2)
        assert (game.cartridge_ram[0], game.peek(0xFF80), game.peek(0xA000)) == (in_ram, read, 0xFF)


def test_a_cartridge_without_ram() -> None:
    game = play(f"ld a, $0A\n ld [$0000], a\n{STORE}", kind=0x01)
    assert (len(game.cartridge_ram), game.peek(0xFF80)) == (0, 0xFF)


def test_banks_of_ram() -> None:
    main = "ld a, $0A\n ld [$0000], a\n"
    for bank in (0, 1, 2, 3, 5):
        main += f"ld a, {bank}\n ld [$4000], a\n ld a, ${bank:x}0\n ld [$B000], a\n"
    game = play(main, kind=0x1B, ram=3)
    found = [game.cartridge_ram[bank * 0x2000 + 0x1000] for bank in range(4)]
    assert found == [0x00, 0x50, 0x20, 0x30]  # bank 5 of 4 is bank 1


def test_two_kilobytes_of_ram_are_seen_four_times() -> None:
    game = play("ld a, $42\n ld [$BFFF], a", kind=0x08, ram=1)
    assert [game.peek(a) for a in (0xA7FF, 0xAFFF, 0xB7FF, 0xBFFF)] == [0x42] * 4


def test_mbc2_keeps_half_bytes_and_repeats_them() -> None:
    game = play(f"ld a, $0A\n ld [$0000], a\n{STORE}", kind=0x06)
    assert game.peek(0xFF80) == 0xF7
    assert game.peek(0xBE00) == 0xF7
    assert len(game.cartridge_ram) == 512


@pytest.mark.slow
def test_the_clock_of_mbc3_is_latched() -> None:
    latch = "ld a, 0\n ld [$6000], a\n ld a, 1\n ld [$6000], a"
    game = GameBoy(
        cartridge(f"""
            ld a, $0A
            ld [$0000], a
            ld a, 8
            ld [$4000], a
            ld a, 58
            ld [$A000], a
            {latch}
            ld b, b
            {latch}
            ld b, b
        """, kind=0x10, ram=2)
    )  # fmt: skip
    assert game.run_to_breakpoint(LIMIT)
    assert game.peek(0xA000) == 58
    game.engine.cycles += 3 * SECOND
    assert game.peek(0xA000) == 58, "not before it is latched again"
    assert game.run_to_breakpoint(LIMIT)
    assert game.peek(0xBFFF) == 1
    assert bytes(game.cartridge_ram[:2]) == b"\xff\xff", "the clock is no RAM"


def read_clock(clock: RealTimeClock, cycle: int) -> list[int]:
    clock.latch(cycle)
    return [clock.register(register) for register in range(8, 13)]


def test_the_clock_counts_and_overflows() -> None:
    clock = RealTimeClock(Speed())
    for register, value in ((8, 59), (9, 59), (10, 23), (11, 0xFF), (12, 0)):
        clock.write(register, value, 0)
    assert read_clock(clock, SECOND - 1) == [59, 59, 23, 0xFF, 0]
    assert read_clock(clock, SECOND) == [0, 0, 0, 0, 1]
    clock.write(11, 0xFF, SECOND)
    assert read_clock(clock, 86401 * SECOND) == [0, 0, 0, 0, 0x80]
    clock.write(12, 0, 86401 * SECOND)
    assert read_clock(clock, 86402 * SECOND) == [1, 0, 0, 0, 0]


def test_the_clock_can_be_halted() -> None:
    clock = RealTimeClock(Speed())
    clock.write(12, 0x40, 5 * SECOND)
    assert read_clock(clock, 100 * SECOND) == [5, 0, 0, 0, 0x40]
    clock.write(12, 0, 100 * SECOND)
    assert read_clock(clock, 102 * SECOND) == [7, 0, 0, 0, 0]
    assert clock.register(13) == 0xFF
