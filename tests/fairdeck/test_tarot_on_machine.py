"""The tarot ROMs in the emulator, against the vectors, the model and the golden file."""

from __future__ import annotations

import json
import random
import re
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
from fairdeck.tarot import speed
from fairdeck.tarot.draw import Generator, Reduction, flip
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS, Feedback
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.on_machine import LIMIT, RegisterLost, flips_between, on_machine, start
from fairdeck.tarot.runs import Outcome, Request, on_model, require_equal
from fairdeck.tarot.shuffle import SORTED, shuffle
from fairdeck.tarot.speed import SHUFFLES
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from fairdeck.tarot.variants import BALANCED, VARIANTS, Variant
from romproof.engine.engines import ENGINES, choose_engine
from romproof.harness.rom import Rom

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot.json").read_text())["decks"]


each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
ON_PY65 = (MOS6502, BALANCED)
"""What an emulator that is not ours executes, with all vectors: one variant, for it takes time."""


@pytest.mark.slow_cases(
    "some-small-6502",
    "some-small-sm83",
    "some-balanced-6502",
    "some-balanced-sm83",
    "some-fast-6502",
    "some-fast-sm83",
)
@each_target
@each_variant
@every_case("case", VECTORS, lambda c: f"{c['feedback']}-{c['state']}-{c['reduction']}", some=5)
def test_machine_code_follows_the_vectors(
    target: Target, variant: Variant, case: dict[str, Any]
) -> None:
    feedback = FEEDBACKS[case["feedback"].lower()]
    decks = [bytes.fromhex(text) for text in case["deck_hex_after_each_shuffle"]]
    request = Request(int(case["state"], 16), len(decks), feedback, Reduction(case["reduction"]))
    engine = "py65" if (target, variant) == ON_PY65 else "auto"
    outcomes = on_machine(target, request, engine, variant=variant)
    assert [bytes(one.deck) for one in outcomes] == decks
    assert [one.flips for one in outcomes] == case["flips_per_shuffle"]
    for one, after in zip(outcomes, case["generator_after_each_shuffle"], strict=True):
        assert one.generator == Generator(
            int(after["lfsr"], 16), feedback, after["rng"], after["flips_left"]
        )


@pytest.mark.quick_cases("balanced-6502", "balanced-sm83")
@each_target
@each_variant
@settings(max_examples=10, deadline=None)
@given(
    st.integers(1, 2**32 - 1),
    st.sampled_from(list(FEEDBACKS.values())),
    st.sampled_from(list(Reduction)),
)
def test_machine_code_is_the_model(
    target: Target, variant: Variant, seed: int, feedback: Feedback, reduction: Reduction
) -> None:
    request = Request(seed, 2, feedback, reduction)
    require_equal(target.title, on_machine(target, request, variant=variant), on_model(request))


@pytest.mark.slow_cases(
    "Reduction.PRINTED-small-6502", "Reduction.PRINTED-fast-6502", "Reduction.PRINTED-fast-sm83"
)
@each_target
@each_variant
@pytest.mark.parametrize("reduction", Reduction)
def test_a_shuffle_goes_on_from_any_flips_and_any_deck(
    target: Target, variant: Variant, reduction: Reduction
) -> None:
    rom = Rom(tarot_library(target, DEFAULT_FEEDBACK, reduction, variant).image)
    machine = rom.machine()
    chosen = random.Random(variant.define)
    for left in range(9):
        remainder = chosen.randrange(1 << left)
        before = Generator(chosen.randrange(1, 1 << 32), DEFAULT_FEEDBACK, remainder, left)
        deck = chosen.sample(range(78), 78)
        above = chosen.randrange(256) << left & 0xFF  # what nobody has promised to be 0
        machine.write("lfsr", before.state.to_bytes(4, "big"))
        machine.write("rng", remainder | above)
        machine.write("flips_left", left)
        machine.write("deck", bytes(deck))
        machine.call("shuffle", limit=LIMIT)
        after = shuffle(before, deck, reduction)
        assert machine.read("deck", 78) == bytes(after.deck)
        found = [machine.read(name, 1)[0] for name in ("rng", "flips_left")]
        assert found == [after.generator.remainder, after.generator.flips_left]
        assert int.from_bytes(machine.read("lfsr", 4), "big") == after.generator.state


