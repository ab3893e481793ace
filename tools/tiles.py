"""Makes tile data for both machines out of pictures drawn in text; ``make tiles`` runs it.

A sheet is 256 tiles of 8 by 8 pixels in four shades. Its sources are text files in `rom/art`:

    picture $A8 2x2 emblem_wands     tiles from $A8 on: 2 across, 2 down, row by row; then the
    .......##.......                 pixels: . white, x light, X dark, # black
    like $9A A rank_a                tile $9A is the one of the letter A
    turned $80 $BF $C0               from $C0 on the tiles $80 to $BF again, turned by half a turn

A name at the end, which may be left out, becomes a constant for the programs. ``;`` begins a
comment. The output is source for rgbasm and ca65, so that nothing but an assembler is needed to
build a ROM:

    rom/art/sm83/<sheet>_tiles.inc   16 bytes a tile, the two planes line by line in turn
    rom/art/6502/<sheet>_tiles.inc   16 bytes a tile, all of the one plane before the other
    .../<sheet>_names.inc            the constants
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from romproof.support.files import write_atomically

ROOT = Path(__file__).parents[1]
ART = ROOT / "rom" / "art"
SHEETS = {"tarot": ("font", "screen", "cards"), "wall": ("font", "wall")}
"""Name of the sheet -> its sources, in this order."""

SIDE = 8
SHADES = ".xX#"
TILES = 256

Tile = tuple[tuple[int, ...], ...]
"""Eight lines of eight shades 0..3."""
BLANK: Tile = ((0,) * SIDE,) * SIDE


class BadArt(Exception):
    """A source that cannot be read; the text says where and what to do."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """All tiles by number, and the names that pictures have: name -> number of the first tile."""

    tiles: tuple[Tile, ...]
    names: dict[str, int]


def read_sheet(sources: dict[str, str]) -> Sheet:
    """The sheet that sources (name of the file -> its text) draw. Raises BadArt."""
    tiles: dict[int, Tile] = {}
    names: dict[str, int] = {}
    for file, text in sources.items():
        lines = _lines(file, text)
        for where, line in lines:
            words = line.split()
            try:
                made, name = _statement(words, lines, tiles)
            except (ValueError, IndexError, KeyError, StopIteration) as fault:
                reason = f": {fault}" if isinstance(fault, ValueError) else ""
                raise BadArt(
                    f"{where}: '{line}' is not understood{reason}; write "
                    "'picture $A8 2x2 name' and its pixels, 'like $9A A name', 'turned $80 $BF $C0'"
                ) from None
            for number, tile in made.items():
                if number in tiles:
                    raise BadArt(f"{where}: tile ${number:02X} is drawn twice")
                if not 0 <= number < TILES:
                    raise BadArt(f"{where}: there is no tile ${number:02X}; the last is $FF")
                tiles[number] = tile
            if name is not None:
                if name in names:
                    raise BadArt(f"{where}: the name {name} is taken")
                names[name] = min(made)
    return Sheet(tuple(tiles.get(number, BLANK) for number in range(TILES)), names)


def _lines(file: str, text: str) -> Iterator[tuple[str, str]]:
    """Lines with something in them, and where they stand."""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.split(";")[0].strip()
        if said:
            yield f"{file}:{number}", said


def _statement(
    words: list[str], lines: Iterator[tuple[str, str]], tiles: dict[int, Tile]
) -> tuple[dict[int, Tile], str | None]:
    """The tiles of one statement, and its name."""
    kind, *rest = words
    if kind == "picture" and len(rest) <= 3:
        across, down = (int(word) for word in rest[1].split("x"))
        first = _number(rest[0])
        made = _cut([next(lines)[1] for _ in range(SIDE * down)], across, down)
        return {first + i: tile for i, tile in enumerate(made)}, rest[2] if rest[2:] else None
    if kind == "like" and len(rest) <= 3:
        return {_number(rest[0]): tiles[ord(rest[1])]}, rest[2] if rest[2:] else None
    if kind == "turned" and len(rest) == 3:
        first, last, to = map(_number, rest)
        return {to + n - first: turned(tiles.get(n, BLANK)) for n in range(first, last + 1)}, None
    raise ValueError


def _number(word: str) -> int:
    if not word.startswith("$"):
        raise ValueError(f"'{word}' is no tile's number: they are written $00 to $FF")
    return int(word[1:], 16)


def _cut(rows: list[str], across: int, down: int) -> list[Tile]:
    for row in rows:
        if len(row) != SIDE * across or not set(row) <= set(SHADES):
            raise ValueError(f"'{row}' is not {SIDE * across} of the pixels {' '.join(SHADES)}")
    shades = [[SHADES.index(pixel) for pixel in row] for row in rows]
    return [
        tuple(tuple(line[SIDE * x : SIDE * (x + 1)]) for line in shades[SIDE * y : SIDE * (y + 1)])
        for y in range(down)
        for x in range(across)
    ]


def turned(tile: Tile) -> Tile:
    """The tile after half a turn."""
    return tuple(line[::-1] for line in tile[::-1])


def planes(tile: Tile) -> tuple[bytes, bytes]:
    """The low and the high bit of the pixels, a byte a line, the leftmost pixel in bit 7."""
    low, high = (
        bytes(sum((shade >> bit & 1) << 7 - x for x, shade in enumerate(line)) for line in tile)
        for bit in (0, 1)
    )
    return low, high


def for_game_boy(tile: Tile) -> bytes:
    """16 bytes: of each line the low plane, then the high one."""
    low, high = planes(tile)
    return bytes(byte for pair in zip(low, high, strict=True) for byte in pair)


def for_nes(tile: Tile) -> bytes:
    """16 bytes: the low plane, then the high one."""
    return b"".join(planes(tile))


_HEAD = "; SPDX-License-Identifier: MIT\n; Written by `make tiles` from {}; change those.\n"


def written(name: str, sheet: Sheet) -> dict[str, str]:
    """Path below `rom/art` -> text, of the files made of a sheet."""
    sources = ", ".join(f"{source}.txt" for source in SHEETS[name])
    head = _HEAD.format(sources)
    constants = sorted(sheet.names.items(), key=lambda item: item[1])
    rgbasm = "".join(f"DEF TILE_{key.upper()} EQU ${n:02X}\n" for key, n in constants)
    ca65 = "".join(f"TILE_{key.upper()} = ${n:02X}\n" for key, n in constants)
    game_boy, nes = (
        "".join(
            f"  {word} {','.join(f'${byte:02X}' for byte in encode(tile))} ; ${number:02X}\n"
            for number, tile in enumerate(sheet.tiles)
        )
        for word, encode in (("db", for_game_boy), (".byte", for_nes))
    )
    return {
        f"sm83/{name}_names.inc": head + rgbasm,
        f"sm83/{name}_tiles.inc": head + game_boy,
        f"6502/{name}_names.inc": head + ca65,
        f"6502/{name}_tiles.inc": head + nes,
    }


def files() -> dict[str, str]:
    """Path below `rom/art` -> text, of all files made. Raises BadArt."""
    return {
        path: text
        for name, sources in SHEETS.items()
        for path, text in written(name, read_sheet(_texts(sources))).items()
    }


def _texts(sources: tuple[str, ...]) -> dict[str, str]:
    paths = [ART / f"{source}.txt" for source in sources]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}


def main() -> int:
    """Write the files."""
    try:
        for path, text in files().items():
            write_atomically(ART / path, text)
    except BadArt as fault:
        print(f"tiles: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
