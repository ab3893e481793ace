"""What test programs for the NES say, from programs that say it."""

from __future__ import annotations

import pytest
from nes_programs import nes_with, put

from romproof.engine.engines import choose_engine
from romproof.machine.nes.limits import limit
from romproof.machine.nes.verdict import NesVerdict, in_memory, on_screen, run_test

SIGN = "a9 de 8d 01 60 a9 b0 8d 02 60 a9 61 8d 03 60 "
LIMIT = 12_000_000
FAST = choose_engine("ricoh2a03")


def status(value: int) -> str:
    """sta $6000 of a status."""
    return f"a9 {value:02x} 8d 00 60 "


@pytest.mark.parametrize(("result", "passed"), [(0, True), (3, False)])
def test_a_status_at_6000_with_a_text(result: int, passed: bool) -> None:
    text = "a9 4f 8d 04 60 a9 4b 8d 05 60 a9 00 8d 06 60 "
    nes = nes_with(status(0x80) + SIGN + text + status(result) + "d0 fe f0 fe", engine=FAST)
    assert run_test(nes, LIMIT) == NesVerdict(passed, "OK")


def test_without_a_signature_there_is_no_status() -> None:
    assert in_memory(lambda address: 0) is None
    assert in_memory(lambda address: b"\x80\xde\xb0\x61"[address & 3]) is None


def test_the_reset_button_is_pressed_when_asked_for() -> None:
    # a byte at $10 counts how often the program began: the second time it passes
    code = SIGN + status(0x80) + "e6 10 a5 10 c9 5c f0 08 " + status(0x81) + "d0 fe ea " + status(0)
    nes = nes_with(code + "f0 fe", engine=FAST, fill=0)
    put(nes, 0x10, "5a")
    assert run_test(nes, LIMIT) == NesVerdict(True, "")


@pytest.mark.parametrize(
    ("shown", "passed"),
    [
        (b"Passed", True),
        (b"NMI TIMING  FAILED #3", False),
        (b"01-implied All tests complete", True),
        (b"$01", True),
        (b"$02", False),
        (b"Press start", None),
    ],
)
def test_words_on_the_screen(shown: bytes, passed: bool | None) -> None:
    verdict = on_screen(shown.rjust(0x40).ljust(0x400, b"\0"))
    assert passed == (None if verdict is None else verdict.passed)


def test_a_program_that_stands_still_has_said_what_it_has_to_say() -> None:
    nes = nes_with("4c 00 02", engine=FAST, fill=0)
    nes.ppu.vram[0x42:0x48] = b"PASSED"
    assert run_test(nes, LIMIT) == NesVerdict(True, "PASSED")
    assert nes.cycles < 1_000_000
    busy = nes_with("e8 4c 00 02", engine=FAST, fill=0)
    busy.ppu.vram[0x42:0x48] = b"FAILED"
    assert run_test(busy, 40_000_000) == NesVerdict(False, "FAILED")
    assert busy.cycles < LIMIT


def test_limits_have_reasons() -> None:
    assert limit("ppu_vbl_nmi/rom_singles/01-vbl_basics.nes") is None
    assert limit("sprite_hit_tests_2005.10.05/01.basics.nes") is None
    assert "MMC6" in (limit("mmc3_test/6-MMC6.nes") or "")
