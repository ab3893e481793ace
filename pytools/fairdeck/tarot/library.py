"""The machine code of the tarot shuffle, assembled in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import DEFAULT_VARIANT, Variant
from romproof import Built, build


def defines(
    feedback: Feedback, reduction: Reduction, variant: Variant = DEFAULT_VARIANT
) -> Mapping[str, int]:
    """The symbols that choose the code when it is assembled."""
    return {
        "TAROT_FEEDBACK": feedback.mask,
        "TAROT_REDUCTION": int(reduction is Reduction.PRINTED),
        "TAROT_VARIANT": variant.define,
    }


@cache
def tarot_library(
    target: Target,
    feedback: Feedback,
    reduction: Reduction,
    variant: Variant = DEFAULT_VARIANT,
) -> Built:
    """A program with all routines of the library, and no game. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / target.library, defines=defines(feedback, reduction, variant))


@cache
def tarot_rom(target: Target, feedback: Feedback, reduction: Reduction) -> Built:
    """The ROM of that name, balanced as all ROMs are. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / target.rom, defines=defines(feedback, reduction))
