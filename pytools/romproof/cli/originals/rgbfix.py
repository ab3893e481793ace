"""``romproof rgbfix``: the header of a ROM, with the command line of RGBDS's tool."""

from __future__ import annotations

import os
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
    choose_colour,
    display_name,
    read_dialect,
    show_version,
    standard_input,
    write_outputs,
)
from romproof.support.reading import read_input
from romproof.text.diagnostic import BuildFailed, Diagnostics

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.fix import FixOptions, Mbc
    from romproof.toolchains.rgbds.obj.warnings import WarningSettings


OPTIONS = (
    Option("C", "color-only", help="Mark the ROM as Color only."),
    Option("c", "color-compatible", help="Mark the ROM as compatible with the Color."),
    Option("f", "fix-spec", "LETTERS", "l: logo, h: header's checksum, g: global one; LHG: wrong."),
    Option("h", "help", help="Show this text."),
    Option("i", "game-id", "TEXT", "Set the game ID, 4 letters."),
    Option("j", "non-japanese", help="Mark the ROM as not for Japan."),
    Option("k", "new-licensee", "TEXT", "Set the new licensee, 2 letters."),
    Option("L", "logo", "FILE", "Use this logo, 48 bytes of 1bpp tiles."),
    Option("l", "old-licensee", "CODE", "Set the old licensee; 0x33 for the new one to count."),
    Option("m", "mbc-type", "TYPE", "Set the cartridge type; 'list' shows the names."),
    Option("n", "rom-version", "NUMBER", "Set the version of the ROM."),
    Option("O", "overwrite"),
    Option("o", "output", "FILE", "Write the ROM to this file instead of in place."),
    Option("p", "pad-value", "BYTE", "Fill the ROM up to a valid size, and set the size."),
    Option("r", "ram-size", "CODE", "Set the size of RAM."),
    Option("s", "sgb-compatible", help="Mark the ROM as compatible with the Super Game Boy."),
    Option("t", "title", "TEXT", "Set the title, 11 to 16 letters."),
    Option("V", "version", help="Show the version."),
    Option("v", "validate", help="Short for '-f lhg'."),
    Option("W", "warning", "NAME", "Switch a warning on; -Wno-NAME off, -Werror makes errors."),
    Option("w", help="No warnings."),
    DIALECT,
    COLOUR,
)
_BY_KEY = {option.key: option for option in OPTIONS}
_NUMBERS = "lnpr"
_TEXTS = "ikt"
_LOGO_SIZE = 48


_LONGEST = {"t": ("title", 16), "i": ("game ID", 4), "k": ("new licensee", 2)}
"""What texts are, and how many bytes of them there is room for."""


@dataclass(slots=True)
class _Words:
    """What the command line says, read word by word: a warning depends on the words before it.

    ``cut`` are the bytes of the title there is room for.
    """

    settings: WarningSettings
    diagnostics: Diagnostics

    files: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    arguments: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    cut: int = _LONGEST["t"][1]
    mbc: Mbc | None = None
    color: str = ""
    fix: str = ""


def run(words: Sequence[str]) -> int:
    """Put a header into Game Boy ROMs, as rgbfix of RGBDS 1.0.3 does.

    The files, options and exit codes are those of rgbfix(1); '-' is standard
    input or output, '@FILE' stands for the words in FILE. Options act in
    their order: -Werror makes errors of what comes behind it.

    \b
    Examples:
      romproof rgbfix -v game.gb                     logo and checksums
      romproof rgbfix -v -p 0xFF game.gb             and a valid size
      romproof rgbfix -vcs -l 0x33 -t FOOBAR -m MBC5+RAM -r 2 -p 0xFF game.gb
    """
    from romproof.cli.output import show_diagnostics
    from romproof.toolchains.rgbds.fix import WARNINGS, check_together, list_of_mbcs
    from romproof.toolchains.rgbds.obj.warnings import WarningSettings

    diagnostics = Diagnostics()
    said = _Words(WarningSettings(WARNINGS), diagnostics)
    try:
        _read_words(words, said)
    except BadCommandLine:
        show_diagnostics(diagnostics.items)
        raise
    if "V" in said.flags:
        show_version("rgbfix")
        return 0
    if "list of MBCs" in said.flags:
        echo(list_of_mbcs())
        return 0
    options = _options(said)
    check_together(options, said.settings, diagnostics)
    if not said.files:
        raise BadCommandLine("no ROM was given (pass '-' to read from standard input)")
    if "o" in said.arguments and len(said.files) != 1:
        raise BadCommandLine("with '-o' there can be only one ROM")
    for name in said.files:
        _fix(name, said.arguments.get("o", name), options, said.settings, diagnostics)
    show_diagnostics(diagnostics.items)
    return 1 if diagnostics.errors else 0


