"""OAM and the DMA that fills it."""

from __future__ import annotations

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.engine.space import Signals
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.header import read_header
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.memory import GameBoyMemory
from romproof.machine.gameboy.oam import DMA, OamDma

FILL = 0x5A
OAM, LAST = 0xFE00, 0xFE9F


def machine(kind: int = 0, ram: int = 0) -> tuple[GameBoyMemory, OamDma]:
    """WRAM holds, at every address, the sum of its two bytes. The LCD is off."""
    rom = cartridge("nop", kind=kind, ram=ram)
    memory = GameBoyMemory(read_header(rom), rom, FILL)
    for address in range(0xC000, 0xE000):
        memory.space.store[memory.space.write_pages[address >> 8] + (address & 0xFF)] = (
            address + (address >> 8) & 0xFF
        )
    lines = LineCounter(Signals(), memory)
    lines.write(0xFF40, 0, 0)
    return memory, OamDma(memory, lines)


def test_oam_is_memory_while_nothing_is_copied() -> None:
    memory, dma = machine()
    dma.write(LAST, 0x77, 5)
    assert (dma.read(OAM, 6), dma.read(LAST, 6), memory.oam[0x9F]) == (FILL, 0x77, 0x77)


def test_what_follows_oam_is_nothing() -> None:
    _, dma = machine()
    dma.write(0xFEA0, 0x77, 5)
    assert (dma.read(0xFEA0, 6), dma.read(0xFEFF, 6)) == (0, 0)


def test_oam_is_out_of_reach_from_the_second_cycle_on_for_160_cycles() -> None:
    _, dma = machine()
    dma.write(DMA, 0xC1, 100)
    assert dma.due() == 102
    seen = [dma.read(OAM, cycle) for cycle in (101, 102, 261, 262)]
    assert seen == [FILL, 0xFF, 0xFF, 0xC1]
    dma.write(DMA, 0xC2, 300)
    dma.write(OAM, 0x77, 400)
    assert dma.read(OAM, 462) == 0xC2


def test_a_second_write_starts_anew_while_the_first_goes_on() -> None:
    _, dma = machine()
    dma.write(DMA, 0xC1, 100)
    dma.write(DMA, 0xC2, 200)
    assert [dma.read(OAM, cycle) for cycle in (201, 202, 361, 362)] == [0xFF, 0xFF, 0xFF, 0xC2]


@pytest.mark.parametrize(
    ("second", "seen"), [(260, [0xFF, 0xFF]), (261, [0xC1, 0xFF]), (262, [0xC1, 0xFF])]
)
def test_between_two_transfers_oam_can_be_reached(second: int, seen: list[int]) -> None:
    _, dma = machine()
    dma.write(DMA, 0xC1, 100)
    dma.write(DMA, 0xC2, second)
    assert [dma.read(OAM, second + 1), dma.read(OAM, second + 2)] == seen


def test_the_source_is_read_when_the_copy_begins() -> None:
    memory, dma = machine()
    dma.write(DMA, 0xC1, 100)
    dma.advance(102)
    memory.space.store[memory.space.write_pages[0xC1]] = 0x99
    assert dma.read(OAM, 300) == 0xC1


@pytest.mark.parametrize(
    ("page", "source"), [(0x01, 0x0100), (0xDF, 0xDF00), (0xE1, 0xC100), (0xFE, 0xDE00)]
)
def test_the_sources(page: int, source: int) -> None:
    """Beyond WRAM is WRAM once more, at $FE00 and $FF00 too."""
    memory, dma = machine()
    dma.write(DMA, page, 0)
    copied = [dma.read(address, 200) for address in range(OAM, LAST + 1)]
    assert copied == [memory.space.peek(source + i) for i in range(160)]
    assert dma.read(DMA, 200) == page


def test_cartridge_ram_must_be_enabled_to_be_copied() -> None:
    memory, dma = machine(kind=0x03, ram=2)
    memory.cartridge_ram[0] = 0x33
    dma.write(DMA, 0xA0, 0)
    assert dma.read(OAM, 200) == 0xFF
    memory.write(0x0000, 0x0A, 201)
    dma.write(DMA, 0xA0, 300)
    assert dma.read(OAM, 500) == 0x33


