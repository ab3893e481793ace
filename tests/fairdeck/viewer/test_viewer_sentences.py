"""The verifier's messages in every language: each that the code can make is translated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from viewer_games import LOGS

import fairdeck.tenhou as package
from fairdeck.cli import tenhou_wall
from fairdeck.tenhou.game.melds import Called
from fairdeck.tenhou.game.sentences import list_values, say, tiles_text, word
from fairdeck.tenhou.game.worth import NAMES
from fairdeck.tenhou.mjlog import read_log
from fairdeck.tenhou.verify import verify
from fairdeck.viewer.document import Wanted, read_document
from fairdeck.viewer.strings import LANGUAGES, templates, translations

MAKERS = {"say": 0, "require": 2, "Contradiction": 1, "SeedError": 0, "UnverifiableSeed": 0}
"""What makes messages: which of its arguments is the template."""
PASSED_ON = {"contradiction.py": 2, "seed.py": 1}
"""Calls that hand a template on, which they were given."""
FROM_0 = re.compile("（(0から数える|从 0 数起)）")
"""English needs no words for it: "round 0"."""
SOURCES = [*sorted(Path(package.__path__[0]).rglob("*.py")), Path(tenhou_wall.__file__)]


def made(path: Path) -> Iterator[tuple[str | None, set[str]]]:
    """The template of each call that makes a message, None unless a literal; its fields."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, place = node.func.id, MAKERS.get(node.func.id)
            if place is not None:
                fields = {keyword.arg or "**" for keyword in node.keywords}
                value = node.args[place]
                text = value.value if isinstance(value, ast.Constant) else None
                yield (text if isinstance(text, str) else None), fields
            elif name == "list_values":
                for value in node.args[1:]:
                    assert isinstance(value, ast.Constant)
                    yield str(value.value), set()


def fields(template: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_every_message_of_the_verifier_is_translated_and_no_other() -> None:
    used = {", ", "none", *NAMES, *(called.value for called in Called)}
    for path in SOURCES:
        unknown = 0
        for template, given in made(path):
            if template is None:
                unknown += 1
                continue
            used.add(template)
            assert "**" in given or fields(template) <= given | {""}, (path.name, template)
        assert unknown == PASSED_ON.get(path.name, 0), path.name
    assert used == templates().keys()


def test_every_translation_has_the_fields_of_its_template() -> None:
    for english, row in templates().items():
        assert len(row) == len(LANGUAGES)
        assert all(fields(text) == fields(english) for text in row), english
        if re.search("[a-z]{3}", re.sub(r"\{\w+\}", "", english)):
            assert all(any(ord(c) > 0x2FFF for c in text) for text in row[1:]), english


@pytest.mark.slow_cases("a")
@pytest.mark.parametrize("name", [name for name in LOGS if name != "plain"])
def test_messages_of_games_are_the_same_in_all_languages(name: str) -> None:
    """With the same numbers and tiles in them, and nothing left in English."""
    report = verify(read_log(LOGS[name].encode("utf-8")))
    messages = [report.difference.sentence] if report.difference else []
    for sentence in (*messages, *report.left_out):
        texts = translations(sentence)
        assert texts["en"] == str(sentence)
        assert len(set(texts.values())) == len(LANGUAGES)
        numbers = {each: sorted(re.findall(r"\d+", FROM_0.sub("", texts[each]))) for each in texts}
        assert numbers["en"] == numbers["ja"] == numbers["zh"]
        for language in ("ja", "zh"):
            assert not re.search("[a-z]{3}", texts[language]), texts[language]


def test_values_are_translated_too_and_never_read_as_templates() -> None:
    sentence = say(
        "{what}: {list}, {none}", what=word("pon"), list=tiles_text([0, 135]), none="{x}"
    )
    assert str(sentence) == "pon: 1m (tile 0), 7z (tile 135), {x}"
    other = {"pon": "ポン", ", ": "、", "{name} (tile {tile})": "{name}（{tile}）"}
    assert sentence.text(lambda t: other.get(t, t)) == "ポン: 1m（0）、7z（135）, {x}"
    assert str(say("{who}", who=list_values([], " and ", "nobody"))) == "nobody"


def test_the_document_has_the_message_in_every_language() -> None:
    forged = next(name for name in LOGS if "tampered" in name)
    document = read_document(LOGS[forged].encode("utf-8"), Wanted())
    difference = document["difference"]
    assert isinstance(difference, dict)
    assert list(difference["message"]) == list(LANGUAGES)