@each_target
@each_variant
def test_a_register_of_zeros_gives_heads_never(target: Target, variant: Variant) -> None:
    # nobody is let choose that seed (Request refuses it); this is what the code would do
    machine = Rom(
        tarot_library(target, DEFAULT_FEEDBACK, Reduction.CORRECT, variant).image
    ).machine()
    for name, size in (("lfsr", 4), ("rng", 1), ("flips_left", 1)):
        machine.write(name, bytes(size))
    machine.call("deck_init")
    machine.call("shuffle", limit=LIMIT)
    assert machine.read("deck", 78) == bytes([*range(1, 78), 0])
    assert machine.read("lfsr", 4) == bytes(4)
    # 419 flips, the fewest, are 52 bytes and 3 flips of the next
    assert (machine.read("rng", 1), machine.read("flips_left", 1)) == (b"\0", b"\5")


@each_target
@each_variant
def test_a_machine_without_its_deck_set_up_anew_goes_on(target: Target, variant: Variant) -> None:
    request = Request(0xDEADBEEF, 4)
    machine = Rom(
        tarot_library(target, DEFAULT_FEEDBACK, Reduction.CORRECT, variant).image
    ).machine()
    for name, data in start(request).items():
        machine.write(name, data)
    machine.call("deck_init")
    for wanted in on_model(request):
        machine.call("shuffle", limit=LIMIT)
        assert machine.read("deck", 78) == bytes(wanted.deck)


@pytest.mark.quick_cases(
    "12345678-a3-correct-6502",
    "12345678-a3-correct-sm83",
    "00000001-a3-correct-6502",
    "00000001-a3-correct-sm83",
    "ffffffff-a3-correct-6502",
    "ffffffff-a3-correct-sm83",
    "deadbeef-a3-correct-6502",
    "deadbeef-a3-correct-sm83",
    "0937d12b-c5-correct-6502",
    "25a74e9d-cf-correct-6502",
)
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
        assert f"{target.title} on the fastest engine against model: 78 of 78 equal" in text
        # ours, once for each engine, and the report's
        assert text.count(f"{one.cycles:,} {target.cycles}") == (3 if target is MOS6502 else 2)
        chosen = choose_engine(cpu)  # a report is of what is watched
        assert f"{cpu} on {ENGINES[chosen].when_watched or chosen}" in text
    assert "6502 on py65 against model: 78 of 78 equal" in text
    cycles = sum(one.cycles or 0 for one in on_machine(MOS6502, Request(0x12345678, SHUFFLES)))
    compared = re.search(
        rf"{SHUFFLES} shuffles on the 6502: ([0-9,]+) cycles on py65 and on (\w+), decks equal\n"
        r"py65 took [0-9.,]+ ms, \2 [0-9.,]+ ms: [0-9,]+ times as fast",
        text,
    )
    assert compared is not None
    # the program around it sets up the deck and counts
    assert 0 < int(compared[1].replace(",", "")) - cycles < 40 * SHUFFLES + 1_000


@pytest.mark.slow
def test_demo_on_py65_needs_no_other_option() -> None:
    text = _called(["tarot", "demo", "--engine", "py65"])
    assert "6502 on py65 against model: 78 of 78 equal" in text
    # it knows one CPU only
    assert "SM83 on the fastest engine against model: 78 of 78 equal" in text
    assert "times as fast" not in text


@pytest.mark.slow
def test_demo_of_one_cpu_leaves_the_other_alone() -> None:
    text = _called(["tarot", "demo", "--on", "6502", "--engine", "py65", "--variant", "fast"])
    assert "shuffled once on the 6502\n" in text
    assert "variant fast\n" in text
    assert "SM83" not in text


def test_py65_alone_cannot_be_asked_for_the_sm83(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tarot", "demo", "--on", "sm83", "--engine", "py65"]) == 1
    assert "sm83" in capsys.readouterr().err


def test_engines_that_disagree_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = speed._time_shuffle

    def slower(*args: Any) -> speed.Speed:
        found = honest(*args)
        return replace(found, cycles=found.cycles + (found.engine == "py65"))

    monkeypatch.setattr(speed, "_time_shuffle", slower)
    with pytest.raises(Disagreement, match=r"py65 and .* disagree: .* cycles"):
        speed.speeds(Request(1), BALANCED)


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


@pytest.mark.quick_cases("cf-Reduction.CORRECT")
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


@pytest.mark.parametrize("command", ["shuffle", "demo", "compare"])
def test_the_seed_of_zeros_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tarot", command, "--seed", "00000000"]) == 2
    assert "the seed 00000000 is refused" in capsys.readouterr().err


@each_target
def test_the_variant_is_chosen(target: Target) -> None:
    words = ["tarot", "shuffle", "--seed", "12345678", "--on", target.name, "--json", "--variant"]
    found = [json.loads(_called([*words, name])) for name in VARIANTS]
    cycles = [each.pop("cycles")[0] for each in found]
    assert found[0] == found[1] == found[2]
    assert cycles == sorted(cycles, reverse=True)
    assert len(set(cycles)) == len(VARIANTS)
