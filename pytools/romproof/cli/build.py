"""``romproof build``: the ROMs of a project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from romproof.cli.output import assembling, failures_as_json, findings, progress, show_diagnostics
from romproof.cli.project import ROM, chosen, out_to_stderr, output_folder, rom_json
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.program.image import Image
    from romproof.projects import Manifest


@click.command(short_help="Build the ROMs of the project.")
@click.argument("name", required=False, type=ROM)
@click.option(
    "--bounds/--no-bounds",
    default=True,
    show_default=True,
    help="Say in the listings what routines cost.",
)
@click.option(
    "--also",
    type=click.Choice(("dbg", "mlb", "lbl")),
    multiple=True,
    help="Write this for a debugger, too: debug information as ld65's (.dbg), labels for Mesen "
    "(.mlb), for VICE (.lbl).",
)
@click.option("--json", "as_json", is_flag=True, help="Tell the result as JSON on stdout.")
def build(name: str | None, bounds: bool, also: tuple[str, ...], as_json: bool) -> None:
    """Build the ROM NAME, or every ROM of the project, into build/rom/
    of the project.

    Beside each image stand its listing (.lst), VICE labels (.lbl; for the
    Game Boy symbols, .sym) and map (.map). A ROM that fails leaves its old
    files as they were; the others are built all the same. Of an image that another
    build system makes the command is run, and nothing is written. The listing has the
    fewest and the most cycles of each routine at its label ('romproof bounds').

    \b
    Examples:
      romproof build
      romproof build demo --no-bounds
      romproof build demo --also dbg --also mlb
      romproof build demo --json
    """
    from romproof.projects import build as build_rom
    from romproof.report.json import diagnostics_json, dumps

    rows: list[Mapping[str, object]] = []
    with failures_as_json("build", as_json, roms=[]):
        (manifests, broken), folder = chosen(name), output_folder()

    def fail(called: str, fault: RomproofError | OSError) -> None:
        show_diagnostics(findings(fault))
        diagnostics = diagnostics_json(findings(fault))
        rows.append({"name": called, "ok": False, "files": [], "diagnostics": diagnostics})

    for called, reason in broken.items():
        fail(called, reason)
    with progress("building", len(manifests)) as advance:
        for manifest in manifests:
            try:
                with out_to_stderr(), assembling(len(manifests) == 1) as seen:
                    notes = partial(cycle_notes, manifest) if bounds else None
                    built = build_rom(manifest, folder, progress=seen, notes=notes, also=also)
            except (RomproofError, OSError) as fault:
                fail(manifest.name, fault)
            else:
                show_diagnostics(built.diagnostics)
                rows.append(rom_json(built))
                if not as_json:
                    for path, file in zip(built.files, built.image.files, strict=False):
                        click.echo(f"{manifest.name}: {path} ({len(file.data):,} bytes)")
            advance()
    failed = any(not row["ok"] for row in rows)
    if as_json:
        click.echo(dumps("build", {"ok": not failed, "roms": rows}))
    if failed:
        click.get_current_context().exit(1)


def cycle_notes(manifest: Manifest, image: Image) -> Mapping[str, str]:
    """The fewest and the most cycles of the program's routines, by label.

    None when a contract is malformed: that is no reason not to build.
    """
    from romproof.contract.parse import parse_contracts
    from romproof.report.bounds import stated_text
    from romproof.timing.survey import survey

    try:
        contracts = parse_contracts(image)
    except RomproofError:
        return {}
    rows = survey(manifest.name, image, contracts, banks=manifest.banks, private=True)
    returning = (row for row in rows.rows if row.bounds.best)
    notes: dict[str, str] = {}
    for row in returning:
        stated = f", stated: {stated_text(row)}" if row.stated else ""
        notes[row.name] = f"{row.bounds} {rows.abi.cycles}{stated}"
    return notes
