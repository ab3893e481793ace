"""``romproof rgbfix``: the header of a ROM, with the command line of RGBDS's tool."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from romproof.cli.echo import echo
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import HELP, BadCommandLine, Option, ReadingEnds, operand, read
from romproof.cli.originals.rgbds_arguments import byte, parse, whole_number
from romproof.cli.originals.rgbds_files import display_name, read_file, write_outputs
from romproof.cli.originals.rgbds_options import (
    COLOUR,
    DIALECT,
    VERSION,
    RgbdsSettings,
    show_version,
    warning,
)
from romproof.cli.originals.setters import Setter, append, put, switch
from romproof.cli.output import show_diagnostics
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.fix import (
    WARNINGS,
    BadMbc,
    Color,
    FixOptions,
    Mbc,
    check_length,
    check_mbc,
    check_together,
    fix_file,
    list_of_mbcs,
    logo_from_tiles,
    parse_mbc,
)
from romproof.toolchains.rgbds.obj.warnings import WarningSettings

_LOGO_SIZE = 48


@dataclass(frozen=True)
class _Settings(RgbdsSettings, FixOptions):
    """What the command line says, read word by word: a warning depends on the words before it.

    ``state`` is that of the warnings. ``room`` are the bytes of the title there is room for.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    state: WarningSettings = field(default_factory=lambda: WarningSettings(WARNINGS))
    files: tuple[str, ...] = ()
    output: str | None = None
    logo_file: str | None = None
    list_mbcs: bool = False
    room: int = 16

    def bytes_of(self, what: str, text: str, room: int) -> bytes:
        """A text for the header, which may be too long for the room there is so far."""
        data = os.fsencode(text)
        check_length(what, data, room, self.state, self.diagnostics)
        return data


def _title(settings: _Settings, _: str, text: str) -> _Settings:
    return replace(settings, title=settings.bytes_of("title", text, settings.room))


def _game_id(settings: _Settings, _: str, text: str) -> _Settings:
    return _make_room(replace(settings, game_id=settings.bytes_of("game ID", text, 4)), 11)


def _new_licensee(settings: _Settings, _: str, text: str) -> _Settings:
    return replace(settings, new_licensee=settings.bytes_of("new licensee", text, 2))


def _color(color: Color) -> Setter:
    return lambda settings, *_: _make_room(replace(settings, color=color), 15)


def _make_room(settings: _Settings, size: int) -> _Settings:
    """Leave less room for a title, also for one that was given before."""
    if size >= settings.room:
        return settings
    title = settings.title or b""
    if len(title[: settings.room]) > size:
        check_length("title", title, size, settings.state, settings.diagnostics)
    return replace(settings, room=size)


def _mbc_type(settings: _Settings, _: str, text: str) -> _Settings:
    if text.strip(" \t").lower() in ("help", "list"):
        raise ReadingEnds(replace(settings, list_mbcs=True))
    mbc = _mbc(text)
    check_mbc(mbc, settings.state, settings.diagnostics)
    return replace(settings, mbc=mbc)


def _mbc(text: str) -> Mbc:
    """The cartridge type by its code or name."""
    if text.lstrip(" \t")[:1] in tuple("0123456789$&%"):
        code = whole_number(text)
        if code is None or code > 0xFF:
            raise BadCommandLine(f"'-m {text}': the code must be a number within 0..0xFF")
        return Mbc(code)
    try:
        return parse_mbc(text)
    except BadMbc as fault:
        raise BadCommandLine(f"{fault} ('-m list' shows all)") from None


def _fix_spec(settings: _Settings, name: str, letters: str) -> _Settings:
    """The letters of -f; of a letter and its capital the later one counts."""
    chosen = ""
    for letter in letters:
        other = letter.swapcase()
        if letter not in "lLhHgG":
            raise BadCommandLine(f"'-f {letters}': '{letter}' is not one of l, h, g, L, H and G")
        if other in chosen:
            settings.diagnostics.warning(f"'{letter}' overriding '{other}' in '-f {letters}'")
            chosen = chosen.replace(other, "")
        chosen += letter
    return replace(settings, fix=chosen)


def _warning(settings: _Settings, _: str, text: str) -> _Settings:
    complaint = settings.state.apply(text)
    if complaint is not None:
        settings.diagnostics.warning(complaint)
    return settings


def _no_warnings(settings: _Settings, *_: str) -> _Settings:
    settings.state.silent = True
    return settings


