"""The option ``--scheduler`` of commands whose work a cluster can do."""

from __future__ import annotations

import click

scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this dask scheduler, such as tcp://10.0.0.5:8786 (needs "
    "romproof[cluster]).",
)
