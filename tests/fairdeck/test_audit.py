"""Exact placements: figures worked out elsewhere, small cases by trying everything, simulation."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairdeck.audit.sample as sample_module
from fairdeck.audit.picture import MAX, MAX_Z, colour, shrunk, write_png
from fairdeck.audit.placement import (
    WORDS,
    Placement,
    remainder_weights,
    swap_each_with_any,
    swap_each_with_later,
    tarot,
)
from fairdeck.audit.sample import Part, Sample, Totals
from fairdeck.audit.statistics import ChiSquare, Figures
from fairdeck.audit.systems import SYSTEMS
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.distribution import placement
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502

PRINTED = Reduction.PRINTED


def _by_trying(n: int, choices: list[list[int]]) -> list[list[Fraction]]:
    """Every outcome of the draws ``choices``, each remainder with its exact probability."""
    table = [[Fraction(0)] * n for _ in range(n)]
    for picks in product(*choices):
        deck, p = list(range(n)), Fraction(1)
        for place, pick in enumerate(picks):
            options = len(choices[place])
            p *= Fraction(remainder_weights(options)[pick - choices[place][0]], WORDS)
            deck[place], deck[pick] = deck[pick], deck[place]
        for at, tile in enumerate(deck):
            table[tile][at] += p
    return table


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_small_cases_by_trying_everything(n: int) -> None:
    cases = (
        (swap_each_with_any(n), [list(range(n)) for _ in range(n)]),
        (swap_each_with_later(n), [list(range(i, n)) for i in range(n - 1)]),
    )
    for found, choices in cases:
        wanted = _by_trying(n, choices)
        for tile, at in product(range(n), repeat=2):
            assert found.probability(tile, at) == wanted[tile][at]


@pytest.fixture(scope="module")
def arcade() -> Placement:
    return swap_each_with_any(136)


@pytest.mark.slow
def test_mj_arcade(arcade: Placement) -> None:
    assert arcade.ratios[135][0] == pytest.approx(0.7385, abs=5e-5)
    assert arcade.ratios[135][134] == pytest.approx(1.3619, abs=5e-5)
    assert arcade.lowest == pytest.approx(0.7385 - 1, abs=5e-5)
    assert arcade.highest == pytest.approx(0.3619, abs=5e-5)
    assert arcade.rms == pytest.approx(0.114, abs=5e-4)
    assert max(arcade.variations) == pytest.approx(0.0769, abs=5e-5)
    assert sum(arcade.variations) / 136 == pytest.approx(0.0448, abs=5e-5)
    # all is even for the first tile, and at the last place, but for the remainders
    assert arcade.ratios[0] == pytest.approx([1.0] * 136, abs=2e-8)
    assert [row[135] for row in arcade.ratios] == pytest.approx([1.0] * 136, abs=2e-8)


@pytest.mark.slow
def test_rows_and_columns_are_distributions(arcade: Placement) -> None:
    assert {sum(row) for row in arcade.weights} == {arcade.total}
    assert {sum(column) for column in zip(*arcade.weights, strict=True)} == {arcade.total}


@pytest.mark.slow
def test_tenhou_is_fair_but_for_the_remainders() -> None:
    found = swap_each_with_later(136)
    assert 0 < found.highest < 3.0e-8
    assert -3.0e-8 < found.lowest < 0


def test_tarot() -> None:
    fair = tarot(78, Reduction.CORRECT)
    assert (fair.lowest, fair.highest, fair.rms) == (0, 0, 0)
    printed = tarot(78, Reduction.PRINTED)
    assert 1 + printed.lowest == pytest.approx(0.5503, abs=5e-5)
    assert 1 + printed.highest == pytest.approx(2.4994, abs=5e-5)
    assert printed.variations[0] == pytest.approx(0.0387, abs=5e-5)
    row = placement(5, 78, Reduction.PRINTED)
    assert tuple(printed.probability(5, at) for at in range(78)) == row


@pytest.mark.parametrize("n", [1, 2, 7, 136])
def test_remainders(n: int) -> None:
    weights = remainder_weights(n)
    assert sum(weights) == WORDS
    assert max(weights) - min(weights) <= 1
    # the remainders of the last, incomplete turn come up once more
    assert weights.count(max(weights)) == (WORDS % n or n)


def test_what_is_said_of_the_systems() -> None:
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    bits = {system.name: system.order_bits for system in SYSTEMS}
    assert bits["tarot"] == pytest.approx(382.20, abs=5e-3)
    assert bits["mjarcade"] == pytest.approx(616.7, abs=5e-2)
    assert 136**136 % factorial(136) != 0


def test_colours_and_blocks() -> None:
    assert colour(1) == (255, 255, 255)
    assert colour(2.5) == colour(9) == (255, 0, 0)
    assert colour(0.4) == colour(0) == (0, 0, 255)
    assert colour(2)[1] == colour(0.5)[1]
    blocks = shrunk(swap_each_with_any(12).ratios, 4)
    assert len(blocks) == 4
    assert blocks[3][0] < 1 < blocks[3][2]


@pytest.mark.slow
def test_pictures_have_axes_a_legend_and_one_scale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = pytest.importorskip("matplotlib.figure")
    drawn: list[Any] = []
    save = figure.Figure.savefig

    def kept(self: Any, *arguments: Any, **options: Any) -> None:
        drawn.append(self)
        save(self, *arguments, **options)

    monkeypatch.setattr(figure.Figure, "savefig", kept)
    even = [[1.0] * 8] * 8
    for ratios, deviations in ((even, None), (swap_each_with_any(8).ratios, even)):
        write_png(tmp_path / "x.png", "eight cards", ratios, deviations)
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    for one in drawn:
        table, legend = one.axes[0], one.axes[-1 if one is drawn[0] else 2]
        assert (table.get_xlabel(), table.get_ylabel()) == (
            "place in the shuffled deck",
            "place in the sorted deck",
        )
        (image,) = table.get_images()
        assert image.get_clim() == (1 / MAX, MAX)
        fair = image.cmap(image.norm(1.0))
        assert min(fair[:3]) > 0.95  # white is fair, on every picture
        assert "1 = fair" in legend.get_ylabel()
        assert "1" in [label.get_text() for label in legend.get_yticklabels()]
    assert drawn[1].axes[1].get_images()[0].get_clim() == (-MAX_Z, MAX_Z)


def _fair_sample(cards: int, shuffles: int) -> Sample:
    chance = np.random.default_rng(1)
    decks = chance.permuted(np.tile(np.arange(cards), (shuffles, 1)), axis=1)
    counts = np.zeros((cards, cards), np.int64)
    np.add.at(counts, (decks, np.arange(cards)), 1)
    return Sample(MOS6502, counts, shuffles, 0.0, 0)


def test_of_fair_shuffles_the_figures_are_noise() -> None:
    figures = Figures(_fair_sample(12, 20_000), swap_each_with_later(12))
    assert figures.rms == pytest.approx(figures.noise, rel=0.2)
    assert abs(figures.fair.z) < 4
    assert abs(figures.model.z) < 4
    assert figures.fair.p > 1e-4
    assert min(figures.lowest.p, figures.highest.p, figures.worst_place.p) > 1e-4
    assert figures.lowest.ratio < 1 < figures.highest.ratio


def test_what_is_not_fair_is_told_from_noise() -> None:
    exact = swap_each_with_any(12)
    sample = _fair_sample(12, 20_000)
    figures = Figures(sample, exact)  # fair, but not as the table says
    assert figures.model.z > 100 > 4 > abs(figures.fair.z)
    counts = np.array([[exact.probability(i, p) * 20_000 for p in range(12)] for i in range(12)])
    biased = Figures(Sample(MOS6502, counts.astype(np.int64), 20_000, 0.0, 0), exact)
    assert biased.fair.z > 100
    assert biased.fair.p < 1e-15
    assert biased.beyond_noise == pytest.approx(exact.rms, rel=0.05)
    assert biased.highest.ratio == pytest.approx(1 + float(exact.highest), rel=1e-3)
    assert biased.highest.p < 1e-6
    assert biased.worst_place.p < 1e-6


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [(18.307, 10, 0.05), (124.342, 100, 0.05), (135.807, 100, 0.01), (9.342, 10, 0.5)],
)
def test_chi_square(statistic: float, degrees: int, p: float) -> None:
    found = ChiSquare(statistic, degrees)
    assert found.p == pytest.approx(p, rel=0.02)
    assert found.z == pytest.approx((statistic - degrees) / (2 * degrees) ** 0.5)


def test_a_machine_that_shuffles_otherwise_is_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    # the code of one variant against the model of the other
    real = sample_module.tarot_library
    monkeypatch.setattr(
        sample_module, "tarot_library", lambda target, feedback, *_: real(target, feedback, PRINTED)
    )
    sample_module._rom.cache_clear()
    with pytest.raises(Disagreement, match="the 6502 disagrees with the model: the deck from"):
        sample_module.sample(MOS6502, Reduction.CORRECT, 20, workers=1)
    sample_module._rom.cache_clear()


def test_a_sample_goes_on_where_it_was_broken_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path))
    monkeypatch.setattr(sample_module, "CHUNK", 40)
    real, counted = sample_module.count, list[int]()

    def count(part: Part, workers: int | None = None) -> Totals:
        counted.append(len(part.seeds))
        if len(counted) == broken_off:
            raise KeyboardInterrupt
        return real(part, workers)

    monkeypatch.setattr(sample_module, "count", count)
    take = partial(sample_module.sample, MOS6502, Reduction.CORRECT, workers=1)
    broken_off = 0
    whole = take(130, fresh=True)
    assert counted == [40, 40, 40, 10]
    assert int(whole.counts.sum()) == 130 * CARDS
    for path in tmp_path.glob("*.sample"):
        path.unlink()
    counted.clear()
    broken_off = 3
    with pytest.raises(KeyboardInterrupt):
        take(130)
    again = take(130)
    assert counted == [40, 40, 40, 40, 10]  # the third one twice
    larger = take(170)
    assert counted[5:] == [40, 10]
    smaller = take(50)
    assert counted[7:] == [40, 10]
    assert (again.counts == whole.counts).all()
    assert (again.cycles, again.checked) == (whole.cycles, whole.checked)
    assert int(larger.counts.sum()) == 170 * CARDS
    assert (smaller.counts <= whole.counts).all()
    (kept,) = tmp_path.glob("*.sample")
    kept.write_bytes(kept.read_bytes()[:-3])
    assert (take(130).counts == whole.counts).all()
    assert counted[9:] == [40, 40, 40, 10]
