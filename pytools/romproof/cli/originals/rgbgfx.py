"""``romproof rgbgfx``: pictures to a Game Boy's tiles, with the command line of RGBDS's tool."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from romproof.cli.echo import echo
from romproof.cli.originals.command import Tool
from romproof.cli.originals.gfx_numbers import (
    base_palette,
    base_tiles,
    bit_depth,
    most_palettes,
    most_tiles,
    palette_size,
    picture_slice,
    stride,
    trim,
)
from romproof.cli.originals.options import (
    HELP,
    LONG_HELP,
    BadCommandLine,
    Option,
    operand,
    read,
)
from romproof.cli.originals.rgbds_arguments import parse
from romproof.cli.originals.rgbds_files import read_file, write_outputs
from romproof.cli.originals.rgbds_options import (
    COLOUR,
    DIALECT,
    VERBOSE,
    VERSION,
    RgbdsSettings,
    read_dialect,
    show_version,
    warning,
)
from romproof.cli.originals.setters import Setter, ignore, switch
from romproof.cli.output import wants_colour
from romproof.support.reading import read_input
from romproof.toolchains.rgbds.gfx import (
    DMG_DEFAULT,
    FORMATS,
    Aborted,
    GfxOptions,
    Outputs,
    PaletteSource,
    PictureReport,
    background_color,
    convert,
    convert_palettes,
    dmg_register,
    inline_palettes,
    read_palettes,
    reverse,
)


@dataclass(frozen=True)
class _Settings(RgbdsSettings, GfxOptions):
    """What the command line says.

    ``automatic`` are the fields of files that are named like the picture, or with ``grouped`` like
    its tiles; ``external`` is a file of palettes with its format. ``palette_size`` is 0 where
    ``bit_depth`` decides. ``read`` are the files that were read.
    """

    report: PictureReport = field(default_factory=PictureReport)
    automatic: frozenset[str] = frozenset()
    grouped: bool = False
    reversed: bool = False
    external: str | None = None
    palette_size: int = 0
    read: list[str] = field(default_factory=list)

    def open(self, name: str) -> bytes:
        """What is in a file, which is an input from now on."""
        self.read.append(name)
        return read_file(name)


_EXTENSIONS = {
    "attribute_map": ".attrmap",
    "tilemap": ".tilemap",
    "palette_file": ".pal",
    "palette_map": ".palmap",
}
"""Of the files of -A, -T, -P and -Q."""


def _picture(settings: _Settings, _: str, name: str) -> _Settings:
    if settings.input:
        raise BadCommandLine(f"two pictures were given: '{settings.input}' and '{name}'")
    if not name:
        raise BadCommandLine("the path of the picture is empty")
    return replace(settings, input=name)


def _automatic(field: str) -> Setter:
    return lambda settings, *_: replace(settings, automatic=settings.automatic | {field})


def _file(field: str, what: str) -> Setter:
    """Set ``field`` to the name of a file; ``what`` is how messages call an earlier one."""

    def setter(settings: Any, _: str, path: str) -> Any:
        old = getattr(settings, field)
        if old:
            settings.report.warn(f"Overriding {what.format(old)}")
        automatic = settings.automatic - {field}
        return replace(settings, automatic=automatic, **{field: path})

    return setter


def _reported(field: str, convert: Callable[[str, PictureReport], object]) -> Setter:
    """Set ``field``; what is wrong with the argument is reported."""
    return lambda settings, _, text: replace(settings, **{field: convert(text, settings.report)})


def _reverse(settings: _Settings, _: str, text: str) -> _Settings:
    return replace(settings, reversed=True, stride=stride(text, settings.report))


def _warning(settings: _Settings, _: str, text: str) -> _Settings:
    complaint = settings.report.settings.apply(text)
    if complaint is not None:
        settings.report.warn(complaint)
    return settings


def _no_warnings(settings: _Settings, *_: str) -> _Settings:
    settings.report.settings.silent = True
    return settings


def _palettes(settings: _Settings, _: str, text: str) -> _Settings:
    settings = replace(settings, external=None)
    word = text.lower()
    if text.startswith("#"):
        given = inline_palettes(text, settings.report)
        return replace(settings, palette_source=PaletteSource.EXPLICIT, palettes_given=given)
    if word in ("embedded", "auto"):
        return replace(settings, palette_source=PaletteSource(word))
    if word == "dmg" or word.startswith("dmg="):
        shades = dmg_register(text[4:], settings.report) if word[3:] else DMG_DEFAULT
        return replace(settings, palette_source=PaletteSource.DMG, dmg=shades)
    return replace(settings, palette_source=PaletteSource.EXPLICIT, external=text)


OPTIONS = (
    operand(_picture),
    Option("-A --auto-attr-map", _automatic("attribute_map"),
           "Write the attribute map beside the picture, as .attrmap."),
    Option("-a --attr-map FILE", _file("attribute_map", 'attrmap file "{}"'),
           "Write the attribute map: bank, mirroring, palette."),
    Option("-B --background-color COLOUR", _reported("background", background_color),
           "Leave out tiles that are all of this colour."),
    Option("-b --base-tiles IDS", _reported("base_tiles", base_tiles),
           "Number the tiles of bank 0, or 0 and 1, from these on."),
    Option("-C --color-curve", switch("curve"), "Correct colours for a Game Boy Color's screen."),
    Option("-c --colors SPEC", _palettes,
           "Use these palettes: #fff,#000;..., embedded, dmg, FORMAT:FILE."),
    DIALECT,
    Option("-d --depth BITS", _reported("bit_depth", bit_depth),
           "Write 1 or 2 bits for each pixel."),
    HELP,
    Option("-i --input-tileset FILE", _file("input_tiles", 'input tileset file "{}"'),
           "Use these tiles first."),
    Option("-L --slice SLICE", _reported("slice", picture_slice),
           "Convert this part: left,top:width,height; pixels, then tiles."),
    Option("-l --base-palette ID", _reported("base_palette", base_palette),
           "Number the palettes from this one on."),
    Option("-m --mirror-tiles", switch("mirror_x", "mirror_y", "unique"),
           "Leave out tiles that mirror another tile; implies -u."),
    Option("-N --nb-tiles NUMBERS", _reported("most_tiles", most_tiles),
           "Have at most this many tiles in bank 0, or 0 and 1."),
    Option("-n --nb-palettes NUMBER", _reported("most_palettes", most_palettes),
           "Have at most this many palettes."),
    Option("-O --group-outputs", switch("grouped"),
           "Put -A, -P, -Q and -T beside the output of -o."),
    Option("-o --output FILE", _file("tiles", "tile data file {}"), "Write the tiles."),
    Option("-P --auto-palette", _automatic("palette_file"),
           "Write the palettes beside the picture, as .pal."),
    Option("-p --palette FILE", _file("palette_file", "palettes file {}"), "Write the palettes."),
    Option("-Q --auto-palette-map", _automatic("palette_map"),
           "Write the palette map beside the picture, as .palmap."),
    Option("-q --palette-map FILE", _file("palette_map", "palette map file {}"),
           "Write the palette of each tile."),
    Option("-r --reverse WIDTH", _reverse,
           "Make the picture from the other files, so many tiles wide."),
    Option("-s --palette-size NUMBER", _reported("palette_size", palette_size),
           "Have this many colours in a palette."),
    Option("-T --auto-tilemap", _automatic("tilemap"),
           "Write the tile map beside the picture, as .tilemap."),
    Option("-t --tilemap FILE", _file("tilemap", "tilemap file {}"),
           "Write the number of each tile."),
    Option("-U --unit-size SIZE", gone="no release does anything with it; leave it out"),
    Option("-u --unique-tiles", switch("unique"), "Leave out repeated tiles."),
    VERSION,
    VERBOSE,
    warning(_warning),
    Option("-w", _no_warnings, "No warnings that an option governs."),
    Option("-X --mirror-x", switch("mirror_x", "unique"), "As -m, left and right only."),
    Option("-x --trim-end NUMBER", _reported("trim", trim),
           "Leave out this many tiles at the end."),
    Option("-Y --mirror-y", switch("mirror_y", "unique"), "As -m, top and bottom only."),
    Option("-Z --columns", switch("by_columns"), "Take tiles by columns."),
    COLOUR,
)  # fmt: skip
_REPAIR = "it changed the picture or looked at its palette; leave it out"
_OLD = (
    Option("-h --horizontal", switch("by_columns"),
           "Take tiles by columns, as -Z of later releases."),
    Option("-D --debug", ignore, "Accepted, without effect."),
    Option("-f --fix", gone=_REPAIR),
    Option("-F --fix-and-save", gone=_REPAIR),
    Option("-C --color-debug", ignore, "Accepted, without effect."),
)  # fmt: skip
"""Options of RGBDS 0.5 that mean something else today, or nothing."""
_OLD_OPTIONS = (*(o for o in OPTIONS if not (o.short and o.short in "hDfFC")), *_OLD, LONG_HELP)


def run(words: Sequence[str]) -> int:
    """Convert a picture to tiles, maps and palettes, as rgbgfx of RGBDS 1.0.3 does.

    The files, options, messages and exit codes are those of rgbgfx(1); pictures are
    PNGs, '-' is standard input or output, '@FILE' stands for the words in FILE.
    When anything fails, nothing is written.

    \b
    Examples:
      romproof rgbgfx -o tiles.2bpp tiles.png                  every tile
      romproof rgbgfx -u -o map.2bpp -t map.tilemap map.png    different ones, and a map
      romproof rgbgfx -c '#fff,#aaa,#555,#000' -o font.2bpp font.png
      romproof rgbgfx -c gbc:hero.pal -m -O -A -T -o hero.2bpp hero.png
      romproof rgbgfx -r 16 -o tiles.2bpp back.png             tiles to a picture
    """
    settings = _Settings()
    report = settings.report
    outputs: Outputs = []
    try:
        options = _OLD_OPTIONS if read_dialect(words, _OLD_OPTIONS) == "0.5" else OPTIONS
        settings = read(words, options, settings, parse)
        if settings.version:
            return show_version("rgbgfx")
        settings = _complete(settings)
        outputs = _convert(settings)
    except Aborted as fault:
        _show(report, str(fault))
        return 1
    except BadCommandLine:
        _show(report)
        raise
    write_outputs(outputs, settings.read)
    _show(report)
    if settings.verbose:
        sizes = ", ".join(f"{path}: {len(data)} bytes" for path, data in outputs)
        echo(f"rgbgfx: {sizes or 'nothing to write'}", err=True)
    return 0


def _convert(settings: _Settings) -> Outputs:
    if settings.input:
        return (reverse if settings.reversed else convert)(settings, settings.open, settings.report)
    explicit = settings.palette_source is PaletteSource.EXPLICIT
    if settings.palette_file and explicit and not settings.reversed:
        return convert_palettes(settings, settings.report)
    raise BadCommandLine('no picture was given (pass "-" to read from standard input)')


_COLOURS = {"error": "\x1b[1;31m", "FATAL": "\x1b[1;31m", "warning": "\x1b[1;33m"}


def _show(report: PictureReport, end: str = "") -> None:
    coloured = wants_colour(sys.stderr)
    for kind, text in report.lines:
        start = f"{_COLOURS[kind]}{kind}:\x1b[0m " if coloured and kind else f"{kind}: "
        echo((start if kind else "") + text, err=True)
    if end:
        echo(end, err=True)


def _complete(settings: _Settings) -> _Settings:
    """The settings with what can only be said when all are known. Raises Aborted."""
    report, depth = settings.report, settings.bit_depth
    size = settings.palette_size or 1 << depth
    if size > 1 << depth:
        report.error(f"{depth}bpp palettes can only contain {1 << depth} colors, not {size}")
    settings = _name_automatic(replace(settings, colors_per_palette=size))
    if settings.external is not None:
        settings = _read_external(settings, settings.external)
    report.require_no_errors()
    return settings


def _read_external(settings: _Settings, spec: str) -> _Settings:
    """The settings with the palettes of the file that ``FORMAT:FILE`` names."""
    report = settings.report
    name, colon, path = spec.partition(":")
    if not colon:
        report.error('External palette spec must have format "fmt:path" (missing colon)')
    elif name.upper() not in FORMATS:
        report.error(f'Unknown external palette format "{name}"')
    elif not report.errors:
        try:
            data = read_input(path)
            settings.read.append(path)
        except OSError as fault:
            report.fatal(f'Failed to open palette file "{path}": {fault.strerror}')
        size, most = settings.colors_per_palette, settings.most_palettes
        given = read_palettes(name, data, path, size, most, report)
        return replace(settings, palettes_given=given)
    return settings


def _name_automatic(settings: _Settings) -> _Settings:
    """The settings with the names of the files of -A, -P, -Q and -T."""
    if settings.grouped:
        start = "Grouping outputs ('-O') is enabled, but without"
        if not settings.automatic:
            settings.report.warn(f"{start} any automatic output paths ('-A', '-P', '-Q', or '-T')")
        if not settings.tiles:
            settings.report.warn(f"{start} an output tile data file ('-o')")
    if not settings.automatic:
        return settings
    base = settings.tiles if settings.grouped else settings.input
    if not base:
        missing = "output of tiles (-o)" if settings.grouped else "picture"
        raise BadCommandLine(f"no {missing} was given")
    names: Any = {name: _with_extension(base, _EXTENSIONS[name]) for name in settings.automatic}
    return replace(settings, **names)


def _with_extension(path: str, extension: str) -> str:
    """The path with another extension; a name that begins with a dot has none."""
    start, dot, end = path.rpartition(".")
    if not dot or "/" in end or not start or start[-1] in "./":
        return path + extension
    return start + extension


COMMAND = Tool("rgbgfx", run, OPTIONS, "[OPTIONS] FILE")