def _overwrite(settings: _Settings, name: str, _: str) -> _Settings:
    message = "'-O' is deprecated; use '-Wno-overwrite' instead"
    settings.state.report(settings.diagnostics, "obsolete", message)
    return _warning(settings, name, "no-overwrite")


OPTIONS = (
    operand(append("files")),
    Option("-C --color-only", _color(Color.ONLY), "Mark the ROM as Color only."),
    Option("-c --color-compatible", _color(Color.COMPATIBLE),
           "Mark the ROM as compatible with the Color."),
    Option("-f --fix-spec LETTERS", _fix_spec,
           "l: logo, h: header's checksum, g: global one; LHG: wrong."),
    HELP,
    Option("-i --game-id TEXT", _game_id, "Set the game ID, 4 letters."),
    Option("-j --non-japanese", switch("non_japanese"), "Mark the ROM as not for Japan."),
    Option("-k --new-licensee TEXT", _new_licensee, "Set the new licensee, 2 letters."),
    Option("-L --logo FILE", put("logo_file"), "Use this logo, 48 bytes of 1bpp tiles."),
    Option("-l --old-licensee CODE", put("old_licensee", byte),
           "Set the old licensee; 0x33 for the new one to count."),
    Option("-m --mbc-type TYPE", _mbc_type, "Set the cartridge type; 'list' shows the names."),
    Option("-n --rom-version NUMBER", put("rom_version", byte), "Set the version of the ROM."),
    Option("-O --overwrite", _overwrite),
    Option("-o --output FILE", put("output"), "Write the ROM to this file instead of in place."),
    Option("-p --pad-value BYTE", put("pad", byte),
           "Fill the ROM up to a valid size, and set the size."),
    Option("-r --ram-size CODE", put("ram_size", byte), "Set the size of RAM."),
    Option("-s --sgb-compatible", switch("sgb"),
           "Mark the ROM as compatible with the Super Game Boy."),
    Option("-t --title TEXT", _title, "Set the title, 11 to 16 letters."),
    VERSION,
    Option("-v --validate", switch("fix", to="lhg"), "Short for '-f lhg'."),
    warning(_warning),
    Option("-w", _no_warnings, "No warnings."),
    DIALECT,
    COLOUR,
)  # fmt: skip


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
    settings = _Settings()
    diagnostics = settings.diagnostics
    try:
        settings = read(words, OPTIONS, settings, parse)
    except BadCommandLine:
        show_diagnostics(diagnostics.items)
        raise
    if settings.version:
        return show_version("rgbfix")
    if settings.list_mbcs:
        echo(list_of_mbcs())
        return 0
    if settings.logo_file is not None:
        settings = replace(settings, logo=_logo(settings.logo_file))
    check_together(settings, settings.state, diagnostics)
    if not settings.files:
        raise BadCommandLine("no ROM was given (pass '-' to read from standard input)")
    if settings.output is not None and len(settings.files) != 1:
        raise BadCommandLine("with '-o' there can be only one ROM")
    for name in settings.files:
        _fix(name, settings)
    show_diagnostics(diagnostics.items)
    return 1 if diagnostics.errors else 0


def _logo(name: str) -> bytes:
    tiles = read_file(name)
    if len(tiles) != _LOGO_SIZE:
        raise BadCommandLine(
            f'the logo "{display_name(name)}" has {len(tiles)} bytes, not {_LOGO_SIZE}'
        )
    return logo_from_tiles(tiles)


def _fix(name: str, settings: _Settings) -> None:
    """One ROM; what is wrong with it is reported, and the next one is not affected."""
    diagnostics = settings.diagnostics
    try:
        if name != "-" and not Path(name).is_file() and Path(name).exists():
            diagnostics.error(f'"{name}" is not a file')
            return
        data = read_file(name)
        fixed = fix_file(data, settings, settings.state, diagnostics, display_name(name))
        # a ROM may be written in place, also by its name
        inputs = [] if settings.logo_file is None else [settings.logo_file]
        write_outputs([(name if settings.output is None else settings.output, fixed)], inputs)
    except OSError as fault:
        diagnostics.error(f"{fault.filename}: {fault.strerror}")
    except BuildFailed:
        pass  # the reason is among the diagnostics


COMMAND = Tool("rgbfix", run, OPTIONS, "[OPTIONS] FILE...")