def _read_words(words: Sequence[str], said: _Words) -> None:
    for key, argument in parse(words, OPTIONS):
        if key == FILE:
            said.files.append(argument)
        elif key == "h":
            raise HelpWanted
        elif key in _NUMBERS:
            said.numbers[key] = byte_argument(_BY_KEY[key], argument)
        elif key in "Lo":
            said.arguments[key] = argument
        elif key in _TEXTS:
            _take_text(said, key, argument)
        elif key in "Cc":
            said.color = key
            _make_room(said, 15)
        elif key == "f":
            said.fix = _fix_spec(argument, said.diagnostics)
        elif key == "v":
            said.fix = "lhg"
        elif key == "m":
            if argument.strip(" \t").lower() in ("help", "list"):
                said.flags.add("list of MBCs")
                return
            _take_mbc(said, argument)
        elif key == "W":
            _switch(said, argument)
        elif key == "w":
            said.settings.silent = True
        elif key == "O":
            message = "'-O' is deprecated; use '-Wno-overwrite' instead"
            said.settings.report(said.diagnostics, "obsolete", message)
            _switch(said, "no-overwrite")
        elif key == COLOUR.key:
            choose_colour(argument)
        elif key == DIALECT.key:
            read_dialect(words)  # headers are the same in all releases
        else:
            said.flags.add(key)


def _switch(said: _Words, text: str) -> None:
    complaint = said.settings.apply(text)
    if complaint is not None:
        said.diagnostics.warning(complaint)


def _take_text(said: _Words, key: str, text: str) -> None:
    """A title, game ID or licensee, which may be too long for the room there is so far."""
    from romproof.toolchains.rgbds.fix import check_length

    said.arguments[key] = text
    what, size = _LONGEST[key]
    room = said.cut if key == "t" else size
    check_length(what, os.fsencode(text), room, said.settings, said.diagnostics)
    if key == "i":
        _make_room(said, 11)


def _make_room(said: _Words, size: int) -> None:
    """Leave less room for a title, also for one that was given before."""
    from romproof.toolchains.rgbds.fix import check_length

    if size < said.cut:
        title = os.fsencode(said.arguments.get("t", ""))[: said.cut]
        said.cut = size
        if len(title) > size:
            whole = os.fsencode(said.arguments["t"])
            check_length("title", whole, size, said.settings, said.diagnostics)


def _take_mbc(said: _Words, text: str) -> None:
    from romproof.toolchains.rgbds.fix import check_mbc

    said.mbc = _mbc(text)
    check_mbc(said.mbc, said.settings, said.diagnostics)


def _fix_spec(letters: str, diagnostics: Diagnostics) -> str:
    """The letters of -f; of a letter and its capital the later one counts."""
    chosen = ""
    for letter in letters:
        if letter not in "lLhHgG":
            raise BadCommandLine(f"'-f {letters}': '{letter}' is not one of l, h, g, L, H and G")
        if letter.swapcase() in chosen:
            diagnostics.warning(f"'{letter}' overriding '{letter.swapcase()}' in '-f {letters}'")
            chosen = chosen.replace(letter.swapcase(), "")
        chosen += letter
    return chosen


def _mbc(text: str) -> Mbc:
    """The cartridge type by its code or name."""
    from romproof.toolchains.rgbds.fix import BadMbc, Mbc, parse_mbc

    if text.lstrip(" \t")[:1] in tuple("0123456789$&%"):
        code = whole_number(text)
        if code is None or code > 0xFF:
            raise BadCommandLine(f"'-m {text}': the code must be a number within 0..0xFF")
        return Mbc(code)
    try:
        return parse_mbc(text)
    except BadMbc as fault:
        raise BadCommandLine(f"{fault} ('-m list' shows all)") from None


def _options(said: _Words) -> FixOptions:
    from romproof.toolchains.rgbds.fix import Color, FixOptions

    texts = {key: os.fsencode(said.arguments[key]) for key in _TEXTS if key in said.arguments}
    return FixOptions(
        fix=said.fix,
        pad=said.numbers.get("p"),
        title=texts.get("t"),
        game_id=texts.get("i"),
        new_licensee=texts.get("k"),
        old_licensee=said.numbers.get("l"),
        mbc=said.mbc,
        ram_size=said.numbers.get("r"),
        rom_version=said.numbers.get("n"),
        color={"C": Color.ONLY, "c": Color.COMPATIBLE}.get(said.color),
        sgb="s" in said.flags,
        non_japanese="j" in said.flags,
        logo=_logo(said.arguments["L"]) if "L" in said.arguments else None,
    )


def _logo(name: str) -> bytes:
    from romproof.toolchains.rgbds.fix import logo_from_tiles

    tiles = standard_input() if name == "-" else read_input(name)
    if len(tiles) != _LOGO_SIZE:
        raise BadCommandLine(
            f'the logo "{display_name(name)}" has {len(tiles)} bytes, not {_LOGO_SIZE}'
        )
    return logo_from_tiles(tiles)


def _fix(
    name: str,
    output: str,
    options: FixOptions,
    warnings: WarningSettings,
    diagnostics: Diagnostics,
) -> None:
    """One ROM; what is wrong with it is reported, and the next one is not affected."""
    from romproof.toolchains.rgbds.fix import fix_file

    try:
        if name != "-" and not Path(name).is_file() and Path(name).exists():
            diagnostics.error(f'"{name}" is not a file')
            return
        data = standard_input() if name == "-" else read_input(name)
        fixed = fix_file(data, options, warnings, diagnostics, display_name(name))
        write_outputs([(output, fixed)])
    except OSError as fault:
        diagnostics.error(f"{fault.filename}: {fault.strerror}")
    except BuildFailed:
        pass  # the reason is among the diagnostics


COMMAND = Tool("rgbfix", run, OPTIONS, "[OPTIONS] FILE...")
