"""The variants of the shuffle as a picture: what time costs in bytes, on fixed scales."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from fairdeck.tarot.costs import Whole
from romproof import MissingExtra, write_all

BYTES = (30, 50_000)
MILLISECONDS = (2, 100)
"""What the axes reach to, both of them logarithmic: the same in every picture."""
_COLOURS = {"6502": "#b5541a", "sm83": "#1f6f8b"}
_MARKS = {"6502": "o", "sm83": "s"}


def need_for_pictures() -> None:
    """Raise MissingExtra without matplotlib: before what is drawn is measured."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingExtra('pictures need matplotlib: pip install "fairdeck[pictures]"') from None


def write_front(path: Path, shuffles: Sequence[Whole]) -> None:
    """Write the front of each CPU as PNG: bytes of ROM across, the time of a shuffle upwards.

    Raises MissingExtra without matplotlib, and OSError.
    """
    need_for_pictures()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, NullFormatter

    figure = Figure(figsize=(8, 5.6), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=BYTES, ylim=MILLISECONDS)
    for axis, ticks in (
        (axes.xaxis, (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)),
        (axes.yaxis, (2, 5, 10, 20, 50, 100)),
    ):
        axis.set_ticks(ticks)
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axis.set_minor_formatter(NullFormatter())
    for target in dict.fromkeys(one.shuffle.target for one in shuffles):
        rows = [one for one in shuffles if one.shuffle.target == target]
        front = sorted((r for r in rows if r.on_front), key=lambda row: row.size.rom)
        clock = front[0].shuffle.clock
        rate = f"{clock.hz / 1e6:.6f} million {target.cycles} a second"
        axes.plot(
            [row.size.rom for row in front],
            [row.shuffle.microseconds / 1000 for row in front],
            color=_COLOURS[target.name],
            marker=_MARKS[target.name],
            linestyle="--",
            label=f"{target.title}, {clock.title} ({rate})",
        )
        for row in rows:
            same = [o for o in shuffles if o.shuffle.variant == row.shuffle.variant]
            above = row is max(same, key=lambda one: one.shuffle.microseconds)
            axes.annotate(
                f"{row.shuffle.variant.name}\n{row.size.rom:,} bytes of ROM\n"
                f"{row.size.memory} bytes of RAM\n"
                f"{float(row.shuffle.mean):,.0f} {target.cycles}",
                (row.size.rom, row.shuffle.microseconds / 1000),
                xytext=(7, 5) if above else (-7, -5),
                textcoords="offset points",
                va="bottom" if above else "top",
                ha="left" if above else "right",
                color=_COLOURS[target.name],
                fontsize=8,
            )
    axes.set_title("Shuffling 78 cards: the three variants on both CPUs")
    axes.set_xlabel("bytes of code and tables in ROM")
    axes.set_ylabel("milliseconds for a shuffle, on average")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper right")
    buffer = BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    write_all([(path, buffer.getvalue())])
