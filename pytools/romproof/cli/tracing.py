"""What ``--trace`` shows, of a call or of a program that runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from romproof.cli.values import TERMINAL
from romproof.harness.replay.trace import TraceStep
from romproof.program.image import Image
from romproof.report.trace import step_json
from romproof.report.trace_formats import TraceFormat
from romproof.support.files import writing

MAX_STEPS = 100_000
"""Instructions that a JSON object has; a file has them all."""


def trace_keys(trace: str | None, as_json: bool) -> dict[str, Any]:
    """The keys that a JSON object has for a trace, empty yet."""
    return {"trace": []} if as_json and trace == TERMINAL else {}


@dataclass
class TraceWriter:
    """Writes steps out at once, into a file where ``write`` is one, or keeps them for a JSON object
    in ``keys``."""

    form: TraceFormat
    as_json: bool
    write: Callable[[str], object] | None
    keys: dict[str, Any] = field(default_factory=dict)
    with_accesses: bool = True

    def step(self, image: Image, step: TraceStep) -> None:
        """An instruction was executed; ``image`` is the part of the program in sight."""
        if self.as_json and self.write is None and len(self.keys["trace"]) >= MAX_STEPS:
            self.keys["trace_left_out"] = self.keys.get("trace_left_out", 0) + 1
            return
        if self.as_json:
            row = step_json(image, step, self.with_accesses)
            if self.write is None:
                self.keys["trace"].append(row)
            else:
                self.write(f"{json.dumps(row)}\n")
            return
        line = self.form.line(image, step)
        if line is None:
            return
        if self.write is None:
            click.echo(line)
        else:
            self.write(f"{line}\n")


@contextmanager
def trace_file(trace: str | None) -> Iterator[Callable[[str], object] | None]:
    """What writes lines into the file of ``--trace``; None without one."""
    if trace is None or trace == TERMINAL:
        yield None
        return
    with writing(Path(trace)) as file:
        yield file.write
