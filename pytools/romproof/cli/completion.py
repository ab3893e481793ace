"""``romproof completion``: the script that teaches a shell our options."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      romproof completion bash > ~/.local/share/bash-completion/completions/romproof
      romproof completion zsh > ~/.zfunc/_romproof
      romproof completion fish > ~/.config/fish/completions/romproof.fish
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root()
    name = root.info_name or "romproof"
    kind = get_completion_class(shell)
    assert kind is not None  # click has all of SHELLS
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    click.echo(kind(root.command, {}, name, variable).source())
