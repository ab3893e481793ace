"""Makefiles read for the command lines in them; nothing is executed.

Variables, conditionals and the functions on words of GNU make are followed, as far as makefiles of
games use them. What only a run of make would tell, ``$(shell ...)`` and ``$(eval ...)``, is
nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_DEPTH = 40
"""References inside of each other that are followed; more are a circle."""
_REFERENCES = 20_000
"""References in one text that are followed."""
_MOST = 1 << 20
"""Characters that a text may come to."""
_ASSIGNMENT = re.compile(r"(?:export\s+|override\s+)*([^\s:#=+?!]+)\s*(::?:?=|\+=|\?=|=)\s*(.*)")
_CONDITION = re.compile(r"(ifdef|ifndef|ifeq|ifneq|else|endif)\b\s*(.*)")
_FUNCTION = re.compile(r"([a-z-]+)\s+(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MakeRule:
    """Targets with what they are made from, and the commands for that, not yet expanded."""

    targets: tuple[str, ...]
    needs: tuple[str, ...]
    recipe: tuple[str, ...]


@dataclass(slots=True)
class Makefile:
    """What a makefile says: its variables as they are written, its rules in order."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    rules: list[MakeRule] = field(default_factory=list)

    def expand(self, text: str, own: Mapping[str, str] | None = None) -> str:
        """``text`` with its references replaced; ``own`` are variables of a rule."""
        return _Expander({**self.variables, **(own or {})}, self.folder).expand(text)

    def makes(self, path: str) -> bool:
        """Whether a rule says how to make a file."""
        return any(
            rule.recipe and _matches(target, path) is not None
            for rule in self.rules
            for target in rule.targets
        )

    def commands(self) -> Iterator[tuple[MakeRule, list[str]]]:
        """The command lines of all rules as words, each with its rule."""
        for rule in self.rules:
            own = {
                "@": rule.targets[0] if rule.targets else "",
                "<": rule.needs[0] if rule.needs else "",
                "^": " ".join(rule.needs),
                "+": " ".join(rule.needs),
            }
            for line in rule.recipe:
                yield from ((rule, words) for words in _commands(self.expand(line, own)))


def read_makefile(text: str, folder: Path) -> Makefile:
    """The makefile with that text, which lies in ``folder``."""
    made = Makefile(folder)
    kept: list[bool] = []
    targets: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    recipe: list[str] = []

    def end_rule() -> None:
        if targets:
            made.rules.append(MakeRule(targets, needs, tuple(recipe)))

    for line in re.sub(r"[ \t]*\\\r?\n[ \t]*", " ", text).splitlines():
        if line.startswith("\t"):
            if all(kept) and targets:
                recipe.append(line.strip())
            continue
        line = re.sub(r"(?<!\\)#.*", "", line).strip()
        condition = _CONDITION.match(line)
        if condition is not None:
            _follow(condition[1], condition[2], kept, made)
        elif line and all(kept):
            assignment = _ASSIGNMENT.fullmatch(line)
            if assignment is not None:
                _assign(made, *assignment.groups())
                continue
            before, colon, after = _split_rule(line)
            if colon and not _ASSIGNMENT.fullmatch(after.strip()):
                end_rule()
                after, _, command = after.partition(";")
                targets = tuple(made.expand(before).split())
                needs = tuple(made.expand(after.replace("|", " ")).split())
                recipe = [command.strip()] if command.strip() else []
    end_rule()
    return made


def _follow(word: str, rest: str, kept: list[bool], made: Makefile) -> None:
    """Enter, turn or leave a conditional."""
    if word == "endif":
        del kept[-1:]
    elif word == "else":
        held = kept.pop() if kept else True
        nested = _CONDITION.match(rest)
        kept.append(not held and (nested is None or _holds(nested[1], nested[2], made)))
    else:
        kept.append(_holds(word, rest, made))


def _holds(word: str, rest: str, made: Makefile) -> bool:
    if word in ("ifdef", "ifndef"):
        return (rest.strip() in made.variables) == (word == "ifdef")
    rest = rest.strip()
    if rest.startswith("("):
        sides = _split_arguments(rest[1:].removesuffix(")"))
    else:
        sides = [side[1:-1] for side in re.findall(r"\"[^\"]*\"|'[^']*'", rest)]
    left, right = (made.expand(side).strip() for side in (*sides, "", "")[:2])
    return (left == right) == (word == "ifeq")


def _assign(made: Makefile, name: str, operator: str, value: str) -> None:
    name = made.expand(name)
    if operator == "?=" and name in made.variables:
        return
    if operator == "+=" and name in made.variables:
        value = f"{made.variables[name]} {value}"
    elif operator not in ("=", "?=", "+="):
        value = made.expand(value)
    made.variables[name] = value[:_MOST]


def _split_rule(line: str) -> tuple[str, str, str]:
    """Targets, colon and the rest of a rule; a colon in a reference is none."""
    depth = 0
    for at, character in enumerate(line):
        depth += (character in "({") - (character in ")}")
        if character == ":" and depth == 0 and line[at + 1 : at + 2] not in ("=", "\\", "/"):
            return line[:at], ":", line[at + 1 :].lstrip(":")
    return line, "", ""


def _commands(line: str) -> Iterator[list[str]]:
    """The commands of a line of a recipe, as words."""
    try:
        lexer = shlex.shlex(line.lstrip("@-+ "), posix=True, punctuation_chars=";&|")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:  # a quote that is not closed
        return
    command: list[str] = []
    for word in words:
        if set(word) <= set(";&|"):
            yield command
            command = []
        else:
            command.append(word)
    yield command


