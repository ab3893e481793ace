"""``romproof rgblink``: the linker with the command line of RGBDS's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import (
    FILE,
    BadCommandLine,
    Option,
    byte_argument,
    parse,
    whole_number,
)
from romproof.cli.originals.command import (
    COLOUR,
    DIALECT,
    HelpWanted,
    Tool,
    backtrace,
    choose_colour,
    display_name,
    read_dialect,
    show_version,
    standard_input,
    write_outputs,
)
from romproof.support.reading import read_input
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.link import LinkOptions
    from romproof.toolchains.rgbds.obj.model import RgbdsObject
    from romproof.toolchains.rgbds.obj.types import SectionType


_PAD = Option("p", "pad", "VALUE", "Fill the ROM between sections with this byte.")
OPTIONS = (
    Option("B", "backtrace", "PARAM", "Format of backtraces: 'all' shows quiet entries, too."),
    DIALECT,
    Option("d", "dmg", help="Refuse features of the Color; implies -w."),
    Option("h", "help", help="Show this text."),
    Option("l", "linkerscript", "FILE", "Place sections by this linker script."),
    Option("m", "map", "FILE", "Write a map of the output."),
    Option("M", "no-sym-in-map", help="Leave the symbols out of the map."),
    Option("n", "sym", "FILE", "Write all labels with their addresses."),
    Option("O", "overlay", "FILE", "Fill the ROM between sections with the bytes of this ROM."),
    Option("o", "output", "FILE", "Write the ROM."),
    _PAD,
    Option("S", "scramble", "SPEC", "Spread sections over many banks, e.g. romx=4,wramx."),
    Option("s", gone="0.7.0 is the last that has it; leave it out, with its argument"),
    Option("t", "tiny", help="One ROM0 of 32 KiB, no ROMX."),
    Option("V", "version", help="Show the version."),
    Option("v", "verbose", help="Report progress on stderr."),
    Option("W", "warning", "NAME", "Switch a warning on; -Wno-NAME off, -Werror makes errors."),
    Option("w", "wramx", help="One WRAM0 of 8 KiB, no WRAMX."),
    Option("x", "nopad", help="End the ROM after its last byte; implies -t."),
    COLOUR,
)


@dataclass(slots=True)
class _Words:
    """What the command line says."""

    files: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    paths: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    scramble: dict[SectionType, int] = field(default_factory=dict)
    pad: int | None = None
    quiet_places: bool = False
    dialect: str | None = None


def run(words: Sequence[str]) -> int:
    """Link object files of rgbasm into a ROM, as rgblink of RGBDS 1.0.3 does.

    The files, options and exit codes are those of rgblink(1); '-' is standard
    input or output, '@FILE' stands for the words in FILE. When anything fails,
    nothing is written.

    \b
    Examples:
      romproof rgblink -o game.gb main.o
      romproof rgblink -o game.gb -n game.sym -m game.map -p 0xFF main.o engine.o
      make RGBASM="romproof rgbasm" RGBLINK="romproof rgblink" RGBFIX="romproof rgbfix"
    """
    from romproof.cli.output import show_diagnostics
    from romproof.toolchains.rgbds.link import link, map_text, rom_bytes, sym_text

    diagnostics = Diagnostics()
    said = _read_words(words, diagnostics)
    if "V" in said.flags:
        show_version("rgblink")
        return 0
    if not said.files:
        raise BadCommandLine("no object file was given (pass '-' to read from standard input)")
    objects = _read_objects(said.files, diagnostics)
    linked = link(objects, _options(said), diagnostics)
    rom = rom_bytes(linked)
    outputs: list[tuple[str, bytes | str]] = []
    if "o" in said.paths:
        outputs.append((said.paths["o"], rom))
    if "n" in said.paths:
        outputs.append((said.paths["n"], sym_text(linked, said.dialect is None)))
    if "m" in said.paths:
        outputs.append((said.paths["m"], map_text(linked, "M" not in said.flags)))
    write_outputs(outputs)
    show_diagnostics(diagnostics.items)
    if "v" in said.flags:
        echo(
            f"rgblink: {len(objects)} objects, {len(linked.sections)} sections, {len(rom)} bytes",
            err=True,
        )
    return 0


def _read_words(words: Sequence[str], diagnostics: Diagnostics) -> _Words:
    said = _Words()
    for key, argument in parse(words, OPTIONS):
        if key == FILE:
            said.files.append(argument)
        elif key == "h":
            raise HelpWanted
        elif key in "lmnOo":
            if key in said.paths:
                old = said.paths[key]
                diagnostics.warning(f"'-{key} {argument}' is used instead of '-{key} {old}'")
            said.paths[key] = argument
        elif key == "W":
            said.warnings.append(argument)
        elif key == "p":
            said.pad = byte_argument(_PAD, argument)
        elif key == "S":
            _scramble(argument, said.scramble, diagnostics)
        elif key == "B":
            said.quiet_places = backtrace(argument, said.quiet_places)
        elif key == COLOUR.key:
            choose_colour(argument)
        elif key == DIALECT.key:
            said.dialect = read_dialect(words)
        else:
            said.flags.add(key)
    return said


def _options(said: _Words) -> LinkOptions:
    from romproof.toolchains.rgbds.link import LinkOptions

    overlay = said.paths.get("O")
    return LinkOptions(
        tiny="t" in said.flags,
        flat_wram="w" in said.flags,
        dmg="d" in said.flags,
        no_pad="x" in said.flags,
        pad=said.pad,
        script=Path(said.paths["l"]) if "l" in said.paths else None,
        overlay=None if overlay is None else _read(overlay),
        scramble=said.scramble,
        warnings=tuple(said.warnings),
        quiet_places=said.quiet_places,
        by_hash=said.dialect is not None,
    )


def _read(name: str) -> bytes:
    return standard_input() if name == "-" else read_input(name)


def _read_objects(files: Sequence[str], diagnostics: Diagnostics) -> list[RgbdsObject]:
    """All objects; what is wrong with any of the files is reported together."""
    from romproof.toolchains.rgbds.obj.rgb9 import read_object
    from romproof.toolchains.rgbds.obj.sdcc import is_sdcc, read_sdcc

    objects = []
    for name in files:
        try:
            data = _read(name)
            read = read_sdcc if is_sdcc(data) else read_object
            objects.append(read(data, display_name(name)))
        except OSError as fault:
            diagnostics.error(f"{name}: {fault.strerror}")
        except RomproofError as fault:
            diagnostics.error(str(fault))
    if diagnostics.errors:
        raise BuildFailed(diagnostics.items)
    return objects


def _scramble(spec: str, scramble: dict[SectionType, int], diagnostics: Diagnostics) -> None:
    """Take a specification such as ``romx=64, wramx``: how many banks to use of each type."""
    from romproof.toolchains.rgbds.obj.types import SectionType

    regions = spec.split(",")
    if not regions[-1].strip(" \t"):
        regions.pop()
    for region in regions:
        name, equals, size = (part.strip(" \t") for part in region.partition("="))
        type_ = {t.name: t for t in SectionType}.get(name.upper())
        if type_ not in (SectionType.ROMX, SectionType.SRAM, SectionType.WRAMX):
            raise BadCommandLine(f"'-S {spec}': '{name}' is not one of romx, sram and wramx")
        most = type_.memory.last_bank
        banks = whole_number(size) if equals else most
        if banks is None or (not equals and type_ is not SectionType.WRAMX):
            raise BadCommandLine(f"'-S {spec}': {name} needs a number of banks, e.g. {name}=4")
        if banks > most:
            raise BadCommandLine(f"'-S {spec}': the banks of {name} must be within 0..{most}")
        if scramble.get(type_, 0) not in (0, banks):
            diagnostics.warning(f"'-S {name}={banks}' is used instead of {scramble[type_]} banks")
        scramble[type_] = banks


COMMAND = Tool("rgblink", run, OPTIONS, "[OPTIONS] FILE...")
