"""What leaves a Game Boy and is only written down: a motor, packets for a Super Game Boy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.engine.engines import ENGINES
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.mappers import Banks, HuC1, Mbc5, Motor

ENGINE_NAMES = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]
RUMBLE = 0x1E


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_motor_of_an_mbc5(engine: str) -> None:
    """Bit 3 of the register for banks of RAM (Pan Docs, "MBC5")."""
    writes = "".join(f"ld a, {value}\n ld [$4000], a\n" for value in (1, 9, 8, 0, 0x0B))
    rom = cartridge(f"{writes} ld b, b", kind=RUMBLE, ram=3)
    game = GameBoy(rom, engine)
    assert game.run_to_breakpoint(LIMIT)
    assert [on for _, on in game.rumble] == [True, False, True]
    cycles = [cycle for cycle, _ in game.rumble]
    assert [later - cycle for cycle, later in pairwise(cycles)] == [12, 6]
    assert game.memory._mapper.banks(0) == Banks(0, 1)
    game = GameBoy(cartridge(f"{writes} ld b, b", kind=0x1B, ram=4), engine)
    assert game.run_to_breakpoint(LIMIT)
    assert game.rumble == ()


def test_a_motor_takes_a_bit_of_the_bank() -> None:
    for motor, bank in ((None, 0x0F), (Motor(), 7)):
        mapper = Mbc5(motor)
        for address, value in ((0x0000, 0x0A), (0x4000, 0x0F)):
            mapper.write(address, value, 0)
        assert mapper.banks(0) == Banks(0, 1, bank)


@pytest.mark.parametrize(
    ("writes", "expected"),
    [
        ([], Banks(0, 1, 0)),
        ([(0x2000, 0x3F), (0x4000, 3)], Banks(0, 0x3F, 3)),
        ([(0x2000, 0x40)], Banks(0, 1, 0)),
        ([(0x0000, 0x0E)], Banks(0, 1, None, 0xC0)),
        ([(0x0000, 0x0E), (0x0000, 0x00)], Banks(0, 1, 0)),
        ([(0x0000, 0x00), (0x6000, 1)], Banks(0, 1, 0)),
    ],
)
def test_huc1(writes: Iterable[tuple[int, int]], expected: Banks) -> None:
    """RAM cannot be switched off, infrared can be put in its place (Pan Docs, "HuC1")."""
    mapper = HuC1()
    for address, value in writes:
        mapper.write(address, value, 0)
    assert mapper.banks(0) == expected


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_infrared_of_an_huc1_sees_nothing(engine: str) -> None:
    main = """
        ld a, $55
        ld [$A000], a
        ld a, $0E
        ld [$0000], a
        ld a, 1
        ld [$A000], a
        ld a, [$A000]
        ld b, a
        ld a, $0A
        ld [$0000], a
        ld a, [$A000]
        ld b, b
    """
    game = GameBoy(cartridge(main, kind=0xFF, ram=3), engine)
    assert game.run_to_breakpoint(LIMIT)
    assert (game.registers.b, game.registers.a) == (0xC0, 0x55)
    board = GameBoyBoard(cartridge(main, kind=0xFF, ram=3))
    board.select(2, 3)
    assert board.banks() == (0, 1, 3)


def packet(data: bytes, stop: int = 0x20) -> list[int]:
    """What is written to P1 for a packet (Pan Docs, "Command Packet Transfers")."""
    writes = [0x00, 0x30]
    for byte in data:
        for bit in range(8):
            writes += [0x10 if byte >> bit & 1 else 0x20, 0x30]
    return [*writes, stop, 0x30]


def sending(writes: list[int], engine: str) -> GameBoy:
    """A program that writes to P1 what stands from $4000 on."""
    main = f"""
        ld hl, $4000
        ld de, {len(writes)}
    next:
        ld a, [hl+]
        ldh [$00], a
        dec de
        ld a, d
        or a, e
        jr nz, next
        ld b, b
    """
    rom = bytearray(cartridge(main))
    rom[0x4000 : 0x4000 + len(writes)] = bytes(writes)
    game = GameBoy(bytes(rom), engine)
    assert game.run_to_breakpoint(LIMIT)
    return game


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_packets_for_a_super_game_boy(engine: str) -> None:
    first, second = bytes([0x89, 1, *range(14)]), bytes(range(0xF0, 0x100))
    game = sending([*packet(first), 0x10, 0x30, 0x20, 0x30, *packet(second)], engine)
    assert [sent.data for sent in game.sgb_packets] == [first, second]
    cycles = [sent.cycle for sent in game.sgb_packets]
    assert cycles == sorted(cycles)
    assert cycles[-1] < game.cycles


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_what_is_no_packet(engine: str) -> None:
    data = bytes(range(16))
    assert sending(packet(data, stop=0x10), engine).sgb_packets == (), "the last bit must be 0"
    assert sending(packet(data)[1:], engine).sgb_packets == (), "nothing has begun"
    again = packet(data)[:100] + packet(data)
    assert [sent.data for sent in sending(again, engine).sgb_packets] == [data]
    assert sending([0x20, 0x30, 0x10, 0x30] * 200, engine).sgb_packets == ()


def test_logs_are_part_of_a_state() -> None:
    board = GameBoyBoard(cartridge("nop", kind=RUMBLE, ram=3))
    saved = board.save()
    board.machine.memory.space.write_call(0x4000, 8, 5)
    assert board.machine.rumble == ((5, True),)
    board.restore(saved)
    assert board.machine.rumble == ()
