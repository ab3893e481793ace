"""Messages: each use of a kind gives what its blanks want, and a message comes back from JSON."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from fairdeck.proofs import facts
from romproof.prover import catalogue
from romproof.symbolic.execute import events
from romproof.symbolic.solve import deadline
from romproof.text.messages import Message, MessageKind, join_messages, plain_message, read_message

PYTOOLS = Path(__file__).parents[2] / "pytools"
KINDS = {
    name: kind
    for module in (catalogue, events, deadline, facts)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, MessageKind) and kind is not MessageKind
}
JOINED = ("and", "or", "comma", "semicolon")
GIVEN = {"most": 3, "least": 1, "value": 7, "low": 16, "high": 255, "seconds": 1.5, "limit": 9}


Use = tuple[str, str, str, "set[str | None] | None"]


@cache
def _uses() -> list[Use]:
    """Place, kind, member of each use in code that imports the kind, and the names of what is
    given where it is called at once."""
    texts = ((path, path.read_text("utf-8")) for path in sorted(PYTOOLS.rglob("*.py")))
    return [
        use
        for path, text in texts
        if any(f"{kind}." in text for kind in KINDS)
        for use in _uses_in(path, ast.parse(text))
    ]


def _uses_in(path: Path, tree: ast.Module) -> Iterator[Use]:
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").endswith(("catalogue", "events", "deadline", "proofs.facts"))
        for alias in node.names
    }
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    here = KINDS.keys() & (imported | defined)
    called: dict[int, set[str | None]] = {
        id(node.func): {each.arg for each in node.keywords}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=kind), attr=member) if kind in here:
                where = f"{path.relative_to(PYTOOLS)}:{node.lineno}"
                yield where, kind, member, called.get(id(node))


def test_each_use_gives_what_the_blanks_want() -> None:
    wrong = [
        f"{where}: {kind}.{member} wants {KINDS[kind][member].blanks}, not {given}"
        for where, kind, member, given in _uses()
        if given is not None and None not in given and given != {*KINDS[kind][member].blanks}
    ]
    assert not wrong


def test_each_kind_is_used() -> None:
    used = {(kind, member) for _, kind, member, _ in _uses()}
    assert [
        str(m) for name, kind in KINDS.items() for m in kind if (name, m.name) not in used
    ] == []


@pytest.mark.parametrize("name", KINDS)
def test_no_two_kinds_have_the_same_words(name: str) -> None:
    assert [n for n, member in KINDS[name].__members__.items() if member.name != n] == []


def _data_for(member: MessageKind) -> dict[str, object]:
    """Something for each blank: a message, unless it is to be several things or a number."""
    inner = catalogue.Reason.CHANGES(place="n")
    data: dict[str, object] = {}
    for _, blank, how, _ in Formatter().parse(member.value):
        if blank:
            data[blank] = ("a", inner) if how in JOINED else GIVEN.get(blank, 5) if how else inner
    return data


@pytest.mark.parametrize("member", [m for kind in KINDS.values() for m in kind], ids=str)
def test_each_can_be_written_and_comes_back(member: MessageKind) -> None:
    assert "kind" not in member.blanks  # JSON has the name of the kind there
    data = _data_for(member)
    message = member(**data)
    has_inner = any(not isinstance(each, int | float) for each in data.values())
    assert "{" not in str(message)
    assert ("n changes" in str(message)) is has_inner
    again = read_message(json.loads(json.dumps(plain_message(message))))
    assert again == message
    assert hash(again) == hash(message)


def test_messages_are_joined() -> None:
    one, two = catalogue.Reason.NEGATIVE(), catalogue.Reason.CHANGES(place="n")
    assert join_messages([]) is None
    assert join_messages([one, one]) == one
    both = join_messages([one, two, one])
    assert str(both) == "it can be negative; n changes"
    assert isinstance(both, Message)
    assert read_message(plain_message(both)) == both


def test_what_is_none_is_not_written() -> None:
    assert str(catalogue.Reason.UNDECIDED(claim=catalogue.Reason.NEGATIVE(), why=None)) == (
        "it can be negative? "
    )


@pytest.mark.parametrize("fields", [{}, {"kind": "Reason"}, {"kind": "Nobody.KNOWS"}])
def test_what_is_no_message_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        read_message(fields)


class _Said(MessageKind):
    NUMBER = "it takes {cycles}"
    TIME = "after {limit:seconds}"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (_Said.NUMBER(cycles=101207), "it takes 101,207"),
        (_Said.NUMBER(cycles="101207"), "it takes 101207"),
        (_Said.TIME(limit=4.99999), "after 5 seconds"),
        (_Said.TIME(limit=60), "after 60 seconds"),
        (_Said.TIME(limit=1.0), "after 1 second"),
        (_Said.TIME(limit=0.5), "after 0.5 seconds"),
        (_Said.TIME(limit=0.02), "after 0.02 seconds"),
    ],
)
def test_numbers_and_times_are_written_for_people(message: Message, text: str) -> None:
    assert str(message) == text
