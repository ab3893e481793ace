"""``fairdeck mahjongsoul``."""

from __future__ import annotations

import json

import click

from fairdeck.cli.text import show
from fairdeck.mahjongsoul.verify import verify

_HELP = """Check a round's wall against the hash that was shown at its start.

CODE is the wall's code as the record shows it after the game, two characters for each tile; SALT
is the text shown beside it. Both are hashed together with SHA-256, in this order, as
one public record of three players shows, whose hashes agree.

This shows that the wall was fixed when the round began, and nothing else: how it was shuffled,
who could have chosen it, and whether other rounds depend on it, is not published. The older MD5
is refused: no record shows the text from which it was made.

Exit codes: 0 if the hash is that of the wall, 1 if it is not, 2 if it cannot be compared.

\b
Examples:
  fairdeck mahjongsoul verify 5p7s6z... --salt 3BTP... --hash baa9a2...
  fairdeck mahjongsoul verify 5p7s6z... --salt 3BTP... --hash baa9a2... --salt-hash 140d92...

\b
JSON (--json): {"players", "hash": of the wall and the salt, "match", "salt_match": null when
no --salt-hash was given}
"""


@click.group()
def mahjongsoul() -> None:
    """Mahjong Soul's mahjong walls: compared with the hashes shown."""


@mahjongsoul.command("verify", help=_HELP)
@click.argument("code")
@click.option(
    "--salt", required=True, metavar="TEXT", help="The code of the wall, shown after the game."
)
@click.option(
    "--hash",
    "shown",
    required=True,
    metavar="HEX",
    help="The hash shown at the start of the round.",
)
@click.option(
    "--salt-hash", "salt_shown", metavar="HEX", help="The hash of the salt, shown at the same time."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def verify_command(
    context: click.Context, code: str, salt: str, shown: str, salt_shown: str | None, as_json: bool
) -> None:
    """Compare; see the help text above."""
    compared = verify(code, salt, shown, salt_shown)
    if as_json:
        answer = {
            "players": compared.players,
            "hash": compared.hash,
            "match": compared.fits,
            "salt_match": compared.salt_fits,
        }
        click.echo(json.dumps(answer))
    else:
        word, colour = ("verified", "green") if compared.holds else ("mismatch", "red")
        lines = [click.style(word, fg=colour, bold=True)]
        if not compared.fits:
            lines.append(f"  wall and salt have the hash {compared.hash}")
        if compared.salt_fits is False:
            lines.append("  the hash of the salt differs")
        if compared.holds:
            lines.append("  the wall was fixed when the hash was shown; this proves nothing else")
        show("\n".join(lines))
    context.exit(0 if compared.holds else 1)