def _closing(text: str, at: int) -> int:
    """Where the bracket at ``at`` is closed."""
    pairs = {"(": ")", "{": "}"}
    opening, closing = text[at], pairs[text[at]]
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place
    return len(text)


def _split_arguments(text: str) -> list[str]:
    """The arguments of a function: commas in references do not count."""
    arguments, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if character == "," and depth == 0:
            arguments.append(text[start:at])
            start = at + 1
    return [*arguments, text[start:]]


def _matches(pattern: str, word: str) -> str | None:
    """What ``%`` stands for in a word; None where the pattern is another one."""
    before, percent, after = pattern.partition("%")
    if not percent:
        return "" if word == pattern else None
    fits = word.startswith(before) and word.endswith(after)
    if not fits or len(word) < len(before) + len(after):
        return None
    return word[len(before) : len(word) - len(after)]


def _patsubst(old: str, new: str, text: str) -> str:
    words = []
    for word in text.split():
        stem = _matches(old, word)
        words.append(word if stem is None else new.replace("%", stem, 1))
    return " ".join(words)


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: " ".join(change(word) for word in text.split())


def _folder_of(word: str) -> str:
    return word[: word.rfind("/") + 1] or "./"


def _without_ending(word: str) -> str:
    name = word[word.rfind("/") + 1 :]
    return word[: len(word) - len(name) + name.rfind(".")] if "." in name else word


_ON_WORDS: Mapping[str, Callable[[str], str]] = {
    "notdir": _each(lambda word: word[word.rfind("/") + 1 :]),
    "dir": _each(_folder_of),
    "basename": _each(_without_ending),
    "sort": lambda text: " ".join(sorted(set(text.split()))),
    "strip": lambda text: " ".join(text.split()),
    "firstword": lambda text: " ".join(text.split()[:1]),
    "lastword": lambda text: " ".join(text.split()[-1:]),
}
"""Functions with one argument."""


class _Expander:
    """Replaces references; so many of them, since variables may double each other."""

    def __init__(self, variables: Mapping[str, str], folder: Path) -> None:
        self._variables = variables
        self._folder = folder
        self._left = _REFERENCES

    def expand(self, text: str, depth: int = _DEPTH) -> str:
        if "$" not in text:
            return text
        parts: list[str] = []
        at = 0
        while (found := text.find("$", at)) >= 0:
            parts.append(text[at:found])
            opening = text[found + 1 : found + 2]
            if opening in ("(", "{"):
                end = _closing(text, found + 1)
                parts.append(self._reference(text[found + 2 : end], depth - 1))
                at = end + 1
            else:
                parts.append("$" if opening == "$" else self._variables.get(opening, ""))
                at = found + 2
        parts.append(text[at:])
        return "".join(parts)[:_MOST]

    def _reference(self, inner: str, depth: int) -> str:
        """What ``$(inner)`` is: a variable, with other endings, or a function's result."""
        self._left -= 1
        if depth <= 0 or self._left <= 0:
            return ""
        call = _FUNCTION.fullmatch(inner)
        if call is not None:
            return self._call(call[1], _split_arguments(call[2]), depth)
        name, colon, change = inner.partition(":")
        value = self.expand(self._variables.get(self.expand(name, depth).strip(), ""), depth)
        if not colon:
            return value
        old, _, new = self.expand(change, depth).partition("=")
        return _patsubst(old, new, value) if "%" in old else _patsubst(f"%{old}", f"%{new}", value)

    def _call(self, name: str, arguments: list[str], depth: int) -> str:
        def value(number: int) -> str:
            return self.expand(arguments[number], depth) if number < len(arguments) else ""

        if name in _ON_WORDS:
            return _ON_WORDS[name](value(0))
        match name:
            case "if":
                return value(1 if value(0).strip() else 2)
            case "foreach":
                return self._for_each(value(0).strip(), value(1), arguments[2:], depth)
            case "wildcard":
                return " ".join(_files(self._folder, value(0).split()))
            case "patsubst":
                return _patsubst(value(0).strip(), value(1).strip(), value(2))
            case "subst":
                return value(2).replace(value(0), value(1)) if value(0) else value(2)
            case "addprefix":
                return " ".join(value(0) + word for word in value(1).split())
            case "addsuffix":
                return " ".join(word + value(0) for word in value(1).split())
            case "filter" | "filter-out":
                patterns, kept = value(0).split(), name == "filter"
                words = value(1).split()
                return " ".join(word for word in words if _is_one(word, patterns) == kept)
        return ""

    def _for_each(self, name: str, words: str, body: list[str], depth: int) -> str:
        before = self._variables
        made = []
        for word in words.split():
            self._variables = {**before, name: word}
            made.append(self.expand(body[0] if body else "", depth))
        self._variables = before
        return " ".join(made)


def _is_one(word: str, patterns: list[str]) -> bool:
    return any(_matches(pattern, word) is not None for pattern in patterns)


def _files(folder: Path, patterns: list[str]) -> Iterator[str]:
    """Files by patterns, as the makefile calls them; not those outside of its folder."""
    for pattern in patterns:
        if pattern.startswith("/") or ".." in pattern.split("/"):
            continue
        try:
            found = sorted(folder.glob(pattern.removeprefix("./")))
        except (ValueError, OSError, NotImplementedError):
            continue
        yield from (path.relative_to(folder).as_posix() for path in found)
