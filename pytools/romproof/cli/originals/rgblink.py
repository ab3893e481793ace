"""``romproof rgblink``: the linker with the command line of RGBDS's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from romproof.cli.echo import echo
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import HELP, BadCommandLine, Option, operand, read
from romproof.cli.originals.rgbds_arguments import byte, parse, whole_number
from romproof.cli.originals.rgbds_files import display_name, read_file, write_outputs
from romproof.cli.originals.rgbds_options import (
    COLOUR,
    DIALECT,
    VERBOSE,
    VERSION,
    RgbdsSettings,
    backtrace,
    output_file,
    show_version,
    warning,
)
from romproof.cli.originals.setters import append, put, switch
from romproof.cli.output import show_diagnostics
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.errors import RomproofError
from romproof.toolchains.rgbds.link import LinkOptions, link, map_text, rom_bytes, sym_text
from romproof.toolchains.rgbds.obj.model import RgbdsObject
from romproof.toolchains.rgbds.obj.rgb9 import read_object
from romproof.toolchains.rgbds.obj.sdcc import is_sdcc, read_sdcc
from romproof.toolchains.rgbds.obj.types import SectionType


@dataclass(frozen=True)
class _Settings(RgbdsSettings, LinkOptions):
    """What the command line says: the linker's options, and what to do with its results."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    files: tuple[str, ...] = ()
    script_file: str | None = None
    overlay_file: str | None = None
    output: str | None = None
    symbols: str | None = None
    map: str | None = None
    symbols_in_map: bool = True


def _scramble(settings: _Settings, _: str, spec: str) -> _Settings:
    """Take a specification such as ``romx=64, wramx``: how many banks to use of each type."""
    scramble = dict(settings.scramble)
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
            settings.diagnostics.warning(
                f"'-S {name}={banks}' is used instead of {scramble[type_]} banks"
            )
        scramble[type_] = banks
    return replace(settings, scramble=scramble)


OPTIONS = (
    operand(append("files")),
    backtrace("quiet_places"),
    DIALECT,
    Option("-d --dmg", switch("dmg"), "Refuse features of the Color; implies -w."),
    HELP,
    Option("-l --linkerscript FILE", output_file("script_file"),
           "Place sections by this linker script."),
    Option("-m --map FILE", output_file("map"), "Write a map of the output."),
    Option("-M --no-sym-in-map", switch("symbols_in_map", to=False),
           "Leave the symbols out of the map."),
    Option("-n --sym FILE", output_file("symbols"), "Write all labels with their addresses."),
    Option("-O --overlay FILE", output_file("overlay_file"),
           "Fill the ROM between sections with the bytes of this ROM."),
    Option("-o --output FILE", output_file("output"), "Write the ROM."),
    Option("-p --pad VALUE", put("pad", byte), "Fill the ROM between sections with this byte."),
    Option("-S --scramble SPEC", _scramble, "Spread sections over many banks, e.g. romx=4,wramx."),
    Option("-s", gone="0.7.0 is the last that has it; leave it out, with its argument"),
    Option("-t --tiny", switch("tiny"), "One ROM0 of 32 KiB, no ROMX."),
    VERSION,
    VERBOSE,
    warning(append("warnings")),
    Option("-w --wramx", switch("flat_wram"), "One WRAM0 of 8 KiB, no WRAMX."),
    Option("-x --nopad", switch("no_pad"), "End the ROM after its last byte; implies -t."),
    COLOUR,
)  # fmt: skip


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
    settings = read(words, OPTIONS, _Settings(), parse)
    if settings.version:
        return show_version("rgblink")
    if not settings.files:
        raise BadCommandLine("no object file was given (pass '-' to read from standard input)")
    diagnostics = settings.diagnostics
    objects = _read_objects(settings.files, diagnostics)
    linked = link(objects, _options(settings), diagnostics)
    rom = rom_bytes(linked)
    outputs: list[tuple[str, bytes | str]] = []
    if settings.output is not None:
        outputs.append((settings.output, rom))
    if settings.symbols is not None:
        outputs.append((settings.symbols, sym_text(linked, settings.release is None)))
    if settings.map is not None:
        outputs.append((settings.map, map_text(linked, settings.symbols_in_map)))
    others = (settings.script_file, settings.overlay_file)
    write_outputs(outputs, [*settings.files, *(name for name in others if name is not None)])
    show_diagnostics(diagnostics.items)
    if settings.verbose:
        echo(
            f"rgblink: {len(objects)} objects, {len(linked.sections)} sections, {len(rom)} bytes",
            err=True,
        )
    return 0


def _options(settings: _Settings) -> LinkOptions:
    """The linker's options, after the files they name are read."""
    script, overlay = settings.script_file, settings.overlay_file
    return replace(
        settings,
        script=None if script is None else Path(script),
        overlay=None if overlay is None else read_file(overlay),
        by_hash=settings.release is not None,
    )


def _read_objects(files: Sequence[str], diagnostics: Diagnostics) -> list[RgbdsObject]:
    """All objects; what is wrong with any of the files is reported together."""
    objects = []
    for name in files:
        try:
            data = read_file(name)
            read = read_sdcc if is_sdcc(data) else read_object
            objects.append(read(data, display_name(name)))
        except OSError as fault:
            diagnostics.error(f"{name}: {fault.strerror}")
        except RomproofError as fault:
            diagnostics.error(str(fault))
    if diagnostics.errors:
        raise BuildFailed(diagnostics.items)
    return objects


COMMAND = Tool("rgblink", run, OPTIONS, "[OPTIONS] FILE...")
