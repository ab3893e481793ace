"""Filling in what the assembler left open, and checking what it left to check."""

from __future__ import annotations

from romproof.text.diagnostic import BuildFailed
from romproof.toolchains.rgbds.link.evaluate import Evaluator
from romproof.toolchains.rgbds.link.state import LinkState, Module, ObjectPart, ProgramSection
from romproof.toolchains.rgbds.obj.model import Assertion, AssertionKind, Patch, PatchKind
from romproof.toolchains.rgbds.obj.opmath import as_unsigned


def check_assertions(state: LinkState, evaluator: Evaluator) -> None:
    """Check all assertions, the last object's first as rgblink does.

    Raises BuildFailed at once when a FATAL one does not hold or has no value.
    """
    for module in reversed(state.modules):
        for assertion in reversed(module.obj.assertions):
            _check(state, evaluator, module, assertion)


def _check(state: LinkState, evaluator: Evaluator, module: Module, assertion: Assertion) -> None:
    value, failed = evaluator.value(module, assertion)
    fatal = assertion.kind is AssertionKind.FATAL
    if value and not failed:
        return
    message = assertion.message or "assertion failed"
    if failed:
        if not fatal:
            return
        message = "failed to evaluate assertion" + (
            f": {assertion.message}" if assertion.message else ""
        )
    elif assertion.kind is AssertionKind.WARN:
        evaluator.warn("assert", message, assertion, failed)
        return
    state.diagnostics.error(message, evaluator.span(assertion))
    if fatal:
        raise BuildFailed(state.diagnostics.items)


def apply_patches(state: LinkState, evaluator: Evaluator) -> None:
    """Write the values of all patches into their sections."""
    for section in state.sections.values():
        if section.type.has_data:
            for piece in section.pieces:
                for patch in piece.part.patches:
                    _apply(evaluator, section, piece, patch)


def _apply(evaluator: Evaluator, section: ProgramSection, piece: ObjectPart, patch: Patch) -> None:
    """Write one value.

    ``@`` moves along with the fragment that has the patch. In a LOAD block it is in another
    section; that rgblink moves it there just as far, whatever the other section's fragments are,
    is stored: the bytes have to be the same.
    """
    value, failed = evaluator.value(piece.module, patch, piece.offset)
    offset = piece.offset + patch.offset
    size = patch.kind.size
    if offset + size > len(section.data):
        over = offset + size - len(section.data)
        evaluator.fail(
            f'patch would write {over} bytes past the end of section "{section.name}"'
            f" ({len(section.data)} bytes long)",
            patch,
        )
        return
    if patch.kind is PatchKind.JR:
        if patch.pc_section is None:
            evaluator.fail("PC has no value outside of a section", patch)
            return
        failed = _check_size(evaluator, patch, value, 16, failed)
        start = piece.module.pieces[patch.pc_section].section.at
        # 2 bytes is the instruction itself; addresses wrap at 64 KiB
        after = start + patch.pc_offset + piece.offset + 2
        value = (value - after + 0x8000 & 0xFFFF) - 0x8000
        if not -128 <= value <= 127 and not failed:
            evaluator.fail(
                f"JR target must be between -128 and 127 bytes away, not {value}; use JP instead",
                patch,
            )
    elif patch.kind is not PatchKind.LONG:
        _check_size(evaluator, patch, value, 8 * size, failed)
    mask = (1 << 8 * size) - 1
    section.data[offset : offset + size] = (value & mask).to_bytes(size, "little")


def _check_size(evaluator: Evaluator, patch: Patch, value: int, bits: int, failed: bool) -> bool:
    """Warn when a value does not fit into ``bits``; gives whether it has failed."""
    level = 0
    if not -(1 << bits) <= value < 1 << bits:
        level = 1
    elif value < -(1 << (bits - 1)):
        level = 2
    if not level:
        return failed
    sign = " (may be negative?)" if value < 0 else ""
    message = f"value ${as_unsigned(value):x}{sign} is not {bits}-bit"
    return evaluator.warn("truncation", message, patch, failed, level)
