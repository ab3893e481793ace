"""Whatever the source says, the outcome is an image or diagnostics, and soon."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from asm_mutations import mutation, read_sources

from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, Severity, render
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import link, parse_config

FOLDER = Path(__file__).parents[2] / "cases" / "ca65"
SOURCES = read_sources(FOLDER)
CONFIG = Source("case.cfg", (FOLDER / "case.cfg").read_text("utf-8"))

GROUPS = 20
PER_GROUP = 50
SECONDS = 10
"""More than any of these small sources may take, even on a busy machine."""


class TooSlow(BaseException):
    """Not an Exception, so that nothing under test can catch it."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TooSlow in the middle of what never ends; no limit where there are no timers."""

    def stop(*_: object) -> None:
        raise TooSlow(f"no result after {SECONDS} seconds")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def build(path: Path, text: str) -> tuple[bool, list[Diagnostic]]:
    """Assemble and link; whether there is an image, and everything that was said."""
    diagnostics = Diagnostics()
    options = Options(include=(FOLDER / "inc",), out=lambda line: None)
    try:
        object_ = assemble_source(Source(str(path), text), options, diagnostics)
        config = parse_config(CONFIG, diagnostics)
        link([object_], config, output="out", diagnostics=diagnostics)
    except BuildFailed as failure:
        return False, list(failure.diagnostics)
    return True, diagnostics.items


def check(found: Diagnostic) -> None:
    """A diagnostic says something, and about a place that exists."""
    assert found.message
    assert found.message in render(found)
    spans = [found.span] if found.span is not None else []
    spans += [span for _, span in found.notes]
    spans += [step.span for span in spans for step in span.chain()]
    for span in spans:
        lines = span.source.lines
        assert 1 <= span.line <= len(lines), f"{found.message}: {span}"
        assert 1 <= span.col <= len(lines[span.line - 1]) + 1, f"{found.message}: {span}"
        assert span.length >= 1


@pytest.mark.slow_cases("1", "3", "5", "7", "11", "12", "15", "16", "19")
@pytest.mark.parametrize("group", range(GROUPS))
def test_any_source_gives_an_image_or_diagnostics(group: int) -> None:
    images = 0
    for seed in range(group * PER_GROUP, (group + 1) * PER_GROUP):
        path, text = mutation(seed, SOURCES)
        try:
            with time_limit():
                ok, found = build(path, text)
                errors = [d for d in found if d.severity is Severity.ERROR]
                assert ok != bool(errors), "a failure has errors, an image has none"
                for diagnostic in found:
                    check(diagnostic)
        except (Exception, TooSlow) as fault:
            raise AssertionError(f"seed {seed}, made of {path.name}:\n{text}") from fault
        images += ok
    assert 0 < images < PER_GROUP, "the slips are neither all harmless nor all fatal"
