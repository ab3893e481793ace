"""``romproof disasm``: a binary file as source."""

from __future__ import annotations

from pathlib import Path

import click

from romproof.cli.output import failures_as_json
from romproof.cli.values import Choice, Number, Range
from romproof.text.reading import read_input

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
@click.option("--labels", type=_FILE, help="Names for addresses: VICE labels, or a .sym file.")
@click.option(
    "--cpu",
    type=Choice("CPU", lambda: ("6502", "sm83")),
    help="What the code is for. Default: sm83 for files that end in .gb or .gbc, else 6502.",
)
@click.option("--range", "part", type=Range(), metavar="A-B", help="Only these addresses.")
@click.option("--json", "as_json", is_flag=True, help="Rows as JSON instead of source.")
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
    are added as comments. All bytes are treated as code.

    \b
    Examples:
      romproof disasm main.bin --start '$8000' > main.s
      romproof disasm main.bin --start '$8000' --labels main.lbl --range '$8000-$80FF'
      romproof disasm game.gb --labels game.sym --range '$0150-$3FFF'
    """
    from romproof.report.disassembly import CA65, disassemble, format_disassembly
    from romproof.report.json import dumps
    from romproof.report.labelfile import read_labels

    with failures_as_json("disasm", as_json):
        data = read_input(image)
        names = read_labels(labels) if labels is not None else {}
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
            codes, banks = [disassemble(data, start, flat, CA65)], [None]
            text = format_disassembly(codes[0], image.name)
    if not as_json:
        click.echo(text, nl=False)
        return
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
        for code, bank in zip(codes, banks, strict=True)
        for row in code.rows
    ]
    equates = [{"name": name, "value": value} for code in codes for name, value in code.equates]
    click.echo(dumps("disasm", {"start": start, "rows": rows, "equates": equates}))