def test_a_program_that_waits_in_hram() -> None:
    """OAM is filled 162 M-cycles after the write, and not one earlier."""
    game = GameBoy(
        cartridge("""
            ld a, 0
            ldh [$40], a        ; the LCD is off: OAM is not hidden by what it draws
            ld hl, $C100
        fill:
            ld a, l
            ld [hl+], a
            ld a, l
            cp a, $A0
            jr nz, fill
            ld hl, $FF80
            ld de, routine
            ld b, 12
        copy:
            ld a, [de]
            ld [hl+], a
            inc de
            dec b
            jr nz, copy
            ld hl, $FE9F
            jp $FF80
        routine:
            ld a, $C1
            ld b, 40
            ldh [$46], a
        wait:
            dec b
            jr nz, wait         ; 159 M-cycles
            ld d, [hl]          ; reads 161 after the write
            ld e, [hl]
            ld b, b
        """)
    )
    assert game.run_to_breakpoint(LIMIT)
    assert (game.registers.d, game.registers.e) == (0xFF, 0x9F)
    assert [game.peek(OAM + i) for i in range(160)] == list(range(160))


CONFLICT = """
    ld a, 0
    ldh [$40], a
    ld hl, $C100
fill:
    ld a, 0             ; nop
    ld [hl+], a
    ld a, l
    cp a, $A0
    jr nz, fill
    ld a, $3C           ; inc a, which the CPU fetches while it is copied
    ld [$C100], a
    ld [$C101], a
    ld [$C102], a
    ld a, $18           ; jr: its distance is the byte that comes next
    ld [$C103], a
    ld a, $46
    ld [$C104], a
    ld a, $C1
    ldh [$46], a
    nop
    db $E2              ; from here on: not what is in ROM
    db $E2
    db $E2
    db $E2
    db $E2
"""


@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_code_outside_of_hram_executes_what_is_copied(engine: str) -> None:
    """Source and code share the bus (Pan Docs, "OAM DMA Transfer")."""
    game = GameBoy(cartridge(CONFLICT), engine)
    while game.peek(DMA) != 0xC1:
        game.run(1)
    start = game.registers.pc
    game.run(1)
    assert (game.registers.pc, game.registers.a) == (start + 1, 0xC1)
    game.run(3)
    assert (game.registers.pc, game.registers.a) == (start + 4, 0xC4)
    game.run(1)
    assert game.registers.pc == start + 6 + 0x46
    game.run(158)
    space = game.memory.space
    assert not space.has(game.bus)
    assert bytes(space.actions[0x150:0x200]) == bytes(cartridge_actions()[0x150:0x200])
    assert [game.peek(OAM + i) for i in range(5, 160)] == [0] * 155


def cartridge_actions() -> bytearray:
    return GameBoy(cartridge("nop"), "plain").memory.space.actions


def test_the_other_bus_and_hram_are_free() -> None:
    """VRAM has a bus of its own; and code in HRAM finds none in use."""
    from_vram = CONFLICT.replace("ld a, $C1\n    ldh", "ld a, $80\n    ldh").replace("$E2", "$04")
    game = GameBoy(cartridge(from_vram), "plain")
    while game.peek(DMA) != 0x80:
        game.run(1)
    b = game.registers.b
    game.run(6)
    assert game.registers.b == b + 5
    assert game.memory.space.actions[0x9000]
    assert not game.memory.space.actions[0xC000]


def test_a_state_is_put_back_with_the_bus_that_a_copy_uses() -> None:
    board = GameBoyBoard(cartridge(CONFLICT), "plain")
    free = board.save()
    while board.peek(DMA) != 0xC1:
        board.run((), 1)
    busy = board.save()
    space = board.space
    assert space.has(board.machine.bus)
    board.restore(free)
    assert not space.has(board.machine.bus)
    board.restore(busy)
    assert space.has(board.machine.bus)
    a = board.machine.registers.a
    board.run((), 4)
    assert board.machine.registers.a == a + 3
