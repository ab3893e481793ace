"""``fairdeck completion``: the same script as romproof's, for our name."""

from __future__ import annotations

import click

from romproof.cli.completion import completion as _of_romproof

_HELP = """Print the completion script for SHELL.

\b
Examples:
  fairdeck completion bash > ~/.local/share/bash-completion/completions/fairdeck
  fairdeck completion zsh > ~/.zfunc/_fairdeck
  fairdeck completion fish > ~/.config/fish/completions/fairdeck.fish
"""

completion_command = click.Command(
    "completion", params=_of_romproof.params, callback=_of_romproof.callback, help=_HELP
)
