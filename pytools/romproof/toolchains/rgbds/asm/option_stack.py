"""PUSHO and POPO."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.report import Reporter, WarningSettings
from romproof.toolchains.rgbds.asm.settings import Settings


class OptionStack:
    """The options that are in force, and those that were put aside."""

    def __init__(self, settings: Settings, report: Reporter, contexts: Contexts) -> None:
        self._settings = settings
        self._report = report
        self._contexts = contexts
        self._saved: list[tuple[Settings, WarningSettings]] = []

    def push(self) -> None:
        """PUSHO: remember the options."""
        self._saved.append((self._settings.copy(), self._report.warnings.copy()))

    def pop(self) -> None:
        """POPO: back to the options remembered last."""
        if not self._saved:
            self._report.error("No entries in the option stack")
            return
        settings, self._report.warnings = self._saved.pop()
        self._settings.take_over(settings)
        self._contexts.set_depth(settings.recursion_depth)

    def check_stack(self) -> None:
        """Warn of PUSHO without POPO."""
        if self._saved:
            self._report.warning("unmatched-directive", "`PUSHO` without corresponding `POPO`")
