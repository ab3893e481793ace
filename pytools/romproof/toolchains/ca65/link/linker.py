"""The linker: objects and a configuration become an image.

Byte for byte the result of ld65 2.19. Where ld65 has already written the
image when it finds a fault, and still exits with an error, this linker gives
no image at all: a failed build leaves the old files in place. An undefined
symbol is always a fault here; ld65 does not look when it writes no file. The
other way round, ld65 refuses every ``.bank`` in a segment of type bss, because
it looks for contents before it has placed anything; here that is no fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from romproof.support.recursion import deep_recursion
from romproof.text.diagnostic import BuildFailed, Diagnostics, TooManyErrors
from romproof.toolchains.ca65.link.check import (
    check_address_sizes,
    check_assertions,
    check_exports,
    check_segments,
    check_undefined,
)
from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.evaluate import Evaluator
from romproof.toolchains.ca65.link.merge import (
    collect_symbols,
    define_weak,
    make_tables,
    merge_sections,
)
from romproof.toolchains.ca65.link.place import Placer
from romproof.toolchains.ca65.link.state import LinkState
from romproof.toolchains.ca65.link.write import MAX_BYTES, Writer, segment_contents
from romproof.toolchains.ca65.obj.object import Object

if TYPE_CHECKING:
    from romproof.program.image import Image


RECURSION_LIMIT = 20_000
"""Python frames for the expressions that the assembler gives; their trees may be deep."""


@dataclass(frozen=True)
class Linked:
    """A finished link: the files by name, and what maps and debug information are written from."""

    files: Mapping[str, bytes]
    state: LinkState
    evaluator: Evaluator

    @property
    def image(self) -> Image:
        """All that is known of the link, worked out when it is asked for."""
        from romproof.toolchains.ca65.link.build import build_image  # ld65 writes files only

        with deep_recursion(RECURSION_LIMIT):
            return build_image(self.state, self.files, self.evaluator)


def link(
    objects: Sequence[Object],
    config: Config,
    *,
    output: str = "a.out",
    start_address: int | None = None,
    defines: Mapping[str, int] | None = None,
    diagnostics: Diagnostics,
) -> Image:
    """Link ``objects`` as ``config`` says.

    ``output`` is what ``%O`` denotes. ``start_address`` is what ``%S``
    denotes (ld65's -S); None takes the configuration's STARTADDRESS, or
    $0200. ``defines`` are further exported symbols (ld65's -D).

    Raises BuildFailed with all faults found; warnings stay in ``diagnostics``.
    """
    state = LinkState(tuple(objects), config, output)
    return link_modules(state, start_address, defines or {}, diagnostics).image


def link_modules(
    state: LinkState,
    start_address: int | None,
    defines: Mapping[str, int],
    diagnostics: Diagnostics,
) -> Linked:
    """Link what is in ``state``; as :func:`link`."""
    if not state.objects:
        diagnostics.error("there are no objects to link")
        diagnostics.raise_if_failed()
    try:
        with deep_recursion(RECURSION_LIMIT):
            linked = _link(state, start_address, defines, diagnostics)
    except TooManyErrors:
        raise BuildFailed(diagnostics.items) from None
    except RecursionError:
        diagnostics.error("an expression is nested too deeply", help="split it up")
        raise BuildFailed(diagnostics.items) from None
    diagnostics.raise_if_failed()
    return linked


def _link(
    state: LinkState,
    start_address: int | None,
    defines: Mapping[str, int],
    diagnostics: Diagnostics,
) -> Linked:
    merge_sections(state, diagnostics)
    collect_symbols(state, defines, diagnostics)
    make_tables(state, diagnostics)
    define_weak(state, diagnostics)
    Placer(state, defines, start_address, diagnostics).place()

    evaluator = Evaluator(state.definitions, state.places, start_address, settled=True)
    check_assertions(state, evaluator, diagnostics)
    check_address_sizes(state, diagnostics)
    check_undefined(state, diagnostics)
    evaluator.lenient = True
    check_segments(state, evaluator, diagnostics)
    check_exports(state, evaluator, diagnostics)
    for segment in state.segments.values():
        rule = segment.rule
        if rule is not None and segment.size > MAX_BYTES:
            what = f"segment '{segment.name}' has {segment.size:,} bytes; the most are"
            diagnostics.error(f"{what} {MAX_BYTES:,}", rule.span)
        elif rule is not None and rule.kind.is_stored:
            written = bool(state.areas[rule.load].file)
            segment.contents = segment_contents(segment, evaluator, diagnostics, written)
    # what follows is wrong after a fault, and large after an overflow
    diagnostics.raise_if_failed()
    files = Writer(state, diagnostics).files()
    diagnostics.raise_if_failed()
    return Linked(files, state, evaluator)
