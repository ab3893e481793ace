"""The tarot ROMs in the emulator, against the vectors, the model and the golden file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import golden_tarot
import pytest
from click.testing import CliRunner
from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck.cli import fairdeck, run
from fairdeck.data import DataMissing, rom_folder
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.compare import require_equal
from fairdeck.tarot.draw import Generator, Reduction, flip
from fairdeck.tarot.feedback import FEEDBACKS, Feedback
from fairdeck.tarot.on_machine import RegisterLost, flips_between, on_machine
from fairdeck.tarot.runs import Outcome, Request, on_model
from fairdeck.tarot.shuffle import SORTED, shuffle
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from romproof.engine.engines import ENGINES, choose_engine

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot.json").read_text())["decks"]


@each_target
@every_case("case", VECTORS, ids=lambda c: f"{c['feedback']}-{c['state']}-{c['reduction']}")
def test_machine_code_follows_the_vectors(target: Target, case: dict[str, Any]) -> None:
    feedback = FEEDBACKS[case["feedback"].lower()]
    decks = [bytes.fromhex(text) for text in case["deck_hex_after_each_shuffle"]]
    request = Request(int(case["state"], 16), len(decks), feedback, Reduction(case["reduction"]))
    outcomes = on_machine(target, request)
    assert [bytes(one.deck) for one in outcomes] == decks
    assert [one.flips for one in outcomes] == case["flips_per_shuffle"]
    for one, after in zip(outcomes, case["generator_after_each_shuffle"], strict=True):
        assert one.generator == Generator(
            int(after["lfsr"], 16), feedback, after["rng"], after["flips_left"]
        )


@each_target
@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 2**32 - 1),
    st.sampled_from(list(FEEDBACKS.values())),
    st.sampled_from(list(Reduction)),
)
def test_machine_code_is_the_model(
    target: Target, seed: int, feedback: Feedback, reduction: Reduction
) -> None:
    request = Request(seed, 2, feedback, reduction)
    require_equal(target.title, on_machine(target, request), on_model(request))


@each_target
@pytest.mark.parametrize(
    "request_",
    golden_tarot.REQUESTS,
    ids=lambda r: f"{r.seed:08x}-{r.feedback.name}-{r.reduction.value}",
)
def test_decks_and_cycles_are_the_golden_ones(target: Target, request_: Request) -> None:
    rows = json.loads(golden_tarot.golden_file(target).read_text())
    found = golden_tarot.as_golden(target, request_)
    keys = ("seed", "feedback", "reduction")
    (golden,) = [row for row in rows if all(row[k] == found[k] for k in keys)]
    assert found == golden


@each_target
def test_golden_decks_and_states_are_the_models(target: Target) -> None:
    rows = json.loads(golden_tarot.golden_file(target).read_text())
    assert len(rows) == len(golden_tarot.REQUESTS)
    for row, request in zip(rows, golden_tarot.REQUESTS, strict=True):
        model = on_model(request)
        assert row["decks"] == [bytes(one.deck).hex() for one in model]
        assert row["states"] == [f"{one.generator.state:08x}" for one in model]
        assert row["flips"] == [one.flips for one in model]


@pytest.mark.parametrize(("target", "engine"), [(MOS6502, "py65"), (SM83, "plain")])
def test_json_of_a_machine_has_the_cycles(target: Target, engine: str) -> None:
    args = ["tarot", "shuffle", "--seed", "12345678", "--shuffles", "2", "--json"]
    model = json.loads(_called(args))
    found = json.loads(_called([*args, "--on", target.name, "--engine", engine]))
    cycles = found.pop("cycles")
    assert model.pop("cycles") == [None, None]
    assert found == model
    outcomes = on_machine(target, Request(0x12345678, 2, FEEDBACKS["a3"]))
    assert cycles == [one.cycles for one in outcomes]
    # 77 exchanges of two cards, two loads and two stores each, are 600 cycles by themselves
    assert all(600 < count < 100_000 for count in cycles)


@each_target
def test_text_of_a_machine_compares_with_the_model(target: Target) -> None:
    text = _called(["tarot", "shuffle", "--seed", "12345678", "--on", target.name])
    (cycles,) = [one.cycles for one in on_machine(target, Request(0x12345678))]
    assert f"shuffled once on the {target.title}" in text
    assert f"{target.title} against model: 78 of 78 equal" in text
    assert f" flips, {cycles:,} {target.cycles}\n" in text


def test_demo_shows_deck_checks_and_reports() -> None:
    text = _called(["tarot", "demo"])
    assert "seed 12345678, shuffled once on the 6502 and the SM83" in text
    assert any(line.startswith("shuffle") and "self" not in line for line in text.splitlines())
    for target, cpu in ((MOS6502, "mos6502"), (SM83, "sm83")):
        (one,) = on_machine(target, Request(0x12345678))
        assert f"{target.title} against model: 78 of 78 equal" in text
        # ours, and the report's
        assert text.count(f"{one.cycles:,} {target.cycles}") == 2
        chosen = choose_engine(cpu)  # a report is of what is watched
        assert f"{cpu} on {ENGINES[chosen].when_watched or chosen}" in text


def test_demo_of_one_cpu_leaves_the_other_alone() -> None:
    text = _called(["tarot", "demo", "--on", "6502", "--engine", "py65"])
    assert "shuffled once on the 6502\n" in text
    assert "SM83" not in text


def _called(args: list[str]) -> str:
    result = CliRunner().invoke(fairdeck, args, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_disagreement_is_told_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = on_machine(SM83, Request(0x12345678))[0]
    cards = list(honest.deck)
    cards[3], cards[60] = cards[60], cards[3]
    wrong = replace(honest, deck=tuple(cards))
    monkeypatch.setattr("fairdeck.tarot.on_machine.on_machine", lambda *_: (wrong,))
    assert run(["tarot", "shuffle", "--seed", "12345678", "--on", "sm83"]) == 1
    shown = capsys.readouterr()
    assert "76 of 78 equal" in shown.out
    assert "the SM83 disagrees with the model in shuffle 1: place 3 of the deck" in shown.err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"flips": 1}, "1 flips, not 2"),
        ({"generator": Generator(6)}, "register is 00000006, not 00000005"),
        ({"generator": Generator(5, flips_left=1)}, "1 flips are left, not 0"),
        ({"generator": Generator(5, remainder=1)}, "00000001, not 00000000"),
    ],
)
def test_every_kind_of_difference_is_found(changed: dict[str, Any], said: str) -> None:
    model = Outcome(SORTED, Generator(5), 2, None)
    require_equal("6502", [replace(model, cycles=99)], [model])
    with pytest.raises(Disagreement, match=said):
        require_equal("6502", [replace(model, **changed)], [model])


def _left(generator: Generator, flips: int) -> Generator:
    """The generator after some flips."""
    for _ in range(flips):
        generator, _ = flip(generator)
    return generator


@pytest.mark.parametrize("reduction", Reduction)
@pytest.mark.parametrize("name", FEEDBACKS)
def test_flips_are_found_from_the_register(name: str, reduction: Reduction) -> None:
    start = Generator(0x12345678, FEEDBACKS[name])
    for before in (_left(start, flips) for flips in range(8)):
        one = shuffle(before, reduction=reduction)
        assert flips_between(before, one.generator, reduction) == one.flips


@pytest.mark.parametrize("reduction", Reduction)
@pytest.mark.parametrize("name", ["c5", "cf"])
def test_flips_are_found_on_the_shortest_cycle_wherever_a_shuffle_begins(
    name: str, reduction: Reduction
) -> None:
    feedback = FEEDBACKS[name]
    before = Generator(feedback.short, feedback)
    for _ in range(8 * min(feedback.cycles)):
        one = shuffle(before, reduction=reduction)
        assert flips_between(before, one.generator, reduction) == one.flips
        before, _ = flip(before)
    assert before == Generator(feedback.short, feedback)


def test_a_register_that_no_shuffle_leads_to_is_told() -> None:
    with pytest.raises(RegisterLost, match="from 00000001 to 12345678"):
        flips_between(Generator(1), Generator(0x12345678), Reduction.CORRECT)


def test_rom_folder_has_the_manifest_and_the_library_beside() -> None:
    for target in TARGETS.values():
        assert (rom_folder() / target.rom / "manifest.toml").is_file()
    assert (rom_folder().parent / "asm").is_dir()


def test_installed_folder_wins_and_a_missing_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pytools" / "fairdeck"
    monkeypatch.setattr("fairdeck.__file__", str(package / "__init__.py"))
    with pytest.raises(DataMissing, match="neither"):
        rom_folder()
    (tmp_path / "rom").mkdir()
    assert rom_folder() == tmp_path / "rom"
    (package / "rom").mkdir(parents=True)
    assert rom_folder() == package / "rom"
