"""What this machine does not model, in terms of the public test suites that find it."""

from __future__ import annotations

from pathlib import PurePath

_OTHER_MODELS = (
    ("dmg0", "an early DMG"), ("mgb", "the Game Boy Pocket"), ("sgb", "the Super Game Boy"),
    ("S", "the Super Game Boy"), ("cgb", "the Game Boy Color"), ("C", "the Game Boy Color"),
    ("A", "the Game Boy Advance"),
)  # fmt: skip
"""mooneye-test-suite puts the models on which a test passes behind the last dash of its name;
when the first is one of these, the DMG is not among them."""

_BLOCKED = "needs a picture unit: it keeps the CPU out of OAM and VRAM while it uses them"
_SPRITES = "needs a picture unit: sprites lengthen mode 3"
_CORRUPTION = "needs a picture unit: it damages OAM when the CPU's addresses come near"
_COLOR = "for another model: the Game Boy Color"
_REASONS = (
    ("ppu/intr_2_mode0_timing_sprites", _SPRITES),
    ("ppu/intr_2_oam_ok_timing", _BLOCKED),
    ("ppu/lcdon_timing", _BLOCKED),
    ("ppu/lcdon_write_timing", _BLOCKED),
    ("manual-only/", "is judged by its picture"),
    ("madness/", "is judged by its picture"),
    ("utils/", "is a tool, not a test"),
    ("dmg_sound", "needs sound"),
    ("cgb_sound", _COLOR),
    ("interrupt_time", _COLOR),
    ("oam_bug", _CORRUPTION),
)
"""A part of the path, and why what has it in its path may fail."""


def limit(path: str) -> str | None:
    """Why a test cannot be expected to pass; None when it should.

    ``path`` is that of a ROM of mooneye-test-suite or of Shay Green's (blargg's) tests, with
    the folders of the suite and ``/`` between them.
    """
    models = PurePath(path).stem.rpartition("-")
    if models[1]:
        for start, model in _OTHER_MODELS:
            if models[2].startswith(start):
                return f"for another model: {model}"
    return next((reason for part, reason in _REASONS if part in path), None)
