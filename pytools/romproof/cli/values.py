"""The kinds of values on the command line, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from romproof.text.diagnostic import suggest
from romproof.text.numbers import whole

if TYPE_CHECKING:
    from romproof.isa.abi import Abi

    _ParamType = click.ParamType[Any]
else:  # generic for type checkers only: older releases of click cannot be subscripted
    _ParamType = click.ParamType

TERMINAL = "-"
"""The file that stands for standard output."""

NamesFunction = Callable[[], Iterable[str]]

_NUMBER = re.compile(r"(?:\$|0[xX])(?P<hex>[0-9A-Fa-f]+)|%(?P<bin>[01]+)|(?P<dec>-?[0-9]+)")
MAX_FRAMES = 100_000
"""The highest --frames: half an hour of the machine."""
MAX_CYCLES = 1_000_000_000_000
"""The highest --limit."""


def number(text: str) -> int | None:
    """``12``, ``$0C``, ``0x0C`` or ``%1100`` as a number; None for anything else."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    if match["hex"]:
        return whole(match["hex"], 16)
    if match["bin"]:
        return whole(match["bin"], 2)
    size = whole(match["dec"].lstrip("-"))
    return -size if match["dec"].startswith("-") else size


class Number(_ParamType):
    """A number from ``low`` to ``high``."""

    name = "number"

    def __init__(self, low: int = 0, high: int = 0xFFFF) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        result = value if isinstance(value, int) else number(value)
        if result is None:
            self.fail(f"'{value}' is not a number; write 12 or 0x0C", param, ctx)
        if not self.low <= result <= self.high:
            self.fail(f"{value} is not within {self.low}..{self.high}", param, ctx)
        return result


