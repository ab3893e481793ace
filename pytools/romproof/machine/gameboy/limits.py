"""What this machine does not model, in terms of the public test suites that find it."""

from __future__ import annotations

from pathlib import PurePath

from romproof.formats.layout import GameBoyModel

MOONEYE = ("acceptance", "emulator-only", "madness", "manual-only", "misc", "utils")
"""The folders of mooneye-test-suite; the first tells that it is one."""

_OTHERS = (
    ("dmg0", "an early DMG"), ("mgb", "the Game Boy Pocket"), ("sgb", "the Super Game Boy"),
    ("S", "the Super Game Boy"), ("cgb0", "an early Game Boy Color"),
    ("A", "the Game Boy Advance"),
)  # fmt: skip
"""How the last part of the name of a test begins that is for none of our models."""
_COLORS = (GameBoyModel.CGB, GameBoyModel.CGB_E)

_CORRUPTION = "needs a picture unit: it damages OAM when the CPU's addresses come near"
_PICTURE = "is judged by its picture"
_SOUND = "needs sound"
_NO_VERDICT = "gives no verdict: it shows something, and never writes to $FF82"
_REASONS = (
    ("manual-only/", _PICTURE),
    ("madness/", _PICTURE),
    ("utils/", "is a tool, not a test"),
    ("dmg_sound", _SOUND),
    ("cgb_sound", _SOUND),
    ("interrupt_time", _SOUND),
    ("same-suite/apu/", _SOUND),
    ("spsw-ch2-lc-delay", _SOUND),
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


def models_of(path: str) -> tuple[GameBoyModel, ...]:
    """The models on which a test is to pass, of those that this machine can be; ``path`` as for
    ``limit``.

    mooneye-test-suite has them behind the last dash of a name, in words (``dmgABC``) or as letters
    for groups (``GS``), and means all when there are none; age-test-roms behind several dashes,
    with ``ncm`` for a Color that plays a game without colours. SameSuite is for the Color, but for
    one folder. The others are for the DMG, but for one test.
    """
    _, *parts = PurePath(path).stem.split("-")
    if path.startswith("age-test-roms/"):
        return tuple(
            model for model in GameBoyModel if any(_age_names(part, model) for part in parts)
        )
    if path.startswith("same-suite/"):
        return () if path.startswith("same-suite/sgb/") else _COLORS
    if "interrupt_time" in path or "cgb_sound" in path:
        return _COLORS
    if not _is_mooneyes(path):
        return (GameBoyModel.DMG,)
    if not parts:
        return tuple(GameBoyModel)
    models = parts[-1]
    if (models.startswith("dmg") and models != "dmg0") or models in ("G", "GS"):
        return (GameBoyModel.DMG,)
    is_for_color = models == "C" or (models.startswith("cgb") and models != "cgb0")
    return _COLORS if is_for_color else ()


def limit(path: str) -> str | None:
    """Why a test cannot be expected to pass; None when it should, on all of ``models_of``.

    ``path`` is that of a ROM of mooneye-test-suite or of Shay Green's (blargg's) tests, with
    the folders of the suite and ``/`` between them; of gbmicrotest, age-test-roms and SameSuite
    with their name before it.
    """
    reason = next((reason for part, reason in _REASONS if part in path), None)
    if reason is not None or models_of(path):
        return reason
    *_, last = PurePath(path).stem.split("-")
    names = (model for start, model in _OTHERS if last.startswith(start))
    return f"for another model: {next(names, 'the Super Game Boy')}"


def _age_names(part: str, model: GameBoyModel) -> bool:
    """Whether a part of a name of age-test-roms is for a model: ``dmgC``, ``cgbBCE``, ``ncmE``."""
    if model is GameBoyModel.DMG:
        return part == "dmgC"
    revision = "E" if model is GameBoyModel.CGB_E else "C"
    return part[:3] in ("cgb", "ncm") and revision in part[3:]


def _is_mooneyes(path: str) -> bool:
    return PurePath(path).parts[0] in MOONEYE
