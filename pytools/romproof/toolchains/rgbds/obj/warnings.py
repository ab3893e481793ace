"""Which warnings are on, and which of them are errors: the ``-W`` options of the RGBDS tools.

The rules are those of rgblink(1) and rgbfix(1), "DIAGNOSTICS": what is said of a warning itself
goes before what is said of a group it is in, and the later option before the earlier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from romproof.text.diagnostic import Diagnostic, Diagnostics, Severity
from romproof.text.span import Span

DEFAULT, ALL, EVERYTHING = range(3)
"""From which group on a warning is on: without options, with -Wall, with -Weverything."""

_GROUPS = {"all": ALL, "everything": EVERYTHING}


@dataclass(slots=True)
class _Said:
    """What options said: on or off, an error or not; None when nothing was said."""

    on: bool | None = None
    error: bool | None = None

    def update(self, other: _Said) -> None:
        self.on = self.on if other.on is None else other.on
        self.error = self.error if other.error is None else other.error


@dataclass(slots=True)
class _State:
    group: int
    itself: _Said = field(default_factory=_Said)
    by_group: _Said = field(default_factory=_Said)


_PREFIXES = (
    ("error=", _Said(on=True, error=True)),
    ("no-error=", _Said(error=False)),
    ("no-", _Said(on=False)),
)


class WarningSettings:
    """The state of all warnings of a tool.

    ``flags`` has the group from which on a warning is on, by its name; a
    warning with levels has a group for each level. The class is changed by
    ``apply`` only.
    """

    def __init__(self, flags: Mapping[str, tuple[int, ...]]) -> None:
        self._states = {name: [_State(group) for group in groups] for name, groups in flags.items()}
        self._errors = False
        self.silent = False
        """True: there are no warnings at all, and no errors made from them."""

    def apply(self, text: str) -> str | None:
        """Take the option ``-Wtext``; gives what is wrong with it, or None."""
        if text in ("error", "no-error"):
            self._errors = text == "error"
            return None
        name, said, level = _read(text)
        states = self._states.get(name)
        if states is not None and len(states) > 1:
            return self._apply_levels(name, states, said, level)
        if level is not None:
            return f"the warning '{name}' takes no number"
        if name in _GROUPS:
            for every in self._states.values():
                for state in every:
                    if state.group <= _GROUPS[name]:
                        state.by_group.update(said)
            return None
        if states is None:
            return f"unknown warning '{name}'"
        states[0].itself.update(said)
        return None

    @staticmethod
    def _apply_levels(
        name: str, states: list[_State], said: _Said, level: int | None
    ) -> str | None:
        complaint = None
        if level is not None and level > len(states):
            complaint = f"the warning '{name}' has levels up to {len(states)}; {level} is too many"
        for number, state in enumerate(states, 1):
            if number <= (level or 1):
                state.itself.update(said)
            else:
                state.itself.on = False
        return complaint

    def severity(self, name: str, level: int = 1) -> Severity | None:
        """What becomes of the warning ``name`` at ``level``; None when it is off."""
        state = self._states[name][level - 1]
        if self.silent or state.itself.on is False:
            return None
        if state.itself.error:
            return Severity.ERROR
        if state.itself.on is None:
            if state.by_group.on is False:
                return None
            if state.by_group.error:
                return Severity.ERROR
            if state.by_group.on is None and state.group != DEFAULT:
                return None
        spared = state.itself.error is False or state.by_group.error is False
        return Severity.ERROR if self._errors and not spared else Severity.WARNING

    def report(
        self,
        diagnostics: Diagnostics,
        name: str,
        message: str,
        span: Span | None = None,
        level: int = 1,
    ) -> None:
        """Add a warning to ``diagnostics``, as an error when it is one, not when it is off."""
        severity = self.severity(name, level)
        if severity is not None:
            option = f"-Werror={name}" if severity is Severity.ERROR else f"-W{name}"
            diagnostics.add(Diagnostic(severity, message, span, option=option))


def _read(text: str) -> tuple[str, _Said, int | None]:
    """The warning's name, what the option says of it, and its level."""
    said = _Said(on=True)
    for prefix, meaning in _PREFIXES:
        if text.startswith(prefix):
            text = text[len(prefix) :]
            said = replace(meaning)
            break
    name, _, number = text.partition("=")
    if not said.on or not number.isascii() or not number.isdecimal():
        return text, said, None
    level = int(number.lstrip("0")[:9] or "0")  # more digits would only be read for long
    if level == 0:
        said.on = False
    return name, said, level
