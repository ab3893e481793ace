"""Switches: ``.feature``, ``.setcpu``, ``.case``, listing options and the like."""

from __future__ import annotations

from collections.abc import Callable

from romproof.text.diagnostic import suggest
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.tokens import CHAR, IDENT, STRING, as_text
from romproof.toolchains.ca65.obj.dialect import V2_19_GIT, Change, suggest_dialect


def switch(feed: Feed) -> bool | None:
    """Read ``on``, ``off``, ``+``, ``-`` or nothing (on); None after an error."""
    if feed.tok.ends_line or feed.accept("+"):
        return True
    if feed.accept("-"):
        return False
    if feed.at(IDENT) and feed.tok.text.lower() in ("on", "off"):
        value = feed.tok.text.lower() == "on"
        feed.next()
        return value
    feed.error_skip("'on' or 'off' expected")
    return None


def _ignore_switch(asm: Assembly) -> None:
    """A switch about things we always or never do."""
    switch(asm.feed)


def _autoimport(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None:
        asm.settings.autoimport = value


def _case(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None:
        asm.settings.syntax.ignore_case = not value


def _linecont(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None:
        asm.settings.syntax.line_continuation = value


def _help_on_switch(feed: Feed) -> str:
    """What to do about a word behind a feature, where features are only switched on."""
    if feed.tok.text.lower() in ("+", "-", "on", "off"):
        return f"the dialect {V2_19_GIT.name} switches features: {V2_19_GIT.request}"
    return "between features there is a comma"


def _feature(asm: Assembly) -> None:
    feed = asm.feed
    while True:
        if not feed.at(IDENT):
            feed.error_skip("Identifier expected")
            return
        name = feed.tok.text.lower()
        syntax = asm.settings.syntax
        if name not in syntax.dialect.features:
            help = suggest_dialect(name) or suggest(name, syntax.dialect.features)
            feed.error_skip(f"Invalid feature: '{name}'", help=help)
            return
        if name == "addrsize" and Change.ADDRSIZE_IS_KNOWN in syntax.dialect:
            feed.warning("Deprecated feature 'addrsize'", help=".addrsize is always there")
        feed.next()
        on: bool | None = True
        if not feed.at(",") and not feed.tok.ends_line:
            if Change.SWITCHED_FEATURES not in syntax.dialect:
                help = _help_on_switch(feed)
                feed.error_skip("Unexpected trailing garbage characters", help=help)
                return
            on = switch(feed)
        if on is None:
            return
        syntax.switch(name, on)
        if not feed.accept(","):
            return


def _localchar(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(CHAR):
        feed.error_skip("Character constant expected")
        return
    character = chr(feed.tok.number)
    if character in "@?":
        asm.settings.syntax.local_start = character
    else:
        feed.error("Invalid start character for locals", help="it is '@' or '?'")
    feed.next()


def _setcpu(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        feed.error_skip("String constant expected")
        return
    _choose(asm, as_text(feed.tok.text))
    feed.next()


def _choose(asm: Assembly, name: str) -> None:
    dialect = asm.settings.syntax.dialect
    for cpu in dialect.cpus:
        if cpu.lower() == name.lower():
            asm.settings.use_cpu(cpu)
            return
    help = "the CPUs are " + ", ".join(dialect.cpus)
    asm.feed.error("CPU not supported", help=suggest_dialect(name) or help)


def _cpu(name: str) -> Callable[[Assembly], None]:
    return lambda asm: _choose(asm, name)


def _pushcpu(asm: Assembly) -> None:
    if len(asm.settings.pushed_cpus) >= 8:
        asm.feed.error_skip("CPU stack overflow")
    else:
        asm.settings.pushed_cpus.append(asm.settings.cpu)


def _popcpu(asm: Assembly) -> None:
    if not asm.settings.pushed_cpus:
        asm.feed.error_skip("CPU stack is empty")
    else:
        asm.settings.use_cpu(asm.settings.pushed_cpus.pop())


def _width(placeholder: str, wide: bool) -> Callable[[Assembly], None]:
    """How long immediate values for some registers of the 65816 are."""

    def command(asm: Assembly) -> None:
        if asm.settings.cpu != "65816":
            asm.feed.error("Command is only valid in 65816 mode")
        else:
            (asm.settings.wide.add if wide else asm.settings.wide.discard)(placeholder)

    return command


def _pushcharmap(asm: Assembly) -> None:
    if len(asm.settings.pushed_charmaps) >= 16:
        asm.feed.error_skip("Charmap stack overflow")
    else:
        asm.settings.pushed_charmaps.append(list(asm.settings.charmap))


def _popcharmap(asm: Assembly) -> None:
    if not asm.settings.pushed_charmaps:
        asm.feed.error_skip("Charmap stack is empty")
    else:
        asm.settings.charmap[:] = asm.settings.pushed_charmaps.pop()


def _smart(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None:
        asm.settings.smart = value


def _list(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None and not asm.feed.record.switch_listing(value):
        asm.feed.error("Counter underflow", help="the listing is off already")


def _use_number(
    low: int, high: int, use: Callable[[Assembly, int], None]
) -> Callable[[Assembly], None]:
    """A number about listings; ``use`` is given 0 for ``unlimited``."""

    def command(asm: Assembly) -> None:
        if asm.feed.at(IDENT) and asm.feed.tok.value == "unlimited":
            asm.feed.next()
            use(asm, 0)
            return
        value = asm.expressions.constant()
        if not low <= value <= high:
            asm.feed.error(
                "Range error", asm.feed.operand, help=f"it is {low}..{high} or 'unlimited'"
            )
        use(asm, value)

    return command


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".a16": _width("nm", wide=True),
    ".a8": _width("nm", wide=False),
    ".autoimport": _autoimport,
    ".case": _case,
    ".feature": _feature,
    ".i16": _width("nx", wide=True),
    ".i8": _width("nx", wide=False),
    ".linecont": _linecont,
    ".list": _list,
    ".listbytes": _use_number(4, 255, lambda asm, most: asm.feed.record.list_bytes(most)),
    ".localchar": _localchar,
    ".p02": _cpu("6502"),
    ".p02x": _cpu("6502X"),
    ".p4510": _cpu("4510"),
    ".p45gs02": _cpu("45GS02"),
    ".p6280": _cpu("HuC6280"),
    ".p816": _cpu("65816"),
    ".pagelength": _use_number(32, 127, lambda asm, lines: asm.feed.record.page_length(lines)),
    ".pc02": _cpu("65C02"),
    ".pce02": _cpu("65CE02"),
    ".pdtv": _cpu("6502DTV"),
    ".pm740": _cpu("m740"),
    ".popcharmap": _popcharmap,
    ".popcpu": _popcpu,
    ".psc02": _cpu("65SC02"),
    ".psweet16": _cpu("sweet16"),
    ".pushcharmap": _pushcharmap,
    ".pushcpu": _pushcpu,
    ".pwc02": _cpu("W65C02"),
    ".setcpu": _setcpu,
    ".smart": _smart,
}
