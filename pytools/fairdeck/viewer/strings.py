"""The words of the page: one table of strings, a column for each language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fairdeck.audit.systems import SYSTEMS
from fairdeck.tenhou.game.sentences import Sentence, Translate

LANGUAGES = ("en", "ja", "zh")
"""English, Japanese, Chinese (simplified): the columns, in this order."""
TRUSTED = ("tenhou", "mjarcade", "mahjongsoul")
"""The systems of the table of trust, by their names in the audit."""
QUESTIONS = ("chosen_by", "committed", "revealed", "verifiable", "unverifiable")

Row = tuple[str, str, str]


@cache
def strings() -> Mapping[str, Row]:
    """Every string by its key. What the audit says of the systems comes from there in English."""
    table = {key: _row(row) for key, row in _asset("strings.json").items()}
    other = _asset("trust.json")
    english = {system.name: system for system in SYSTEMS}
    for name in TRUSTED:
        for question in QUESTIONS:
            text = getattr(english[name], question)
            table[f"trust.{name}.{question}"] = _row([text, *other[f"{name}.{question}"]])
    return MappingProxyType(table)


def word(key: str, language: str) -> str:
    """A string in a language of LANGUAGES."""
    return strings()[key][LANGUAGES.index(language)]


@cache
def templates() -> Mapping[str, Row]:
    """The verifier's messages: by the English template, the template in each language."""
    return MappingProxyType(
        {english: _row([english, *row]) for english, row in _asset("sentences.json").items()}
    )


def translations(sentence: Sentence) -> dict[str, str]:
    """A message of the verifier in each language of LANGUAGES."""
    return {
        language: sentence.text(_in_column(column)) for column, language in enumerate(LANGUAGES)
    }


def _in_column(column: int) -> Translate:
    table = templates()
    return lambda template: table[template][column]


def _row(row: list[str]) -> Row:
    english, japanese, chinese = row
    return english, japanese, chinese


def _asset(name: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(asset(name))
    return table


@cache
def asset(name: str) -> str:
    """A file of the page, from the folder ``assets``."""
    return files("fairdeck.viewer").joinpath("assets", name).read_text("utf-8")
