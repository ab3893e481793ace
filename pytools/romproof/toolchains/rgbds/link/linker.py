"""The linker: RGBDS objects become a ROM, as rgblink 1.0.3 makes it."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.text.diagnostic import BuildFailed, Diagnostics, TooManyErrors
from romproof.toolchains.rgbds.link.assign import assign
from romproof.toolchains.rgbds.link.check import check_sections
from romproof.toolchains.rgbds.link.collect import collect
from romproof.toolchains.rgbds.link.evaluate import Evaluator
from romproof.toolchains.rgbds.link.linked import Linked, make_linked
from romproof.toolchains.rgbds.link.options import LinkOptions
from romproof.toolchains.rgbds.link.patches import apply_patches, check_assertions
from romproof.toolchains.rgbds.link.rom import check_overlay
from romproof.toolchains.rgbds.link.script import apply_script
from romproof.toolchains.rgbds.link.span_finder import SpanFinder
from romproof.toolchains.rgbds.link.state import LinkState
from romproof.toolchains.rgbds.obj.model import RgbdsObject


def link(objects: Sequence[RgbdsObject], options: LinkOptions, diagnostics: Diagnostics) -> Linked:
    """Link ``objects`` in the order given.

    Raises BuildFailed with all faults found; warnings stay in ``diagnostics``.
    """
    warnings, complaints = options.warning_settings()
    for complaint in complaints:
        diagnostics.warning(complaint)
    places = SpanFinder(options.quiet_places)
    state = LinkState(options, options.memories(), warnings, places, diagnostics)
    try:
        return _link(state, objects)
    except TooManyErrors:
        raise BuildFailed(diagnostics.items) from None


def _link(state: LinkState, objects: Sequence[RgbdsObject]) -> Linked:
    """The stages. Each one trusts what those before it have checked."""
    for obj in objects:
        collect(state, obj)
    state.diagnostics.raise_if_failed()
    if state.options.script is not None:
        apply_script(state, state.options.script)
        state.diagnostics.raise_if_failed()
    check_sections(state)
    state.diagnostics.raise_if_failed()
    order = assign(state)
    state.diagnostics.raise_if_failed()
    evaluator = Evaluator(state)
    check_assertions(state, evaluator)
    apply_patches(state, evaluator)
    state.diagnostics.raise_if_failed()
    linked = make_linked(state, order)
    check_overlay(linked, state.diagnostics)
    return linked
