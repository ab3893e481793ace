"""``romproof rgbgfx``: pictures to a Game Boy's tiles, with the command line of RGBDS's tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import FILE, BadCommandLine, Option, parse
from romproof.cli.originals.command import (
    COLOUR,
    DIALECT,
    HelpWanted,
    Tool,
    choose_colour,
    read_dialect,
    show_version,
    standard_input,
    write_outputs,
)
from romproof.support.reading import read_input

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.gfx import GfxOptions, Outputs, PictureReport

OPTIONS = (
    Option("A", "auto-attr-map", help="Write the attribute map beside the picture, as .attrmap."),
    Option("a", "attr-map", "FILE", "Write the attribute map: bank, mirroring, palette."),
    Option("B", "background-color", "COLOUR", "Leave out tiles that are all of this colour."),
    Option("b", "base-tiles", "IDS", "Number the tiles of bank 0, or 0 and 1, from these on."),
    Option("C", "color-curve", help="Correct colours for a Game Boy Color's screen."),
    Option("c", "colors", "SPEC", "Use these palettes: #fff,#000;..., embedded, dmg, FORMAT:FILE."),
    DIALECT,
    Option("d", "depth", "BITS", "Write 1 or 2 bits for each pixel."),
    Option("h", "help", help="Show this text."),
    Option("i", "input-tileset", "FILE", "Use these tiles first."),
    Option("L", "slice", "SLICE", "Convert this part: left,top:width,height; pixels, then tiles."),
    Option("l", "base-palette", "ID", "Number the palettes from this one on."),
    Option("m", "mirror-tiles", help="Leave out tiles that mirror another tile; implies -u."),
    Option("N", "nb-tiles", "NUMBERS", "Have at most this many tiles in bank 0, or 0 and 1."),
    Option("n", "nb-palettes", "NUMBER", "Have at most this many palettes."),
    Option("O", "group-outputs", help="Put -A, -P, -Q and -T beside the output of -o."),
    Option("o", "output", "FILE", "Write the tiles."),
    Option("P", "auto-palette", help="Write the palettes beside the picture, as .pal."),
    Option("p", "palette", "FILE", "Write the palettes."),
    Option("Q", "auto-palette-map", help="Write the palette map beside the picture, as .palmap."),
    Option("q", "palette-map", "FILE", "Write the palette of each tile."),
    Option("r", "reverse", "WIDTH", "Make the picture from the other files, so many tiles wide."),
    Option("s", "palette-size", "NUMBER", "Have this many colours in a palette."),
    Option("T", "auto-tilemap", help="Write the tile map beside the picture, as .tilemap."),
    Option("t", "tilemap", "FILE", "Write the number of each tile."),
    Option("U", "unit-size", "SIZE", gone="no release does anything with it; leave it out"),
    Option("u", "unique-tiles", help="Leave out repeated tiles."),
    Option("V", "version", help="Show the version."),
    Option("v", "verbose", help="Report progress on stderr."),
    Option("W", "warning", "NAME", "Switch a warning on; -Wno-NAME off, -Werror makes errors."),
    Option("w", help="No warnings that an option governs."),
    Option("X", "mirror-x", help="As -m, left and right only."),
    Option("x", "trim-end", "NUMBER", "Leave out this many tiles at the end."),
    Option("Y", "mirror-y", help="As -m, top and bottom only."),
    Option("Z", "columns", help="Take tiles by columns."),
    COLOUR,
)
_REPAIR = "it changed the picture or looked at its palette; leave it out"
_OLD = (
    Option("h", "horizontal", help="Take tiles by columns, as -Z of later releases."),
    Option("D", "debug", help="Accepted, without effect."),
    Option("f", "fix", gone=_REPAIR),
    Option("F", "fix-and-save", gone=_REPAIR),
    Option("C", "color-debug", help="Accepted, without effect."),
)
"""Options of RGBDS 0.5 that mean something else today, or nothing."""
_OLD_OPTIONS = (*(o for o in OPTIONS if not (o.short and o.short in "hDfFC")), *_OLD)
_OUTPUTS = {"a": "attrmap file", "o": "tile data file", "p": "palettes file"}
_OUTPUTS |= {"q": "palette map file", "t": "tilemap file", "i": "input tileset file"}
"""What messages call files; where ``-i`` and ``-a`` are concerned, in quotes."""
_AUTOMATIC = {"A": ("a", ".attrmap"), "T": ("t", ".tilemap"), "P": ("p", ".pal")}
_AUTOMATIC |= {"Q": ("q", ".palmap")}
_NUMBERS = "BLNbdlnrsx"
_FLAGS = {
    "C": ("curve",),
    "m": ("mirror_x", "mirror_y", "unique"),
    "u": ("unique",),
    "X": ("mirror_x", "unique"),
    "Y": ("mirror_y", "unique"),
    "Z": ("by_columns",),
}
_FIELDS = {
    "a": "attribute_map",
    "i": "input_tiles",
    "o": "tiles",
    "p": "palette_file",
    "q": "palette_map",
    "t": "tilemap",
}


@dataclass(slots=True)
class _Words:
    """What the command line says; ``fields`` are those of GfxOptions."""

    report: PictureReport
    fields: dict[str, Any] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    automatic: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)
    input: str = ""
    external: str | None = None
    palette_size: int = 0


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
    from romproof.toolchains.rgbds.gfx import Aborted, PictureReport

    report = PictureReport()
    said = _Words(report)
    outputs: Outputs = []
    try:
        _read_words(words, said)
        if "V" in said.flags:
            show_version("rgbgfx")
            return 0
        options = _options(said)
        report.require_no_errors()
        outputs = _convert(options, said)
    except Aborted as fault:
        _show(report, str(fault))
        return 1
    except BadCommandLine:
        _show(report)
        raise
    write_outputs(outputs)
    _show(report)
    if "v" in said.flags:
        sizes = ", ".join(f"{path}: {len(data)} bytes" for path, data in outputs)
        echo(f"rgbgfx: {sizes or 'nothing to write'}", err=True)
    return 0


def _convert(options: GfxOptions, said: _Words) -> Outputs:
    from romproof.toolchains.rgbds.gfx import PaletteSource, convert, convert_palettes, reverse

    if options.input:
        return (reverse if "r" in said.flags else convert)(options, _read, said.report)
    explicit = options.palette_source is PaletteSource.EXPLICIT
    if options.palette_file and explicit and "r" not in said.flags:
        return convert_palettes(options, said.report)
    raise BadCommandLine('no picture was given (pass "-" to read from standard input)')


def _read(name: str) -> bytes:
    return standard_input() if name == "-" else read_input(name)


_COLOURS = {"error": "\x1b[1;31m", "FATAL": "\x1b[1;31m", "warning": "\x1b[1;33m"}


def _show(report: PictureReport, end: str = "") -> None:
    import sys

    from romproof.cli.output import wants_colour

    coloured = wants_colour(sys.stderr)
    for kind, text in report.lines:
        start = f"{_COLOURS[kind]}{kind}:\x1b[0m " if coloured and kind else f"{kind}: "
        echo((start if kind else "") + text, err=True)
    if end:
        echo(end, err=True)


def _read_words(words: Sequence[str], said: _Words) -> None:
    old = read_dialect(words) == "0.5"
    for key, argument in parse(words, _OLD_OPTIONS if old else OPTIONS):
        if old and key in "hDC" and key != FILE:
            key = {"h": "Z"}.get(key, DIALECT.key)
        if key == FILE:
            _take_input(argument, said)
        elif key == "h":
            raise HelpWanted
        elif key in _FIELDS:
            _take_path(key, argument, said)
        elif key in _AUTOMATIC:
            said.automatic.add(key)
        elif key in _FLAGS:
            said.fields.update(dict.fromkeys(_FLAGS[key], True))
        elif key == "c":
            _take_palettes(argument, said)
        elif key == "W":
            complaint = said.report.settings.apply(argument)
            if complaint is not None:
                said.report.warn(complaint)
        elif key == "w":
            said.report.settings.silent = True
        elif key == COLOUR.key:
            choose_colour(argument)
        elif key == DIALECT.key:
            continue  # it was looked for before
        elif key in _NUMBERS:
            _take_number(key, argument, said)
        else:
            said.flags.add(key)


def _take_input(name: str, said: _Words) -> None:
    if said.input:
        raise BadCommandLine(f"two pictures were given: '{said.input}' and '{name}'")
    if not name:
        raise BadCommandLine("the path of the picture is empty")
    said.input = name


def _take_path(key: str, path: str, said: _Words) -> None:
    said.automatic.discard(key.upper())
    old = said.paths.get(key)
    if old:
        shown = f'"{old}"' if key in "ai" else old
        said.report.warn(f"Overriding {_OUTPUTS[key]} {shown}")
    said.paths[key] = path


def _take_palettes(text: str, said: _Words) -> None:
    from romproof.toolchains.rgbds.gfx import (
        DMG_DEFAULT,
        PaletteSource,
        dmg_register,
        inline_palettes,
    )

    said.external = None
    word = text.lower()
    if text.startswith("#"):
        said.fields["palette_source"] = PaletteSource.EXPLICIT
        said.fields["palettes_given"] = inline_palettes(text, said.report)
    elif word in ("embedded", "auto"):
        said.fields["palette_source"] = PaletteSource(word)
    elif word == "dmg" or word.startswith("dmg="):
        said.fields["palette_source"] = PaletteSource.DMG
        said.fields["dmg"] = dmg_register(text[4:], said.report) if word[3:] else DMG_DEFAULT
    else:
        said.fields["palette_source"] = PaletteSource.EXPLICIT
        said.external = text


def _take_number(key: str, text: str, said: _Words) -> None:
    """The options whose arguments are numbers or colours."""
    from romproof.cli.originals.gfx_numbers import (
        base_tiles,
        most_tiles,
        one_number,
        picture_slice,
    )
    from romproof.toolchains.rgbds.gfx import background_color

    fields, report = said.fields, said.report
    if key == "B":
        fields["background"] = background_color(text, report)
    elif key == "b":
        fields["base_tiles"] = base_tiles(text, report)
    elif key == "N":
        fields["most_tiles"] = most_tiles(text, report)
    elif key == "L":
        fields["slice"] = picture_slice(text, report)
    elif key == "d":
        complaint = "Bit depth ('-d') argument must be a valid number"
        errors = report.errors
        depth = one_number(text, "Bit depth", complaint, report, 2)
        if depth not in (1, 2) and report.errors == errors:
            report.error(f"Bit depth must be 1 or 2, not {depth & 0xFF}")
        fields["bit_depth"] = depth if depth == 1 else 2
    elif key == "l":
        errors = report.errors
        what = "Base palette ID"
        number = one_number(text, what, f"{what} must be a valid number", report, 0)
        if number >= 256 and report.errors == errors:
            report.error(f"{what} must be below 256")
        fields["base_palette"] = number
    elif key == "n":
        what = "Number of palettes"
        complaint = f"{what} ('-n') must be a valid number"
        number = one_number(text, what, complaint, report, 256)
        if number > 256:
            report.error(f"{what} ('-n') must not exceed 256")
        elif number == 0:
            report.error(f"{what} ('-n') may not be 0")
        fields["most_palettes"] = number
    elif key == "r":
        complaint = "Reversed image stride ('-r') must be a valid number"
        fields["stride"] = one_number(text, "Reversed image stride", complaint, report)
        said.flags.add("r")
    elif key == "s":
        complaint = "Palette size ('-s') must be a valid number"
        number = one_number(text, "Number of colors per palette", complaint, report, 4)
        if number > 4:
            report.error("Palette size ('-s') must not exceed 4")
        elif number == 0:
            report.error("Palette size ('-s') may not be 0")
        said.palette_size = number
    else:
        complaint = "Tile trim ('-x') argument must be a valid number"
        fields["trim"] = one_number(text, "Number of tiles to trim", complaint, report, 0)


def _options(said: _Words) -> GfxOptions:
    """The options, after what can only be said when all are known."""
    from romproof.toolchains.rgbds.gfx import FORMATS, GfxOptions, read_palettes

    report = said.report
    depth = said.fields.get("bit_depth", 2)
    size = said.palette_size or 1 << depth
    if size > 1 << depth:
        report.error(f"{depth}bpp palettes can only contain {1 << depth} colors, not {size}")
    _name_automatic(said)
    if said.external is not None:
        name, colon, path = said.external.partition(":")
        if not colon:
            report.error('External palette spec must have format "fmt:path" (missing colon)')
        elif name.upper() not in FORMATS:
            report.error(f'Unknown external palette format "{name}"')
        elif not report.errors:
            try:
                data = read_input(path)
            except OSError as fault:
                report.fatal(f'Failed to open palette file "{path}": {fault.strerror}')
            most = said.fields.get("most_palettes", 8)
            given = read_palettes(name, data, path, size, most, report)
            said.fields["palettes_given"] = given
    report.require_no_errors()
    fields = said.fields | {_FIELDS[key]: path for key, path in said.paths.items()}
    return GfxOptions(input=said.input, colors_per_palette=size, **fields)


def _name_automatic(said: _Words) -> None:
    """The names of the files of -A, -P, -Q and -T."""
    grouped = "O" in said.flags
    if grouped:
        start = "Grouping outputs ('-O') is enabled, but without"
        if not said.automatic:
            said.report.warn(f"{start} any automatic output paths ('-A', '-P', '-Q', or '-T')")
        if not said.paths.get("o"):
            said.report.warn(f"{start} an output tile data file ('-o')")
    for letter in (letter for letter in _AUTOMATIC if letter in said.automatic):
        base = said.paths.get("o", "") if grouped else said.input
        if not base:
            raise BadCommandLine(f"no {'output of tiles (-o)' if grouped else 'picture'} was given")
        key, extension = _AUTOMATIC[letter]
        said.paths[key] = _with_extension(base, extension)


def _with_extension(path: str, extension: str) -> str:
    """The path with another extension; a name that begins with a dot has none."""
    start, dot, end = path.rpartition(".")
    if not dot or "/" in end or not start or start[-1] in "./":
        return path + extension
    return start + extension


COMMAND = Tool("rgbgfx", run, OPTIONS, "[OPTIONS] FILE")
