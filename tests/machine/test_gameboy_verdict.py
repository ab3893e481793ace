"""Reading what test programs say, and what they cannot be expected to say."""

from __future__ import annotations

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.engine.registers import Sm83Registers
from romproof.formats.layout import GameBoyModel
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.limits import limit, models_of
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.verdict import (
    GameBoyVerdict,
    blargg_memory,
    blargg_screen,
    blargg_serial,
    mooneye,
    run_blargg,
    run_mooneye,
)


def test_mooneye_speaks_through_the_registers() -> None:
    assert mooneye(Sm83Registers(b=3, c=5, d=8, e=13, h=21, l=34)) == GameBoyVerdict(True)
    assert mooneye(Sm83Registers(b=66, c=66, d=66, e=66, h=66, l=66)) == GameBoyVerdict(False)
    assert mooneye(Sm83Registers(b=3, c=5, d=8, e=13, h=21, l=35)) is None


def test_a_mooneye_test_goes_on_behind_other_breakpoints() -> None:
    for numbers, passed in (((3, 5, 8, 13, 21, 34), True), ((66,) * 6, False)):
        loads = "\n".join(f"ld {r}, {n}" for r, n in zip("bcdehl", numbers, strict=True))
        game = GameBoy(cartridge(f"ld b, b\n{loads}\n ld b, b"))
        assert run_mooneye(game, LIMIT) == GameBoyVerdict(passed)


@pytest.mark.parametrize(
    ("sent", "verdict"),
    [
        (b"01-special\n\n", None),
        (b"01-special\n\nPassed\n", GameBoyVerdict(True, "01-special\n\nPassed\n")),
        (b"03-x\n\nFailed #2\n", GameBoyVerdict(False, "03-x\n\nFailed #2\n")),
        (b"Passed 1\nFailed 2 tests", GameBoyVerdict(False, "Passed 1\nFailed 2 tests")),
    ],
)
def test_blargg_on_the_serial_port(sent: bytes, verdict: GameBoyVerdict | None) -> None:
    assert blargg_serial(sent) == verdict


@pytest.mark.parametrize(
    ("memory", "verdict"),
    [
        (b"\x00\xde\xb0\x61Passed\0", GameBoyVerdict(True, "Passed")),
        (b"\x03\xde\xb0\x61Bad\0", GameBoyVerdict(False, "Bad")),
        (b"\x80\xde\xb0\x61Passed\0", None),
        (b"\x00\xde\xb0\x62Passed\0", None),
    ],
)
def test_blargg_in_memory(memory: bytes, verdict: GameBoyVerdict | None) -> None:
    assert blargg_memory(lambda at: memory[at - 0xA000]) == verdict


def test_blargg_on_the_screen() -> None:
    rows = {0x9800: b"halt bug", 0x9840: b"Passed" + b" " * 14 + b"beside it"}
    screen = {start + i: byte for start, row in rows.items() for i, byte in enumerate(row)}
    assert blargg_screen(lambda at: screen.get(at, 0x20)) == GameBoyVerdict(
        True, "halt bug\n\nPassed"
    )
    assert blargg_screen(lambda at: 0x20) is None


WRITE = """
    ld a, $0A
    ld [$0000], a
    ld a, 0
    ldh [$40], a        ; with the LCD off VRAM can be written at any time
    ld hl, text
    ld de, {to}
next:
    ld a, [hl+]
    ld [de], a
    inc de
    and a, a
    jr nz, next
    {last}
forever:
    jr forever
text:
{bytes}
"""


@pytest.mark.parametrize(
    ("to", "last", "data"),
    [
        ("$A001", "ld [$A000], a", b"\xde\xb0\x61Passed\0"),
        ("$9800", "nop", b"Passed\0"),
    ],
)
def test_a_blargg_test_is_read_wherever_it_writes(to: str, last: str, data: bytes) -> None:
    text = "\n".join(f"db {byte}" for byte in data)
    game = GameBoy(cartridge(WRITE.format(to=to, last=last, bytes=text), kind=0x03, ram=2))
    verdict = run_blargg(game, 10 * FRAME)
    assert verdict is not None
    assert verdict.passed
    assert verdict.text.startswith("Passed")
    assert game.cycles < 3 * FRAME


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("acceptance/boot_div-dmgABCmgb.gb", None),
        ("acceptance/di_timing-GS.gb", None),
        ("acceptance/add_sp_e_timing.gb", None),
        ("cpu_instrs/individual/03-op sp,hl.gb", None),
        ("acceptance/boot_div-dmg0.gb", "for another model: an early DMG"),
        ("acceptance/boot_hwio-S.gb", "for another model: the Super Game Boy"),
        ("acceptance/boot_regs-mgb.gb", "for another model: the Game Boy Pocket"),
        ("misc/boot_div-cgbABCDE.gb", None),
        ("misc/boot_div-cgb0.gb", "for another model: an early Game Boy Color"),
        ("same-suite/sgb/command_mlt_req.gb", "for another model: the Super Game Boy"),
        ("same-suite/apu/div_write_trigger.gb", "needs sound"),
        ("same-suite/dma/gbc_dma_cont.gb", None),
        ("age-test-roms/ly/ly-ncmE.gb", None),
        ("misc/boot_div-A.gb", "for another model: the Game Boy Advance"),
        ("dmg_sound/rom_singles/01-registers.gb", "needs sound"),
    ],
)
def test_which_tests_cannot_pass(path: str, reason: str | None) -> None:
    assert limit(path) == reason


DMG, CGB, CGB_E = GameBoyModel


@pytest.mark.parametrize(
    ("path", "models"),
    [
        ("acceptance/add_sp_e_timing.gb", (DMG, CGB, CGB_E)),
        ("acceptance/di_timing-GS.gb", (DMG,)),
        ("acceptance/boot_div-dmgABCmgb.gb", (DMG,)),
        ("acceptance/boot_div-dmg0.gb", ()),
        ("acceptance/boot_hwio-S.gb", ()),
        ("misc/boot_regs-cgb.gb", (CGB, CGB_E)),
        ("misc/ppu/vblank_stat_intr-C.gb", (CGB, CGB_E)),
        ("misc/boot_div-A.gb", ()),
        ("misc/boot_div-cgb0.gb", ()),
        ("age-test-roms/halt/ei-halt-dmgC-cgbBCE.gb", (DMG, CGB, CGB_E)),
        ("age-test-roms/ly/ly-dmgC-cgbBC.gb", (DMG, CGB)),
        ("age-test-roms/ly/ly-ncmE.gb", (CGB_E,)),
        ("same-suite/dma/hdma_mode0.gb", (CGB, CGB_E)),
        ("gbmicrotest/int_timer_halt.gb", (DMG,)),
        ("cpu_instrs/individual/03-op sp,hl.gb", (DMG,)),
        ("interrupt_time/interrupt_time.gb", (CGB, CGB_E)),
    ],
)
def test_which_models_a_test_is_for(path: str, models: tuple[GameBoyModel, ...]) -> None:
    assert models_of(path) == models
