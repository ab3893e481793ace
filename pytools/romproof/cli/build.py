"""``romproof build``: the ROMs of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romproof.cli.options import jobs_option
from romproof.cli.output import assembling, failures_as_json, findings, progress, show_diagnostics
from romproof.cli.project import ROM, choose_manifests, out_to_stderr, output_folder, rom_json
from romproof.text.diagnostic import Diagnostic
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.program.image import Image
    from romproof.projects import Manifest
    from romproof.projects.unchanged import MadeFiles


@click.command(short_help="Build the ROMs of the project.")
@click.argument("name", required=False, type=ROM)
@click.option(
    "--bounds/--no-bounds",
    default=True,
    show_default=True,
    help="Add the cycles of each routine to the listings.",
)
@click.option(
    "--also",
    type=click.Choice(("dbg", "mlb", "lbl")),
    multiple=True,
    help="Write this for a debugger, too: debug information as ld65's (.dbg), labels for Mesen "
    "(.mlb), for VICE (.lbl).",
)
@jobs_option("Number of processes, each of which builds one ROM.")
@click.option("--fresh", is_flag=True, help="Build every ROM, even if its inputs have not changed.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def build(
    name: str | None, bounds: bool, also: tuple[str, ...], jobs: int, fresh: bool, as_json: bool
) -> None:
    """Build the ROM NAME, or every ROM of the project, into build/rom/
    of the project.

    Beside each image stand its listing (.lst), VICE labels (.lbl; for the
    Game Boy symbols, .sym) and map (.map). A ROM that fails leaves its old
    files as they were; the other ROMs are still built. For an image of another
    build system, the command of that system runs, and nothing else is written. The listing has the
    fewest and the most cycles of each routine at its label ('romproof bounds').

    A ROM is not built again, and is reported as unchanged, if its outputs, all their
    inputs, the settings and romproof itself are the same as at its last build.

    \b
    Examples:
      romproof build
      romproof build --jobs 2
      romproof build demo --no-bounds
      romproof build demo --also dbg --also mlb
      romproof build demo --json
    """
    from romproof.report.json import diagnostics_json, dumps

    rows: list[Mapping[str, object]] = []
    with failures_as_json("build", as_json, roms=[]):
        (manifests, broken), folder = choose_manifests(name), output_folder()

    def fail(called: str, listed: Sequence[Diagnostic]) -> None:
        show_diagnostics(listed)
        diagnostics = diagnostics_json(listed)
        failed_row = {"name": called, "ok": False, "reused": False, "files": []}
        rows.append({**failed_row, "diagnostics": diagnostics})

    for called, reason in broken.items():
        fail(called, findings(reason))
    alone = len(manifests) == 1
    works = [BuildJob(manifest, folder, bounds, also, fresh, alone) for manifest in manifests]
    with progress("building", len(works)) as advance, _all_made(works, jobs) as results:
        for work, made in zip(works, results, strict=True):
            called = work.manifest.name
            if isinstance(made, Sequence):
                fail(called, made)
            else:
                show_diagnostics(made.diagnostics)
                rows.append(rom_json(called, made))
                if not as_json:
                    note = ", unchanged" if made.reused else ""
                    for path, size in made.files[: made.images]:
                        click.echo(f"{called}: {path} ({size:,} bytes{note})")
            advance()
    failed = any(not row["ok"] for row in rows)
    if as_json:
        click.echo(dumps("build", {"ok": not failed, "roms": rows}))
    if failed:
        click.get_current_context().exit(1)


@dataclass(frozen=True, slots=True)
class BuildJob:
    """A ROM to build, with the options; ``alone``: there are no others."""

    manifest: Manifest
    folder: Path
    bounds: bool
    also: tuple[str, ...]
    fresh: bool
    alone: bool


def make_rom(work: BuildJob) -> MadeFiles | Sequence[Diagnostic]:
    """Build one, in this process; what is wrong if it fails."""
    from romproof.projects import build as build_rom
    from romproof.projects.unchanged import make

    manifest = work.manifest
    asked = (str(work.folder), work.bounds, tuple(sorted(work.also)))
    try:
        with out_to_stderr(), assembling(work.alone) as seen:
            notes = partial(cycle_notes, manifest) if work.bounds else None
            act = partial(
                build_rom, manifest, work.folder, progress=seen, notes=notes, also=work.also
            )
            return make(manifest, asked, act, work.fresh)
    except (RomproofError, OSError) as fault:
        return findings(fault)


@contextmanager
def _all_made(
    works: list[BuildJob], jobs: int
) -> Iterator[Iterator[MadeFiles | Sequence[Diagnostic]]]:
    """What comes of each, in order, from so many processes; with one, from this one."""
    if jobs == 1 or len(works) < 2:
        yield map(make_rom, works)
        return
    from romproof.support.cluster import workers

    with workers(min(jobs, len(works))) as pool:
        yield pool.map(make_rom, works)


def cycle_notes(manifest: Manifest, image: Image) -> Mapping[str, str]:
    """The fewest and the most cycles of the program's routines, by label.

    None when a contract is malformed: that is no reason not to build.
    """
    from romproof.contract.reading.parse import parse_contracts
    from romproof.isa.abi import abi_of
    from romproof.machine.memory import bank_views
    from romproof.report.bounds import loop_claims_text
    from romproof.timing.survey import survey

    try:
        contracts = parse_contracts(image)
    except RomproofError:
        return {}
    surveys = (
        survey(manifest.name, image, contracts, banks=banks, private=True)
        for banks in bank_views(image, manifest.banks, abi_of(image.cpu).first_areas)
    )
    returning = (row for each in surveys for row in each.rows if row.bounds.best)
    notes: dict[str, str] = {}
    for row in returning:
        stated = f", stated: {loop_claims_text(row)}" if row.stated else ""
        notes[row.name] = f"{row.bounds} {abi_of(image.cpu).cycles}{stated}"
    return notes
