"""The command line: what it prints, its JSON, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeck.cli import fairdeck, run
from fairdeck.cli import text as cli_text
from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.distribution import distribution
from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import FEEDBACKS
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.shuffle import SORTED, shuffles


def called(*args: str) -> str:
    """Standard output of a command that went well, without colours."""
    result = CliRunner().invoke(fairdeck, list(args), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def shuffled(*args: str) -> dict[str, Any]:
    """The JSON of ``fairdeck tarot shuffle``."""
    found = json.loads(called("tarot", "shuffle", "--json", *args))
    assert isinstance(found, dict)
    return found


def test_json_of_one_shuffle_is_the_whole_contract() -> None:
    (one,) = shuffles(Generator(0x12345678), 1)
    assert shuffled("--seed", "12345678") == {
        "deck": list(one.deck),
        "decks": [list(one.deck)],
        "state": f"{one.generator.state:08x}",
        "flips": [one.flips],
        "cycles": [None],
    }


@pytest.mark.parametrize("name", FEEDBACKS)
@pytest.mark.parametrize("reduction", Reduction)
def test_json_of_each_variant(name: str, reduction: Reduction) -> None:
    done = shuffles(Generator(0xDEADBEEF, FEEDBACKS[name]), 3, reduction=reduction)
    found = shuffled(
        *("--seed", "deadbeef", "--shuffles", "3"),
        *("--feedback", name, "--reduction", reduction.value),
    )
    assert list(found) == ["deck", "decks", "state", "flips", "cycles"]
    assert found["decks"] == [list(one.deck) for one in done]
    assert found["deck"] == found["decks"][-1]
    assert found["flips"] == [one.flips for one in done]
    assert found["state"] == f"{done[-1].generator.state:08x}"
    assert found["cycles"] == [None] * 3


def test_text_shows_every_card_by_place_number_and_name() -> None:
    text = called("tarot", "shuffle", "--seed", "12345678", "--shuffles", "2")
    last = shuffles(Generator(0x12345678), 2)[-1]
    for place, card in enumerate(last.deck):
        assert f"{place:2}: {card:2} {NAMES[card]}" in text
    assert "shuffled twice on the model" in text
    assert f"shuffle 2: {last.flips} flips\n" in text
    assert f"state {last.generator.state:08x}\n" in text
    assert all(len(line) <= 80 and line == line.rstrip() for line in text.splitlines())


def test_text_says_which_variant_it_is() -> None:
    text = called(
        *("tarot", "shuffle", "--seed", "1234ABCD", "--feedback", "CF"),
        *("--reduction", "printed"),
    )
    assert "3,757,580,295, not 2^32-1" in " ".join(text.split())
    assert "biased" in text


@pytest.mark.parametrize(
    ("tty", "no_color", "coloured"), [(True, "", True), (True, "1", False), (False, "", False)]
)
def test_colours_only_where_they_are_seen_and_wanted(
    tty: bool,
    no_color: str,
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr("sys.stdout.isatty", lambda: tty)
    cli_text.show(cli_text.deck_table(SORTED))
    text = capsys.readouterr().out
    assert ("\x1b[" in text) is coloured
    assert "Ace of Cups" in text


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seed", "00000000"], "never leaves"),
        (["--seed", "1234567"], "exactly 8 hexadecimal digits"),
        (["--seed", "0x1234567"], "exactly 8 hexadecimal digits"),
        ([], "--seed"),
        (["--seed", "12345678", "--shuffles", "0"], "x>=1"),
        (["--seed", "12345678", "--shuffles", "many"], "not a valid integer"),
        (["--seed", "12345678", "--feedback", "d8"], "'a3', 'c5', 'cf'"),
        (["--seed", "12345678", "--reduction", "fair"], "'correct', 'printed'"),
        (["--seed", "12345678", "--on", "z80"], "'model', '6502', 'sm83'"),
        (["--seed", "12345678", "--on", "6502", "--engine", "none"], "py65"),
        (["--seed", "12345678", "--frequency", "2"], "No such option"),
    ],
)
def test_wrong_command_lines_exit_with_2_and_one_clear_error(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tarot", "shuffle", *args]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert shown.err.count("Error:") == 1
    assert "Traceback" not in shown.err


def test_a_failure_exits_with_1_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    tarot_library.cache_clear()  # other tests may have built it
    monkeypatch.setattr("fairdeck.__file__", str(tmp_path / "src" / "fairdeck" / "__init__.py"))
    assert run(["tarot", "shuffle", "--seed", "12345674", "--feedback", "cf", "--on", "6502"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "folder of machine programs is missing" in shown.err
    assert "Traceback" not in shown.err


def test_stats_json_is_exact() -> None:
    found = json.loads(called("tarot", "stats", "--json"))
    assert found["n"] == 78
    assert found["correct"]["expected_flips"] == "691/91"
    assert found["correct"]["pmf"] == [[0, 77, "1/78"]]
    assert found["correct"]["total_variation"] == "0"
    assert found["correct"]["first_stays"] == "1/78"
    printed = distribution(78, Reduction.PRINTED)
    assert found["printed"]["pmf"] == [[a, b, str(p)] for a, b, p in printed.runs()]
    assert found["printed"]["expected_flips"] == "2049030067/268435456"


def test_stats_text() -> None:
    text = called("tarot", "stats")
    for figure in ("691/91", "0.012187", "0.6094", "2.4994", "462.50363", "460.47696"):
        assert figure in text
    small = called("tarot", "stats", "--n", "6")
    assert "1/8" in small
    assert "3/16" in small


@pytest.mark.parametrize("n", ["1", "257", "-3", "x"])
def test_stats_outside_its_range_are_refused(n: str) -> None:
    assert run(["tarot", "stats", "--n", n]) == 2


def test_help_tells_the_truth_about_the_variants() -> None:
    text = called("tarot", "shuffle", "--help")
    for name, feedback in FEEDBACKS.items():
        assert name in text
        for length in feedback.cycles:
            assert f"{length:,}" in text
        assert name == "a3" or f"{float(feedback.off_main_cycle):.2%}".replace("%", " %") in text
    printed = distribution(78, Reduction.PRINTED)
    assert f"{float(printed.total_variation):.6f}" in text
    assert f"{float(printed.pmf[0] * 78):.4f}" in text
    assert "fairdeck tarot shuffle --seed 12345678" in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_the_command(shell: str) -> None:
    result = CliRunner().invoke(fairdeck, ["completion", shell], prog_name="fairdeck")
    assert result.exit_code == 0
    assert "_FAIRDECK_COMPLETE" in result.stdout
    assert "romproof" not in result.stdout


def test_a_terminal_without_utf_8_is_no_failure() -> None:
    """Tiles are shown as pictures of Unicode, which the terminal cannot show."""
    vectors = Path(__file__).parents[1] / "vectors" / "tenhou_synthetic.json"
    seed = json.loads(vectors.read_text("utf-8"))["shuffle"][0]["seed"]
    wall = ("tenhou", "wall", seed, "--glyphs")
    done = subprocess.run(
        [sys.executable, "-c", "from fairdeck.cli import main; main()", *wall],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2] / "pytools"),
            "PYTHONIOENCODING": "latin-1",
        },
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"dice 3 and 6" in done.stdout
