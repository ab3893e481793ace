"""What the linker checks once everything has its address."""

from __future__ import annotations

import os

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Span
from romproof.toolchains.ca65.link.config import SymbolKind
from romproof.toolchains.ca65.link.evaluate import Evaluator, Undefined
from romproof.toolchains.ca65.link.state import LinkState, SegmentState, Use
from romproof.toolchains.ca65.obj.expr import Imported, Unresolved, leaves
from romproof.toolchains.ca65.obj.object import Action

MAX_USES = 8
"""Places of use of an undefined symbol that are listed."""


def check_undefined(state: LinkState, diagnostics: Diagnostics) -> None:
    """Report every symbol that is needed and defined nowhere, with its uses."""
    needed: dict[str, list[Span]] = {}
    for use in state.uses:
        reported = use.module is None and use.name in state.reported
        if use.name not in state.definitions and not reported:
            needed.setdefault(use.name, [])
    for obj in state.objects:
        for section in obj.sections:
            for fixup in section.fixups:
                for leaf in leaves(fixup.expr):
                    if isinstance(leaf, Imported) and leaf.name not in state.definitions:
                        needed.setdefault(leaf.name, []).append(fixup.span)
    for use in state.uses:
        if use.name in needed and not needed[use.name] and use.span is not None:
            needed[use.name].append(use.span)
    private = {}
    if needed:
        for obj in state.objects:
            private.update({row.name: obj.name for row in obj.labels if not row.exported})
    for name, spans in needed.items():
        help = _library_help(state, name) or suggest(name, state.definitions)
        if name in private:
            help = f"{private[name]} has it, but does not export it: add .export {name}"
        distinct = list({str(span): span for span in spans}.values())
        shown = distinct[1:MAX_USES]
        more = len(distinct) - 1 - len(shown)
        message = f"unresolved external '{name}': no module exports it"
        if more:
            message += f" ({len(distinct)} uses)"
        notes = tuple(("also used", span) for span in shown)
        diagnostics.error(message, distinct[0] if distinct else None, help, notes)


def _library_help(state: LinkState, name: str) -> str | None:
    """Where to get what the layout of a target needs of cc65's library."""
    rules = [rule for rule in state.config.symbols if rule.name == name]
    if not any(rule.kind is SymbolKind.IMPORT for rule in rules):
        return None
    target = os.path.splitext(os.path.basename(state.config.source.name))[0]
    return f"the configuration takes it from cc65's library: add {target}.lib after the objects"


def check_address_sizes(state: LinkState, diagnostics: Diagnostics) -> None:
    """Warn where a symbol is imported with another address size than it has."""
    for use in state.uses:
        definition = state.definitions.get(use.name)
        if definition is None or use.address_size is AddressSize.DEFAULT:
            continue
        if definition.address_size is not use.address_size:
            owner = str(definition.span) if definition.span else "the linker"
            diagnostics.warning(
                f"address size mismatch for '{use.name}': {_size(use)} here, "
                f"{definition.address_size.name.lower()} at {owner}",
                use.span,
            )


def _size(use: Use) -> str:
    return use.address_size.name.lower()


def check_assertions(state: LinkState, evaluator: Evaluator, diagnostics: Diagnostics) -> None:
    """Decide the assertions that the assembler had to leave open."""
    for module, obj in enumerate(state.objects):
        for assertion in obj.assertions:
            try:
                holds = bool(evaluator.value(assertion.expr, module))
            except Undefined:
                holds = True  # reported as undefined
            except Unresolved as why:
                diagnostics.warning(f"cannot decide this assertion: {why}", assertion.span)
                holds = True
            if not holds and assertion.action is Action.ERROR:
                diagnostics.error(f"assertion failed: {assertion.message}", assertion.span)
            elif not holds:
                diagnostics.warning(f"assertion failed: {assertion.message}", assertion.span)


def check_exports(state: LinkState, evaluator: Evaluator, diagnostics: Diagnostics) -> None:
    """Warn of exports without a value; only their use is an error, reported there."""
    for definition in state.definitions.values():
        try:
            evaluator.symbol(definition.name)
        except Undefined:
            continue
        except Unresolved as why:
            diagnostics.warning(f"'{definition.name}' has no value: {why}", definition.span)


def check_segments(state: LinkState, evaluator: Evaluator, diagnostics: Diagnostics) -> None:
    """Report bytes without a memory area, and contents where none can be."""
    configured = [rule.name for rule in state.config.segments]
    for segment in state.segments.values():
        if segment.size and not segment.assigned:
            diagnostics.error(
                f"the configuration has no memory area for segment '{segment.name}'",
                _first_line(state, segment),
                suggest(segment.name, configured)
                or f"add '{segment.name}: load = AREA;' to SEGMENTS",
            )
        rule = segment.rule
        if rule is None or rule.kind.is_stored:
            continue
        if _has_contents(segment, evaluator):
            diagnostics.warning(
                f"segment '{segment.name}' of type {rule.kind.value} has contents, which are "
                f"not written to any file",
                _first_line(state, segment) or rule.span,
            )


def _first_line(state: LinkState, segment: SegmentState) -> Span | None:
    """Where the first bytes of a segment come from."""
    for module, obj in enumerate(state.objects):
        for line in obj.lines:
            if line.size and state.places[module][line.section].segment is segment:
                return line.span
    return None


def _has_contents(segment: SegmentState, evaluator: Evaluator) -> bool:
    """True when a byte of the segment is not zero."""
    for contribution in segment.contributions:
        if any(contribution.section.data):
            return True
        for fixup in contribution.section.fixups:
            try:
                if evaluator.value(fixup.expr, contribution.module):
                    return True
            except Unresolved:
                continue  # what has no value is reported elsewhere
    return False
