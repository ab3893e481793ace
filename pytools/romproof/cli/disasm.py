"""``romproof disasm``: a binary file as source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romproof.cli.foreign import foreign_options, read_options
from romproof.cli.output import failures_as_json
from romproof.cli.values import LazyChoice, Number, RangeArgument
from romproof.support.reading import read_input

if TYPE_CHECKING:
    from romproof.program.image import Image
    from romproof.report.disassembly import Disassembly

_WITH_ADDRESSES = (".nes", ".prg")
"""Endings of files that say where their bytes are."""
_CPU_OF = {".gb": "sm83", ".gbc": "sm83"}
"""The CPU by the ending of a file's name."""

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("image", type=_FILE)
@click.option(
    "-S",
    "--start",
    type=Number(),
    default="$0000",
    show_default=True,
    metavar="ADDR",
    help="Address of the first byte.",
)
@click.option("--labels", type=_FILE, help="Take names from this file: VICE labels or a .sym file.")
@click.option(
    "--cpu",
    type=LazyChoice("CPU", lambda: ("6502", "65SC02", "65C02", "65816", "sm83")),
    help="CPU of the code. Default: sm83 for .gb and .gbc, else 6502. 65816: with 8-bit registers.",
)
@click.option(
    "--range", "part", type=RangeArgument(), metavar="A-B", help="Print only these addresses."
)
@foreign_options
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON instead of source.")
def disasm(
    image: Path,
    start: int,
    labels: Path | None,
    cpu: str | None,
    part: tuple[int, int] | None,
    as_json: bool,
) -> None:
    """Print the bytes of IMAGE as source for ca65, or for RGBDS on the SM83.

    The source assembles to the same bytes again. Addresses, bytes and cycles
    are added as comments. All bytes are treated as code. A .nes or .prg file
    contains its own addresses, which --start overrides; each bank is a segment.
    A file that is not an image, such as an archive or a disk, is refused unless --start or
    --cpu is given: then its bytes are taken literally.

    \b
    Examples:
      romproof disasm main.bin --start '$8000' > main.s
      romproof disasm main.bin --start '$8000' --labels main.lbl --range '$8000-$80FF'
      romproof disasm game.gb --labels game.sym --range '$0150-$3FFF'
      romproof disasm game.nes --symbols game.dbg
    """
    from romproof.report.disassembly import ca65_for, disassemble, format_disassembly
    from romproof.report.labelfile import read_labels

    with failures_as_json("disasm", as_json):
        names = read_labels(labels) if labels is not None else {}
        if read_options() or (image.suffix.lower() in _WITH_ADDRESSES and _unsaid("start")):
            program = _program(image)
            if program.cpu != "sm83":
                _show_pieces(program, part, as_json, image)
                return
            names |= _names_by_bank(program)
        data = read_input(image)
        if _unsaid("start") and cpu is None:
            _refuse_others(image, data)
        if part is not None:
            first, last = max(part[0], start), max(part[1], start - 1)
            data, start = data[first - start : last - start + 1], first
            if not data:
                raise click.BadParameter(
                    f"{image} has no bytes at ${part[0]:04X}-${part[1]:04X}", param_hint="--range"
                )
        if (cpu or _CPU_OF.get(image.suffix.lower())) == "sm83":
            from romproof.report.gameboy_source import disassemble_gameboy, format_gameboy

            parts = disassemble_gameboy(data, start, names)
            text, codes = format_gameboy(parts, image.name), [part.code for part in parts]
            banks: list[int | None] = [part.bank for part in parts]
        else:
            flat = {address: name for (_, address), name in names.items()}
            codes, banks = [disassemble(data, start, flat, ca65_for(cpu or "6502"))], [None]
            text = format_disassembly(codes[0], image.name)
    if not as_json:
        click.echo(text, nl=False)
        return
    _show_json(start, codes, banks)


def _show_json(start: int, parts: Sequence[Disassembly], banks: Sequence[int | None]) -> None:
    from romproof.report.json import dumps

    rows = [
        {
            "address": row.address,
            **({} if bank is None else {"bank": bank}),
            "bytes": row.data.hex(),
            "label": row.label,
            "source": row.source,
            "cycles": row.cycles or None,
            "note": row.note or None,
        }
        for code, bank in zip(parts, banks, strict=True)
        for row in code.rows
    ]
    equates = [{"name": name, "value": value} for code in parts for name, value in code.equates]
    click.echo(dumps("disasm", {"start": start, "rows": rows, "equates": equates}))


def _refuse_others(path: Path, data: bytes) -> None:
    """Raise BadImage for an archive, a disk and the like: their bytes are no code."""
    from romproof.formats.errors import BadImage
    from romproof.formats.images import refuse_others

    try:
        refuse_others(str(path), data)
    except BadImage as fault:
        raise BadImage(f"{fault}; with --start ADDR its bytes are taken literally") from None


def _unsaid(option: str) -> bool:
    """Whether an option was not given."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.DEFAULT


def _program(path: Path) -> Image:
    """The image at a path, with what the options say of it; its notes are shown."""
    from romproof.cli.project import build_one

    return build_one(str(path)).image


def _names_by_bank(image: Image) -> dict[tuple[int | None, int], str]:
    """The labels of a Game Boy program by bank and address."""
    banks = {s.name: s.area.partition("[")[2].rstrip("]") or "0" for s in image.segments}
    labels = [s for s in image.symbols if s.is_label and s.segment in banks]
    return {(int(banks[s.segment or ""]), s.value): s.name for s in reversed(labels)}


def _show_pieces(image: Image, part: tuple[int, int] | None, as_json: bool, path: Path) -> None:
    """All banks of an image, or what is at some addresses."""
    from romproof.report.image_source import disassemble_image, format_image

    pieces = disassemble_image(image, part)
    if not pieces:
        assert part is not None
        raise click.BadParameter(
            f"{path} has no bytes at ${part[0]:04X}-${part[1]:04X}", param_hint="--range"
        )
    if not as_json:
        click.echo(format_image(pieces, path.name), nl=False)
        return
    code = [(piece.code, piece.bank) for piece in pieces if piece.code is not None]
    _show_json(code[0][0].start, [c for c, _ in code], [bank for _, bank in code])
