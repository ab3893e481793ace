"""``fairdeck viewer``."""

from __future__ import annotations

import json
import webbrowser
from pathlib import Path
from typing import Any

import click

from fairdeck.tenhou.links import explain_argument
from fairdeck.viewer.document import Wanted, read_document
from fairdeck.viewer.page import static_page
from fairdeck.viewer.strings import LANGUAGES
from fairdeck.wall_roms import WALL_ROMS
from romproof import MissingExtra, progress, read_input, write_all

_HELP = """Show a game, its wall and its verdict as a page in the browser.

Without FILE the page asks for one: a Tenhou log (XML, plain or gzip), a Tenhou seed
(mt19937ar-...), or three or four seeds of MJ Arcade followed by the uncertain element. It is
served to this machine alone, at an address with a random token, and nothing is loaded from
elsewhere or kept. Ctrl-C ends it.

With --html one file is written instead, which can be opened and passed on without fairdeck.

\b
Examples:
  fairdeck viewer
  fairdeck viewer game.mjlog
  fairdeck viewer game.mjlog --html game.html --lang ja
  fairdeck viewer seed.txt --players 3 --on 6502 --on sm83 --html walls.html
  fairdeck viewer seeds.txt --uncertain 418 --json

\b
JSON (--json): the content of the page, with the schema "fairdeck.viewer/2"
  kind, players, names, verdict, difference, commitment, left_out,
  not_checked, assumptions; the texts of the verifier (message of difference,
  left_out) are {"en", "ja", "zh"}
  checks    [{"name", "mark", "count"}]; a mark is "equal", "differs",
            "unchecked" or "none"
  rounds    [...], each with dice, hands, mark, and
    wall    tile ids, index 0 first; null when it is not known
    dead    indices of the dead wall
    events  [{"type", "seat", "tile", "at": the index in the wall, "mark", ...}]
    table   of MJ Arcade, as "mjarcade wall" has it; numbers: those of the wall
  machines  with --on: [{"cpu", "round", "cycles", "clock", "milliseconds",
            "mark"}]
"""


class _File(click.Path):
    """A file, or ``-``; of a link it is told how to get the file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See click."""
        how = explain_argument(str(value))
        return super().convert(value, param, ctx) if how is None else self.fail(how, param, ctx)


@click.command("viewer", help=_HELP)
@click.argument(
    "file",
    required=False,
    type=_File(exists=True, dir_okay=False, path_type=Path, allow_dash=True),
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Write the page to one file instead of serving it.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of the page.",
)
@click.option("--commitment", metavar="HEX", help="For a log: the hash published before the game.")
@click.option(
    "--players",
    type=click.Choice(["4", "3"]),
    default="4",
    help="For a Tenhou seed: the number of players.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    metavar="N",
    help="For a Tenhou seed, with --html or --json: the number of rounds.",
)
@click.option(
    "--uncertain",
    type=click.IntRange(0, 10**10 - 1),
    metavar="N",
    help="For MJ Arcade: the uncertain element.",
)
@click.option(
    "--on",
    "cpus",
    multiple=True,
    type=click.Choice(list(WALL_ROMS)),
    help="With --html or --json: compute every round on this CPU, too; may be repeated.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to serve on; default: any free one.",
)
@click.option("--open/--no-open", "opened", default=True, help="Open the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of serving the page.")
def viewer_command(
    file: Path | None,
    page: Path | None,
    lang: str,
    commitment: str | None,
    players: str,
    rounds: int,
    uncertain: int | None,
    cpus: tuple[str, ...],
    port: int,
    opened: bool,
    as_json: bool,
) -> None:
    """Show a game; see the help text above."""
    wanted = Wanted(int(players), rounds, uncertain, commitment)
    data = None if file is None else read_input(str(file))
    if page is None and not as_json:
        if cpus:
            raise click.UsageError("--on needs --html or --json; a served page has buttons for it")
        _serve(port, lang, data, wanted, opened)
        return
    if data is None:
        raise click.UsageError("--html and --json need FILE, or - for standard input")
    document: Any = read_document(data, wanted)
    if cpus:
        document["machines"] = _on_machines(document, cpus)
    if page is not None:
        write_all([(page, static_page(document, lang))])
        click.echo(f"{page}: {document['verdict']}", err=as_json)
    if as_json:
        click.echo(json.dumps(document, ensure_ascii=False))


def _on_machines(document: Any, cpus: tuple[str, ...]) -> list[dict[str, object]]:
    # here and not above: help and the model need neither assembler nor emulator
    from fairdeck.viewer.machines import machine_rounds

    chosen = list(dict.fromkeys(cpus))
    with progress("making walls", len(chosen) * len(document["rounds"])) as tick:
        return [one for cpu in chosen for one in machine_rounds(document, cpu, tick)]


def _serve(port: int, lang: str, data: bytes | None, wanted: Wanted, opened: bool) -> None:
    try:
        from fairdeck.viewer.serve import bound
    except ImportError:
        raise MissingExtra('the viewer needs Starlette: pip install "fairdeck[viewer]"') from None
    served = bound(port, lang, data, wanted)
    click.echo(f"{served.address}\nCtrl-C ends the viewer")
    if opened:
        webbrowser.open(served.address)
    served.run()
