"""``romproof asm``: sources to an image, without any project around them."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romproof.cli.output import assembling, failures_as_json, show_diagnostics
from romproof.cli.values import Define, LazyChoice, Number, cpus, dialects, features, targets

if TYPE_CHECKING:
    from romproof.toolchains.ca65.obj.dialect import Dialect

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("files", nargs=-1, required=True, type=_FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=_FILE,
    help="Write the image here: %O of the linker configuration.",
)
@click.option(
    "-C",
    "--config",
    type=_FILE,
    help="Linker configuration of ld65 (default: 'none') or linker script of rgblink.",
)
@click.option(
    "--cpu",
    default="6502",
    show_default=True,
    type=LazyChoice("CPU", cpus),
    help="CPU: 6502, 6502X (with undocumented opcodes), 65SC02, 65C02, 65816 or none for ca65; "
    "sm83 for rgbasm.",
)
@click.option(
    "-t",
    "--target",
    default="none",
    show_default=True,
    type=LazyChoice("target", targets),
    help="Predefine the symbols and character set of a system, e.g. c64 or nes.",
)
@click.option(
    "--dialect",
    default="2.19",
    show_default=True,
    type=LazyChoice("dialect", dialects),
    help="The release of ca65 whose language it is: 2.19, or 2.19-git, cc65 of today.",
)
@click.option("-D", "--define", "defines", multiple=True, type=Define(), help="Define a symbol.")
@click.option(
    "-I",
    "--include",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Search this folder for .include and .incbin.",
)
@click.option(
    "--feature", multiple=True, type=LazyChoice("feature", features), help="Enable a .feature."
)
@click.option(
    "-S",
    "--start-address",
    type=Number(),
    metavar="ADDR",
    help="Start address: %S of the linker configuration.",
)
@click.option(
    "-l",
    "--listing",
    type=_FILE,
    help="Write a listing: each source line with its bytes and cycles.",
)
@click.option(
    "--labels",
    type=_FILE,
    help="Write the labels: in VICE's format for ca65, a .sym file for rgbasm.",
)
@click.option("--map", "map_file", type=_FILE, help="Write a map of the segments or sections.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def asm(
    files: tuple[Path, ...],
    output: Path,
    config: Path | None,
    cpu: str,
    target: str,
    dialect: str,
    defines: tuple[tuple[str, int], ...],
    include: tuple[Path, ...],
    feature: tuple[str, ...],
    start_address: int | None,
    listing: Path | None,
    labels: Path | None,
    map_file: Path | None,
    as_json: bool,
) -> None:
    """Assemble FILES and link them into one image.

    For the Game Boy 'romproof build' fills in the header as well, and the
    commands rgbasm, rgblink and rgbfix take all options of the originals.

    A number is 12, 0x0C or '$0C' (quoted: shells replace $0). Files that the
    configuration names besides %O are written too. If anything
    fails, nothing is written.

    \b
    Examples:
      romproof asm main.s -o main.bin
      romproof asm main.s prng.s -o game.prg -C c64.cfg -D DEBUG -D LEVEL=3
      romproof asm main.s -o rom.bin --listing rom.lst --labels rom.lbl --map rom.map
      romproof asm main.asm -o game.gb --cpu sm83 --labels game.sym
    """
    from romproof.projects import GAME_BOY, Manifest, assemble_and_link, write_outputs
    from romproof.projects.outputs import Texts
    from romproof.report.json import diagnostics_json, dumps
    from romproof.text.diagnostic import Diagnostics
    from romproof.toolchains.ca65.asm import Options

    _refuse_overwriting(files + ((config,) if config else ()), (output, listing, labels, map_file))

    def out(text: str) -> None:
        click.echo(text, err=as_json)

    def write(text: str) -> None:
        click.echo(text, err=as_json, nl=False)

    diagnostics = Diagnostics()
    with failures_as_json("asm", as_json, files=[], segments=[]), assembling() as seen:
        if cpu == GAME_BOY:
            if feature or target != "none" or dialect != "2.19" or start_address is not None:
                what = "--feature, --target, --dialect and --start-address"
                raise click.UsageError(f"{what} are ca65's")
            from romproof.projects.gameboy import make_gameboy

            manifest = Manifest(output.stem, files, include, defines, cpu, config, str(output))
            image, texts = make_gameboy(manifest, dict(defines), diagnostics, seen, write)
        else:
            from romproof.toolchains.ca65.obj.dialect import DIALECTS

            chosen = DIALECTS[dialect]
            _check_dialect(chosen, cpu, target, feature)
            options = Options(defines, include, cpu, feature, out, target, seen, dialect=chosen)
            image = assemble_and_link(
                files, options, config, str(output), diagnostics, start_address
            )
            texts = Texts()
        written = write_outputs(image, Path(), listing, labels, map_file, texts)
    show_diagnostics(diagnostics.items)
    if as_json:
        result = {
            "ok": True,
            "files": [{"path": str(path), "size": path.stat().st_size} for path in written],
            "segments": [
                {
                    "name": s.name,
                    "run": s.run,
                    "load": s.load,
                    "size": s.size,
                    "kind": s.kind,
                    "area": s.area,
                }
                for s in image.segments
            ],
            "diagnostics": diagnostics_json(diagnostics.items),
        }
        click.echo(dumps("asm", result))


def _check_dialect(dialect: Dialect, cpu: str, target: str, features: tuple[str, ...]) -> None:
    """Raises UsageError for what only another dialect knows."""
    from romproof.toolchains.ca65.asm.targets import targets_of
    from romproof.toolchains.ca65.obj.cpus import LATER_CPUS

    asked: list[tuple[str, str, Container[str]]] = []
    asked += [("CPU", cpu, {*dialect.cpus, *(set(cpus()) - set(LATER_CPUS))})]
    asked += [("target", target, targets_of(dialect))]
    asked += [("feature", name, dialect.features) for name in features]
    for kind, name, known in asked:
        if name not in known:
            raise click.UsageError(
                f"the {kind} '{name}' is not of the dialect {dialect.name}: --dialect 2.19-git"
            )


def _refuse_overwriting(inputs: tuple[Path, ...], outputs: tuple[Path | None, ...]) -> None:
    """A slip on the command line must not cost a source file."""
    seen = {os.path.realpath(path): "is an input of the command" for path in inputs}
    for path in outputs:
        if path is None:
            continue
        if os.path.realpath(path) in seen:
            raise click.UsageError(
                f"cannot write '{path}': this file {seen[os.path.realpath(path)]}"
            )
        seen[os.path.realpath(path)] = "is another output of the command"
