"""Errors and warnings, and which warnings are wanted.

The names of warnings and the groups they belong to are those of rgbasm(1), "DIAGNOSTICS".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NoReturn

from romproof.text.diagnostic import Diagnostic, Diagnostics, Severity
from romproof.text.numbers import whole
from romproof.text.span import Span
from romproof.toolchains.rgbds.asm.characters import readable


class Level(IntEnum):
    """The group a warning is switched on with."""

    DEFAULT = 0
    ALL = 1
    EXTRA = 2
    EVERYTHING = 3


_GROUPS = {"all": Level.ALL, "extra": Level.EXTRA, "everything": Level.EVERYTHING}

_WARNINGS: dict[str, tuple[Level, ...]] = {
    "assert": (Level.DEFAULT,),
    "backwards-for": (Level.ALL,),
    "builtin-args": (Level.ALL,),
    "charmap-redef": (Level.ALL,),
    "div": (Level.EVERYTHING,),
    "empty-data-directive": (Level.ALL,),
    "empty-macro-arg": (Level.EXTRA,),
    "empty-strrpl": (Level.ALL,),
    "export-undefined": (Level.ALL,),
    "large-constant": (Level.DEFAULT,),
    "macro-shift": (Level.EXTRA,),
    "nested-comment": (Level.DEFAULT,),
    "obsolete": (Level.DEFAULT,),
    "shift": (Level.EVERYTHING,),
    "shift-amount": (Level.EVERYTHING,),
    "unmatched-directive": (Level.EXTRA,),
    "unterminated-load": (Level.EXTRA,),
    "user": (Level.DEFAULT,),
    "numeric-string": (Level.EVERYTHING, Level.EVERYTHING),
    "purge": (Level.DEFAULT, Level.ALL),
    "truncation": (Level.DEFAULT, Level.EXTRA),
    "unmapped-char": (Level.DEFAULT, Level.ALL),
}
"""By name: the group of each strength. Most have one strength; ``-Wname=2`` names the second."""

_USUAL_STRENGTH = {"numeric-string": 1, "purge": 2, "truncation": 1, "unmapped-char": 1}
"""The strength that a name without a number means."""

WARNING_NAMES = tuple(_WARNINGS)


@dataclass(frozen=True, slots=True)
class _State:
    """What was said of a warning: ``on`` and ``error`` are None where nothing was."""

    on: bool | None = None
    error: bool | None = None

    def update(self, on: bool | None, error: bool | None) -> _State:
        return _State(self.on if on is None else on, self.error if error is None else error)


_Key = tuple[str, int]


@dataclass(slots=True)
class WarningSettings:
    """Which warnings are shown, and which are errors."""

    enabled: bool = True
    all_errors: bool = False
    flags: dict[_Key, _State] = field(default_factory=dict)
    groups: dict[_Key, _State] = field(default_factory=dict)

    def copy(self) -> WarningSettings:
        """The same settings, to be changed on their own."""
        return WarningSettings(self.enabled, self.all_errors, dict(self.flags), dict(self.groups))

    def severity(self, name: str, strength: int = 1) -> Severity | None:
        """What a warning is at the moment; None: it is not wanted."""
        if not self.enabled:
            return None
        key = (name, strength)
        flag, group = self.flags.get(key, _State()), self.groups.get(key, _State())
        promoted = self.all_errors and flag.error is not False and group.error is not False
        usual = Severity.ERROR if promoted else Severity.WARNING
        for state in (flag, group):
            if state.on is False:
                return None
            if state.error:
                return Severity.ERROR
            if state.on:
                return usual
        return usual if _WARNINGS[name][strength - 1] is Level.DEFAULT else None

    def set(self, text: str) -> str | None:
        """Apply what follows ``-W``; gives a complaint if it means nothing."""
        if text in ("error", "no-error"):
            self.all_errors = text == "error"
            return None
        on, error, name = _split(text)
        strength: int | None = None
        match = re.fullmatch(r"(.+)=(\d+)", name)
        if on and match:
            name, strength = match[1], whole(match[2])
            on = strength > 0
        complaint = None
        if len(_WARNINGS.get(name, ())) > 1:
            most = len(_WARNINGS[name])
            if strength is not None and strength > most:
                complaint = (
                    f'Invalid warning flag parameter "{name}={strength}"; capping at maximum {most}'
                )
            wanted = min(strength or _USUAL_STRENGTH[name], most)
            for one in range(1, most + 1):
                state = self.flags.get((name, one), _State())
                weak = one <= wanted
                self.flags[name, one] = (
                    state.update(on, error) if weak else replace(state, on=False)
                )
            return complaint
        if strength is not None:
            return f'Unknown warning flag parameter "{name}={strength}"'
        if name in _GROUPS:
            for known, levels in _WARNINGS.items():
                for one, level in enumerate(levels, 1):
                    if level <= _GROUPS[name]:
                        state = self.groups.get((known, one), _State())
                        self.groups[known, one] = state.update(on, error)
            return None
        if name in _WARNINGS:
            self.flags[name, 1] = self.flags.get((name, 1), _State()).update(on, error)
            return None
        return f'Unknown warning flag "{name}"'


def _split(text: str) -> tuple[bool | None, bool | None, str]:
    """On or off, error or not, and the name that follows."""
    if text.startswith("error="):
        return True, True, text.removeprefix("error=")
    if text.startswith("no-error="):
        return None, False, text.removeprefix("no-error=")
    if text.startswith("no-"):
        return False, None, text.removeprefix("no-")
    return True, None, text


class Fatal(Exception):
    """An error after which nothing sensible can follow; it is reported already."""


class Reporter:
    """Puts findings where the assembler is reading at the moment."""

    def __init__(self, diagnostics: Diagnostics, max_errors: int | None = None) -> None:
        self.diagnostics = diagnostics
        self.warnings = WarningSettings()
        self.errors = 0
        self.where: Callable[[], Span | None] = lambda: None
        self._max_errors = max_errors

    def error(
        self,
        message: str,
        span: Span | None = None,
        help: str | None = None,
        also: Span | None = None,
    ) -> None:
        """Report an error; ``also`` is a second place that belongs to it. Raises Fatal at -X."""
        self._add(Severity.ERROR, message, span, help, also)

    def fatal(self, message: str, span: Span | None = None, also: Span | None = None) -> NoReturn:
        """Report an error and give up."""
        self._add(Severity.ERROR, message, span, None, also, count=False)
        self.errors += 1
        raise Fatal

    def warning(self, name: str, message: str, strength: int = 1) -> None:
        """Report a warning, if it is wanted, as an error if it is to be one."""
        severity = self.warnings.severity(name, strength)
        if severity is None:
            return
        option = f"-W{name}" if severity is Severity.WARNING else f"-Werror={name}"
        self._add(severity, message, None, None, None, option=option)

    def remark(self, message: str) -> None:
        """A warning about the command line, or one that cannot be switched off."""
        self.diagnostics.add(Diagnostic(Severity.WARNING, readable(message)))

    def _add(
        self,
        severity: Severity,
        message: str,
        span: Span | None,
        help: str | None,
        also: Span | None,
        option: str | None = None,
        count: bool = True,
    ) -> None:
        place = span or self.where()
        if severity is Severity.ERROR:
            # its rules are many, and nearly all runs are without errors
            from romproof.toolchains.rgbds.asm.older import old_form

            help = old_form(message, place, help)
        notes = (("first seen", also),) if also is not None else ()
        self.diagnostics.items.append(
            Diagnostic(severity, readable(message), place, help, notes, option)
        )
        if severity is not Severity.ERROR:
            return
        self.diagnostics.errors += 1
        if count:
            self.errors += 1
            if self._max_errors and self.errors >= self._max_errors:
                self.diagnostics.items.append(
                    Diagnostic(
                        Severity.NOTE,
                        f"stopped after {self.errors} errors; -X sets how many are shown",
                    )
                )
                raise Fatal


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
