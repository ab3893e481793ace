"""``romproof disasm``: a binary file as source."""

from __future__ import annotations

from pathlib import Path

import click

from romproof.cli.output import failures_as_json
from romproof.cli.values import Number, Range

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
@click.option("--labels", type=_FILE, help="A VICE label file with names for addresses.")
@click.option("--range", "part", type=Range(), metavar="A-B", help="Only these addresses.")
@click.option("--json", "as_json", is_flag=True, help="Rows as JSON instead of source.")
def disasm(
    image: Path, start: int, labels: Path | None, part: tuple[int, int] | None, as_json: bool
) -> None:
    """Print the bytes of IMAGE as ca65 source.

    The source assembles to the same bytes again. Addresses, bytes and cycles
    stand in comments; everything is taken for code.

    \b
    Examples:
      romproof disasm main.bin --start '$8000' > main.s
      romproof disasm main.bin --start '$8000' --labels main.lbl --range '$8000-$80FF'
    """
    from romproof.report.disassembly import disassemble, format_disassembly
    from romproof.report.json import dumps
    from romproof.report.vice import parse_vice_labels
    from romproof.text.diagnostic import Diagnostics
    from romproof.text.span import Source

    with failures_as_json("disasm", as_json):
        data = image.read_bytes()
        names: dict[int, str] = {}
        if labels is not None:
            diagnostics = Diagnostics()
            text = labels.read_text("utf-8", "surrogateescape")
            names = parse_vice_labels(Source(str(labels), text), diagnostics)
            diagnostics.raise_if_failed()
        if part is not None:
            first, last = max(part[0], start), max(part[1], start - 1)
            data, start = data[first - start : last - start + 1], first
            if not data:
                raise click.BadParameter(
                    f"{image} has no bytes at ${part[0]:04X}-${part[1]:04X}", param_hint="--range"
                )
        result = disassemble(data, start, names)
    if not as_json:
        click.echo(format_disassembly(result, image.name), nl=False)
        return
    rows = [
        {
            "address": row.address,
            "bytes": row.data.hex(),
            "label": row.label,
            "source": row.source,
            "cycles": row.cycles or None,
            "note": row.note or None,
        }
        for row in result.rows
    ]
    equates = [{"name": name, "value": value} for name, value in result.equates]
    click.echo(dumps("disasm", {"start": start, "rows": rows, "equates": equates}))
