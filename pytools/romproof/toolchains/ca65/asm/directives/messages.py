"""Messages: ``.assert``, ``.error``, ``.warning``, ``.fatal``, ``.out``."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.tokens import IDENT, STRING, as_text
from romproof.toolchains.ca65.obj.object import Action

_ACTIONS = {
    "warn": (Action.WARNING, False),
    "warning": (Action.WARNING, False),
    "error": (Action.ERROR, False),
    "ldwarn": (Action.WARNING, True),
    "ldwarning": (Action.WARNING, True),
    "lderror": (Action.ERROR, True),
}
"""What the words do, and whether only the linker looks at the assertion."""


def _assert(asm: Assembly) -> None:
    feed = asm.feed
    expr = asm.expressions.expression()
    feed.expect(",")
    if not feed.at(IDENT):
        feed.error_skip("Identifier expected", help="one of " + ", ".join(_ACTIONS))
        return
    word = feed.tok.text.lower()
    if word not in _ACTIONS:
        feed.error("Illegal assert action specifier", help="one of " + ", ".join(_ACTIONS))
    action, late = _ACTIONS.get(word, (Action.ERROR, True))
    feed.next()
    message = "Assertion failed"
    if feed.accept(","):
        if not feed.at(STRING):
            feed.error_skip("String constant expected")
            return
        message = as_text(feed.tok.text)
        feed.next()
    asm.assertions.add(expr, action, message, late)


def _message(report: Callable[[Assembly, str], None]) -> Callable[[Assembly], None]:
    def command(asm: Assembly) -> None:
        if not asm.feed.at(STRING):
            asm.feed.error_skip("String constant expected")
            return
        report(asm, as_text(asm.feed.tok.text))
        asm.feed.skip_line()

    return command


def _out(asm: Assembly) -> None:
    if not asm.feed.at(STRING):
        asm.feed.error_skip("String constant expected")
        return
    asm.options.out(as_text(asm.feed.tok.text))
    asm.feed.next()


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".assert": _assert,
    ".error": _message(lambda asm, text: asm.feed.error(f"User error: {text}")),
    ".fatal": _message(lambda asm, text: asm.feed.fatal(f"User error: {text}")),
    ".out": _out,
    ".warning": _message(lambda asm, text: asm.feed.warning(f"User warning: {text}")),
}
