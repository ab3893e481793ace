"""What this machine does not model, in terms of the public test suites that find it."""

from __future__ import annotations

from pathlib import PurePath

_OTHER_MODELS = (
    ("dmg0", "an early DMG"), ("mgb", "the Game Boy Pocket"), ("sgb", "the Super Game Boy"),
    ("S", "the Super Game Boy"), ("cgb", "the Game Boy Color"), ("C", "the Game Boy Color"),
    ("ncm", "the Game Boy Color"), ("A", "the Game Boy Advance"),
)  # fmt: skip
"""mooneye-test-suite puts the models on which a test passes behind the last dash of its name,
age-test-roms behind several; when the last one begins so, and none is a DMG, it is not for ours."""

_CORRUPTION = "needs a picture unit: it damages OAM when the CPU's addresses come near"
_PICTURE = "is judged by its picture"
_COLOR = "for another model: the Game Boy Color"
_NO_VERDICT = "gives no verdict: it shows something, and never writes to $FF82"
_REASONS = (
    ("manual-only/", _PICTURE),
    ("madness/", _PICTURE),
    ("utils/", "is a tool, not a test"),
    ("dmg_sound", "needs sound"),
    ("cgb_sound", _COLOR),
    ("interrupt_time", _COLOR),
    ("oam_bug", _CORRUPTION),
    ("age-test-roms/m3-bg-", _PICTURE),
    (
        "oam-write-dmgC",
        "writes OAM between modes 2 and 3; its source says that the result in the first lines "
        "depends on the time at which the LCD was switched off, on the Game Boy too",
    ),
    (
        "gbmicrotest/halt_op_dupe_delay",
        "asks for DIV = $55, 60 M-cycles after DIV was cleared: it is 0 or 1 then",
    ),
    (
        "gbmicrotest/line_153_lyc_b",
        "contradicts line_153_lyc_a and line_153_lyc_c, which have the same code and pass: "
        "it asks for another value",
    ),
    (
        "gbmicrotest/stat_write_glitch_l154_d",
        "asks for IF without VBlank a frame after IF was cleared",
    ),
    *((f"gbmicrotest/{name}.", _NO_VERDICT) for name in (
        "000-oam_lock", "000-write_to_x8000", "001-vram_unlocked", "002-vram_locked",
        "004-tima_boot_phase", "004-tima_cycle_timer", "007-lcd_on_stat", "400-dma",
        "500-scx-timing", "800-ppu-latch-scx", "801-ppu-latch-scy", "802-ppu-latch-tileselect",
        "803-ppu-latch-bgdisplay", "audio_testbench", "cpu_bus_1", "dma_basic", "flood_vram",
        "lcdon_write_timing", "ly_while_lcd_off", "minimal", "mode2_stat_int_to_oam_unlock",
        "oam_sprite_trashing", "poweron", "ppu_scx_vs_bgp", "ppu_sprite_testbench",
        "ppu_spritex_vs_scx", "ppu_win_vs_wx", "ppu_wx_early", "temp", "toggle_lcdc",
        "wave_write_to_0xC003",
    )),
)  # fmt: skip
"""A part of the path, and why what has it in its path may fail."""


def limit(path: str) -> str | None:
    """Why a test cannot be expected to pass; None when it should.

    ``path`` is that of a ROM of mooneye-test-suite or of Shay Green's (blargg's) tests, with
    the folders of the suite and ``/`` between them; of gbmicrotest and age-test-roms with their
    name before it.
    """
    models = PurePath(path).stem.split("-")[1:]
    if not any(model.startswith("dmg") and model != "dmg0" for model in models):
        for start, model in _OTHER_MODELS:
            if models and models[-1].startswith(start):
                return f"for another model: {model}"
    return next((reason for part, reason in _REASONS if part in path), None)
