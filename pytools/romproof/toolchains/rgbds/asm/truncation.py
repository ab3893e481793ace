"""The warning of values that do not fit."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.report import Reporter


def check_bits(report: Reporter, value: int, bits: int, what: str | None = None) -> bool:
    """Warn when ``value`` does not fit ``bits`` bits, with or without a sign."""
    strength = 0
    if not -(1 << bits) <= value < 1 << bits:
        strength = 1
    elif value < -(1 << (bits - 1)):
        strength = 2
    if not strength:
        return True
    hint = "; use `LOW()` to force 8-bit" if bits == 8 and what is None else ""
    report.warning("truncation", f"{what or 'Expression'} must be {bits}-bit{hint}", strength)
    return False
