"""The machine code of the tarot shuffle, assembled in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.targets import SM83, Target
from fairdeck.tarot.variants import DEFAULT_VARIANT, Variant
from romproof.projects import Built, Manifest, build, load_manifest

FILES = (*("state", "next_byte", "lfsr_small", "flip", "draw", "swap", "deck_init", "shuffle"),)
"""The files of the library, in the order in which they are linked."""

VARIANT = "TAROT_VARIANT"


def defines(
    feedback: Feedback, reduction: Reduction, variant: Variant = DEFAULT_VARIANT
) -> Mapping[str, int]:
    """The symbols that choose the code when it is assembled."""
    return {
        "TAROT_FEEDBACK": feedback.mask,
        "TAROT_REDUCTION": int(reduction is Reduction.PRINTED),
        VARIANT: variant.define,
    }


def library_manifest(target: Target) -> Manifest:
    """What is built to call the routines: all files of the library, and no game around them.

    The 6502 has the thin program of its ROM too, whose layout asks for it. Raises DataMissing.
    """
    manifest = load_manifest(rom_folder() / target.rom / "manifest.toml")
    files = tuple(manifest.include[0] / "tarot" / f"{name}{target.suffix}" for name in FILES)
    if target is SM83:
        return replace(manifest, sources=files, entry=None, header=None)
    own = tuple(path for path in manifest.sources if path.stem not in FILES)
    return replace(manifest, sources=(*own, *files))


@cache
def tarot_library(
    target: Target,
    feedback: Feedback,
    reduction: Reduction,
    variant: Variant = DEFAULT_VARIANT,
) -> Built:
    """The library in that variant, with all its routines. Raises BuildFailed, DataMissing."""
    return build(library_manifest(target), defines=defines(feedback, reduction, variant))


@cache
def tarot_rom(target: Target, feedback: Feedback, reduction: Reduction) -> Built:
    """The ROM to play, with the variant its manifest names. Raises BuildFailed, DataMissing."""
    chosen = dict(defines(feedback, reduction))
    del chosen[VARIANT]
    manifest = load_manifest(rom_folder() / target.rom / "manifest.toml")
    return build(manifest, defines=MappingProxyType(chosen))
