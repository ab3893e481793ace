"""Arguments that name something in a program: what names nothing is a wrong argument, exit code 2.

They can be looked up only when the program is built, so click does not find them by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from romproof.harness.state.values import BadValue
from romproof.program.image import UnknownSymbol
from romproof.timing.graph import NoCode

if TYPE_CHECKING:
    from romproof.harness.machine import Machine
    from romproof.harness.rom import Rom


@contextmanager
def attribute_to(hint: str) -> Iterator[None]:
    """What is looked up inside was named by the argument or option ``hint``.

    Raises BadParameter where a symbol is unknown, has no code, or another size than is given.
    """
    try:
        yield
    except (UnknownSymbol, NoCode, BadValue) as fault:
        raise click.BadParameter(str(fault), param_hint=f"'{hint}'") from None


def check_call(rom: Rom, symbol: str | int) -> None:
    """That ``--call`` names code. Raises BadParameter."""
    machine = rom.machine()
    with attribute_to("--call"):
        machine.read(symbol, 1)  # raises for symbols in banks that are not loaded, too
        address = rom.image.address(symbol) if isinstance(symbol, str) else symbol
        image = machine.show(symbol)
        line = image.line_at(address)
        if not machine.board.executable[address] or (line is not None and not line.is_code):
            raise NoCode(f"there is no code at {image.describe(address)}")


def check_memory(
    rom: Rom,
    memory: Iterable[tuple[str | int, bytes]],
    reads: Iterable[tuple[str | int, int | None]] = (),
) -> None:
    """That ``--mem`` and ``--read`` name memory of the sizes given. Raises BadParameter."""
    machine: Machine = rom.machine()
    with attribute_to("--mem"):
        for place, data in memory:
            machine.write(place, data)
    with attribute_to("--read"):
        for place, size in reads:
            machine.read(place, size)


def hint_of_symbols(*roms: Rom) -> str:
    """The end of a message that no routine was found; "" where symbols are known."""
    if any(rom.image.symbols for rom in roms):
        return ""
    return "; there are no symbols: name a file of symbols with --symbols"


def why_none(rom: Rom, title: str) -> str:
    """Why nobody finds a routine in the program ``title``, and what to do about it."""
    blocks = [range(b.address, b.address + len(b.data)) for b in rom.loaded.blocks]
    labels = [s for s in rom.loaded.symbols if s.is_label and any(s.value in b for b in blocks)]
    if not labels:
        return "no public label with code" + hint_of_symbols(rom)
    if rom.image.lines:
        return "no label with code"
    return (
        f"it is not known which of its {len(labels)} labels are code, and no vector leads to "
        f"one; name a routine, such as {title}:{labels[0].name}, or its sources with --sources"
    )


def say_not_loaded(name: str, rom: Rom) -> None:
    """Say on stderr which routines with contracts the program ``name`` has in banks that are not
    loaded: nobody looks at them."""
    away = rom.not_loaded()
    if not away:
        return
    areas = sorted(set(away.values()))
    shown = ", ".join(list(away)[:_SHOWN]) + (" …" if len(away) > _SHOWN else "")
    several = "s" if len(away) > 1 else ""
    click.echo(
        f"{name}: {len(away)} contract{several} skipped, in banks that are not loaded: {shown}; "
        f"load one with banks = ['{areas[0]}']",
        err=True,
    )


_SHOWN = 4
"""Routines that are named before the rest is counted."""
