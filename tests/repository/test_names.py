"""Functions are verbs, and a noun has one meaning: what was reached stays."""

from __future__ import annotations

from pathlib import Path

import names
import pytest

MAX_SHARE = 0.026
"""Participles among the functions of a package: as many as in coverage.py."""
MAX_MEANINGS = 2
SEVERAL_MEANINGS = {
    "SeedError": "each game has seeds of its own, with an error of its own for what is none",
}
"""Nouns that more modules of a package define, and why."""

READERS = "romproof/toolchains/rgbds/asm/"
"""The readers of characters and tokens take the next one."""


@pytest.mark.parametrize("room", names.rooms())
def test_functions_are_verbs(room: str) -> None:
    found, count = names.participles(names.PYTOOLS / room)
    assert len(found) <= MAX_SHARE * count, "\n".join(f"{each.where} {each.name}" for each in found)


def test_names_say_what_is_done() -> None:
    found = names.vague_names(names.PYTOOLS / "romproof")
    assert [each for each in found if not each.startswith(READERS)] == []


@pytest.mark.parametrize("package", ["romproof", "fairdeck"])
def test_a_noun_has_one_meaning(package: str) -> None:
    several = {
        name: paths
        for name, paths in names.nouns(names.PYTOOLS / package).items()
        if len(paths) > MAX_MEANINGS and name not in SEVERAL_MEANINGS
    }
    assert not several


@pytest.mark.parametrize("package", ["romproof", "fairdeck"])
def test_a_choice_of_modules_says_its_functions(package: str) -> None:
    """Else mypy takes any name: a function that is called by an old name is found by nobody."""
    assert names.untyped_choices(names.PYTOOLS / package) == []


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("joined", True),
        ("_written_bytes", True),
        ("known", True),
        ("surely_written", True),
        ("join", False),
        ("need", False),
        ("_seed_of", False),
        ("read", False),
        ("find_written", False),
        ("is_known", False),
    ],
)
def test_participles_are_found(name: str, is_one: bool) -> None:
    assert names.is_participle(name) is is_one


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    """In a package with a fault of each kind."""
    package = tmp_path / "house"
    (package / "rooms").mkdir(parents=True)
    faulty = (
        "Row = list[int]\n\n\nclass Place:\n    def _taken(self): ...\n    def take(self): ...\n"
    )
    for module in ("one", "two", "rooms/places"):
        (package / f"{module}.py").write_text(faulty, "utf-8")
    found, count = names.participles(package)
    assert (len(found), count) == (3, 6)
    assert [each.where for each in found] == [
        "house/one.py:5",
        "house/rooms/places.py:5",
        "house/two.py:5",
    ]
    assert names.nouns(package).keys() == {"Row", "Place"}
    assert {len(paths) for paths in names.nouns(package).values()} == {3}
    assert "house/one.py:6 take" in names.vague_names(package)
    assert "house/rooms/places.py" in names.vague_names(package)


def test_choices_of_modules_are_found(tmp_path: Path) -> None:
    """In a table or a condition, unless the table has a type."""
    package = tmp_path / "house"
    package.mkdir()
    for module in ("__init__", "left", "right"):
        (package / f"{module}.py").write_text("", "utf-8")
    (package / "use.py").write_text(
        "from house import left, right\n"
        "SIDES: dict[str, Side] = {'l': left, 'r': right}\n"
        "PLACES = {'l': left.place, 'r': right.place}\n"
        "MODULES = {'l': left, 'r': right}\n"
        "one = left if SIDES else right\n"
        "both = (left, right)\n",
        "utf-8",
    )
    assert names.untyped_choices(package) == [
        "house/use.py:4",
        "house/use.py:5",
        "house/use.py:6",
    ]