class RangeArgument(_ParamType):
    """Two addresses ``A-B``, both included."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        low, dash, high = value.partition("-")
        first, last = number(low), number(high)
        if not dash or first is None or last is None:
            self.fail(f"'{value}' is not a range; write 0x8000-0x80FF", param, ctx)
        if not 0 <= first <= last <= 0xFFFF:
            self.fail(f"'{value}' is empty or outside $0000-$FFFF", param, ctx)
        return first, last


class Define(_ParamType):
    """``NAME`` or ``NAME=VALUE``; the value is 0 when it is missing."""

    name = "name[=value]"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        amount = number(text) if equals else 0
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            self.fail(f"'{name}' is not a valid name of a symbol", param, ctx)
        if amount is None:
            self.fail(f"'{text}' is not a number; write {name}=12 or {name}=0x0C", param, ctx)
        return name, amount


class RegisterArgument(_ParamType):
    """``NAME=VALUE`` for a register or a flag of any CPU; see ``registers_and_flags``."""

    name = "name=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        from romproof.isa.abi import ABIS

        if isinstance(value, tuple):
            return value
        name, _, text = value.partition("=")
        name, amount = name.strip().lower(), number(text)
        if not any(name in _highest(abi) for abi in ABIS) or amount is None:
            known = "; ".join(f"{abi.cpu}: {_list_known(abi)}" for abi in ABIS)
            self.fail(
                f"'{value}' is not a register setting; write a=1, x=0x0C, or a flag c=1 ({known})",
                param,
                ctx,
            )
        highest = max(_highest(abi).get(name, 0) for abi in ABIS)
        if not 0 <= amount <= highest:
            self.fail(f"{name}={text} is not within 0..{highest}", param, ctx)
        return name, amount

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from romproof.isa.abi import ABIS

        names = dict.fromkeys(f"{name}=" for abi in ABIS for name in _highest(abi))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def registers_and_flags(
    values: Iterable[tuple[str, int]], cpu: str
) -> tuple[dict[str, Any], dict[str, int]]:
    """What ``--reg`` gave, for a program of ``cpu``: registers as arguments of a call, and
    flags by their letters.

    Raises BadParameter for what that CPU does not have.
    """
    from romproof.isa.abi import abi_of

    abi = abi_of(cpu)
    letters = {flag.name.lower(): flag.letter for flag in abi.flags}
    registers: dict[str, int] = {}
    flags: dict[str, int] = {}
    for name, value in values:
        highest = _highest(abi).get(name)
        if highest is None:
            raise click.BadParameter(
                f"the program is for the {abi.cpu}, which has no '{name}' ({_list_known(abi)})",
                param_hint="'--reg'",
            )
        if value > highest:
            raise click.BadParameter(
                f"{name}={value} is not within 0..{highest}", param_hint="'--reg'"
            )
        if name in letters:
            flags[letters[name]] = value
        else:
            registers[name] = value
    return registers, flags


def _highest(abi: Abi) -> dict[str, int]:
    """The registers, pairs and flags that can be set, each with its highest value."""
    registers = {name: (1 << bits) - 1 for name, bits in abi.settable.items()}
    return registers | {flag.name.lower(): 1 for flag in abi.flags}


def _list_known(abi: Abi) -> str:
    flags = " ".join(flag.name.lower() for flag in abi.flags)
    return f"registers {' '.join(abi.settable)}, flags {flags}"


class PlaceArgument(_ParamType):
    """A symbol, or an address such as ``$0200``."""

    name = "symbol"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | int:
        return place(value)


class BytesArgument(_ParamType):
    """``SYMBOL=HEX``: bytes in the order of their addresses."""

    name = "symbol=hex"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str | int, bytes]:
        if isinstance(value, tuple):
            return value
        name, equals, text = value.rpartition("=")
        digits = re.sub(r"[\s,_]", "", text)
        if not equals or not name or not re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", digits):
            self.fail(
                f"'{value}' is not a memory setting; write SYMBOL=HEX with two digits for each "
                f"byte, lowest address first, e.g. lfsr=12345678 or 0x0200=00ff",
                param,
                ctx,
            )
        return place(name), bytes.fromhex(digits)


class ExtentArgument(_ParamType):
    """``SYMBOL`` or ``SYMBOL:SIZE``: memory to show."""

    name = "symbol[:size]"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str | int, int | None]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(?P<name>.+?)(?:(?<!:):(?P<size>[$\w]+))?", value)
        size = number(match["size"]) if match and match["size"] else None
        if match is None or (match["size"] and (size is None or size < 1)):
            self.fail(f"'{value}' is not a memory range; write deck or deck:78", param, ctx)
        return place(match["name"]), size


class CheckLevel(_ParamType):
    """``NAME=LEVEL``: how seriously a run is checked for something."""

    name = "name=level"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        from romproof.engine.checks import faults_of

        if isinstance(value, tuple):
            return value
        name, _, level = value.partition("=")
        for fault in faults_of({name: level}):
            self.fail(f"{fault} (write stack=warn)", param, ctx)
        return name, level

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from romproof.engine.checks import LEVELS, NAMES

        every = [f"{name}={level}" for name in NAMES for level in LEVELS]
        return [CompletionItem(one) for one in every if one.startswith(incomplete)]


class LazyChoice(_ParamType):
    """One of some names that are only looked up when needed; any case."""

    def __init__(self, name: str, names: NamesFunction) -> None:
        self.name = name
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        names = list(self.names())
        for known in names:
            if known.lower() == value.lower():
                return known
        hint = suggest(value, names)
        known = f"known: {', '.join(names)}" if names else "there is none"
        self.fail(
            f"no {self.name} '{value}'; " + (f"{hint} {known}" if hint else known), param, ctx
        )

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(n) for n in self.names() if n.startswith(incomplete)]


def place(text: str) -> str | int:
    """``text`` as an address if it is a number with a prefix, else as a symbol."""
    text = text.strip()
    if re.match(r"\$|0[xX]", text):
        address = number(text)
        if address is not None:
            return address
    return text


def cpus() -> Iterable[str]:
    """The CPUs that sources can be for."""
    from romproof.projects.manifest import CPUS
    from romproof.toolchains.ca65.obj.cpus import LATER_CPUS

    return dict.fromkeys((*CPUS, *LATER_CPUS))


def list_emulated_cpus() -> Iterable[str]:
    """The CPUs that engines execute."""
    from romproof.isa.cpus import CPUS

    return CPUS


def suites() -> Iterable[str]:
    """The public test suites that can be run."""
    from romproof.conformance.suites import SUITES

    return SUITES


def targets() -> Iterable[str]:
    """The systems the assembler knows symbols and characters of."""
    from romproof.toolchains.ca65.asm.targets import LATER_TARGETS

    return LATER_TARGETS


def dialects() -> Iterable[str]:
    """The releases of ca65 whose language is read."""
    from romproof.toolchains.ca65.obj.dialect import DIALECTS

    return DIALECTS


def trace_formats() -> Iterable[str]:
    """The forms of traces as text."""
    from romproof.report.trace_formats import TRACE_FORMATS

    return TRACE_FORMATS


def clocks() -> Iterable[str]:
    """The named clocks."""
    from romproof.program.clocks import CLOCKS

    return CLOCKS


def engines() -> Iterable[str]:
    """The names an engine can be asked for by."""
    from romproof.engine.engines import engine_names

    return engine_names()


def features() -> Iterable[str]:
    """The names ``.feature`` takes."""
    from romproof.toolchains.ca65.obj.dialect import DIALECTS

    return sorted(frozenset[str]().union(*(dialect.features for dialect in DIALECTS.values())))
