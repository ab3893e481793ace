"""The part of a profile's page that says how full frames were, and what the program waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from romproof.measure.frame_loads import FULL, FrameLoad
from romproof.measure.recorded import RecordedProfile
from romproof.report.waits import average, awaited, fullest, percent, summary, where

_MOST_BARS = 1500
_MOST_ROWS = 20
_BAR, _WIDEST = 0.8, 14
"""The part of its place that a bar takes, and how wide its place is at most, in pixels."""


def waiting_part(program: RecordedProfile) -> Iterator[str]:
    """Bars of the frames, and a table of the waits; nothing where there is neither."""
    if program.frames:
        yield from _frames(program.frames, program.unit)
    if not program.waits and not program.frames:
        return
    yield "<h3>Waiting</h3>"
    if not program.waits:
        yield "<p>No loop of the program only waits.</p>"
        return
    told = summary(program)
    yield f"<p>{escape(told[:1].upper() + told[1:])}.</p>"
    yield (
        '<p class="soft">A loop waits when each pass does the same as the last one, unless an '
        "interrupt or the hardware has changed what it reads. A loop that counts is none.</p>"
        '<div class="scroll" tabindex="0" role="group" aria-label="Waits"><table><thead><tr>'
        '<th scope="col" class="name">for</th><th scope="col" class="name">at</th>'
        f'<th scope="col">passes</th><th scope="col">{program.unit}</th><th scope="col">%</th>'
        '<th scope="col">of these in HALT</th><th scope="col" class="name">line</th></tr></thead>'
        "<tbody>"
    )
    for wait in program.waits:
        yield (
            f'<tr><th scope="row">{escape(awaited(wait))}</th>'
            f'<td class="name">{escape(wait.place)}</td><td>{wait.passes:,}</td>'
            f"<td>{wait.cycles:,}</td><td>{program.profile.share(wait.cycles):.1%}</td>"
            f'<td>{wait.halted:,}</td><td class="name">{escape(where(wait.spot))}</td></tr>'
        )
    yield "</tbody></table></div>"


def _frames(frames: Sequence[FrameLoad], unit: str) -> Iterator[str]:
    step = -(-len(frames) // _MOST_BARS)
    first = range(0, len(frames), step)
    shown = [start + fullest(frames[start : start + step]) for start in first]
    top = fullest(frames)
    told = (
        f"{len(frames):,} frames, {percent(average(frames))} full on average; the fullest is frame "
        f"{top + 1:,}: {percent(frames[top].share)}"
    )
    full = sum(frame.is_full for frame in frames)
    if full:
        told += f". Of these {full:,} {'is' if full == 1 else 'are'} at least {FULL:.0%} full"
    of = "a frame" if step == 1 else f"the fullest of {step} frames"
    yield "<h3>Frames</h3>"
    yield (
        f"<p>{told}. Each bar is {of}, from one vertical blank to the next: its height is the part "
        f"in which the program did not wait. A mark stands above bars of at least {FULL:.0%}.</p>"
    )
    yield (
        '<div class="frames"><div class="scale" aria-hidden="true"><span>100 %</span>'
        "<span>50 %</span><span>0</span></div>"
        f'<svg viewBox="0 -8 {len(shown)} 108" preserveAspectRatio="none" role="img" '
        f'style="max-width:{_WIDEST * len(shown)}px" aria-label="{escape(told)}">'
        f'<path class="grid" d="M0 0H{len(shown)}M0 50H{len(shown)}"/>'
    )
    for place, number in enumerate(shown):
        frame = frames[number]
        height = 100 * frame.share
        yield (
            f'<rect x="{place + (1 - _BAR) / 2:.2f}" y="{100 - height:.1f}" width="{_BAR}" '
            f'height="{height:.1f}"><title>{_tell(number, frame, unit)}</title></rect>'
        )
        if frame.is_full:
            yield f'<path class="mark" d="M{place} -7h1v4h-1z"/>'
    yield "</svg></div>"
    yield from _fullest_frames(frames, unit)


def _tell(number: int, frame: FrameLoad, unit: str) -> str:
    busy = frame.cycles - frame.waiting
    return f"frame {number + 1:,}: {percent(frame.share)} full, {busy:,} of {frame.cycles:,} {unit}"


def _fullest_frames(frames: Sequence[FrameLoad], unit: str) -> Iterator[str]:
    order = sorted(range(len(frames)), key=lambda n: (-frames[n].share, n))[:_MOST_ROWS]
    yield "<details><summary>The fullest frames as a table</summary><table><thead><tr>"
    yield '<th scope="col">frame</th><th scope="col">full</th>'
    yield f'<th scope="col">{unit}</th><th scope="col">of these waiting</th></tr></thead><tbody>'
    for number in order:
        frame = frames[number]
        yield (
            f"<tr><td>{number + 1:,}</td><td>{percent(frame.share)}</td>"
            f"<td>{frame.cycles:,}</td><td>{frame.waiting:,}</td></tr>"
        )
    yield "</tbody></table></details>"
