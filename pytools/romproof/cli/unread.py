"""Telling of comments that look like contracts and that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from romproof.cli.output import show_diagnostics
from romproof.cli.strict import ROWS, STRICT, TOLD

if TYPE_CHECKING:
    from romproof.program.image import Image


def tell_unread(name: str, image: Image) -> None:
    """Tell what looks like a contract in the program ``name`` and is not read, where the command at
    work reads contracts. Raises BuildFailed with ``--strict``."""
    context = click.get_current_context(silent=True)
    if context is None or STRICT not in context.meta:
        return
    from romproof.report.unread import find_lost, findings_of, lost_json, refuse
    from romproof.text.diagnostic import render

    lost = find_lost(image)
    findings = findings_of(lost, name, context.meta[STRICT])
    refuse(findings)
    told, texts = context.meta.setdefault(TOLD, {}), [render(each) for each in findings]
    if told.get(name) != texts:  # one program may be named several times
        told[name] = texts
        context.meta.setdefault(ROWS, []).extend(lost_json(name, lost))
        show_diagnostics(findings)
