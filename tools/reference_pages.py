"""Writes the pages of the Python API and of the commands; ``make docs`` runs it.

All is read from the packages: signatures, docstrings and help texts. So the pages can be read in a
checkout as well as on the site.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path

import click

import romproof
from fairdeck.cli.group import fairdeck as fairdeck_group
from romproof.cli.group import romproof as romproof_group
from romproof.cli.originals import TOOLS

FOLDER = Path(__file__).parents[1] / "docs"
WIDTH = 88

API_HEAD = """\
# Python API

Written by `make docs` from the docstrings; change those, not this page.

Everything that `romproof` exports; nothing else is meant to be imported
([why](../decisions/0030-what-romproof-exports.md)). Shapes, units and errors stand with each name.
"""
SECTIONS = {
    "Programs and calls": "build load Built Rom Machine MachineState Screen Result Image Contract "
    "GameBoy Device engines disassemble",
    "Tests and models": "equivalent same_as choose word table",
    "Cycles": "bounds profile Profile Clock find_clock",
    "Proofs": "prove Prover ProofOptions Proof Finding Message MessageKind Verdict Attained "
    "Exchange Stage Asked",
    "Errors": "RomproofError RomproofWarning BadInput BuildFailed MissingExtra",
    "For programs on top": "CommandGroup Number carry_out keep processes progress read_input "
    "read_lines recall show_error show_warnings suggest wants_colour workers write_all",
}
"""Every exported name, by the section of the page."""
COMMANDS_HEAD = """\
# Commands of {name}

Written by `make docs` from the help texts; change those, not this page.
"""


def api_page() -> str:
    """The page of all exported names. Raises ValueError where one is in no section."""
    listed = [name for names in SECTIONS.values() for name in names.split()]
    exported = {name for name in dir(romproof) if not name.startswith("__")}
    if set(listed) != exported or len(set(listed)) != len(listed):
        raise ValueError(f"not in one section: {sorted(set(listed) ^ exported)}")
    lines = [API_HEAD]
    for title, names in SECTIONS.items():
        lines.append(f"## {title}\n")
        for name in names.split():
            lines += _entry(name, getattr(romproof, name), "###")
    return "\n".join(lines).rstrip() + "\n"


def _entry(name: str, thing: object, heading: str) -> Iterator[str]:
    """The lines of a name: its signature, its docstring, and what public members it has."""
    yield f"{heading} `{name}`\n"
    signature = _signature(name.rpartition(".")[2], thing)
    if signature:
        yield f"```text\n{signature}\n```\n"
    text = _markdown(inspect.getdoc(thing) or "")
    if text:
        yield f"{text}\n"
    if not inspect.isclass(thing):
        return
    for member, value in _members(thing).items():
        inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        described = isinstance(inner, property) or inspect.isroutine(inner) or _is_cached(inner)
        if not member.startswith("_") and described and inspect.getdoc(inner):
            yield from _entry(f"{name}.{member}", inner, "####")


def _members(thing: type) -> dict[str, object]:
    """The members of a class, and those of bases that are not exported themselves."""
    exported = {getattr(romproof, name) for name in dir(romproof)} - {thing}
    found: dict[str, object] = {}
    for base in thing.__mro__:
        if base.__module__.startswith("romproof.") and base not in exported:
            found = {**found, **{name: vars(base)[name] for name in vars(base).keys() - found}}
    order = {name: at for at, name in enumerate(n for base in thing.__mro__ for n in vars(base))}
    return dict(sorted(found.items(), key=lambda item: order[item[0]]))


def _is_cached(thing: object) -> bool:
    return type(thing).__name__ == "cached_property"


def _signature(name: str, thing: object) -> str:
    """How it is called; nothing for what is no call, or has no arguments to speak of."""
    if isinstance(thing, EnumType):
        return " | ".join(f"{thing.__name__}.{name}" for name in thing.__members__)
    if isinstance(thing, property) or _is_cached(thing):
        getter = thing.fget if isinstance(thing, property) else getattr(thing, "func", None)
        given = getattr(getter, "__annotations__", {}).get("return", "")
        return f"{name}: {_type(given)}" if given else ""
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    written: list[str] = []
    seen_star = False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not seen_star:
            seen_star = True
            written.append("*")
        seen_star = seen_star or each.kind is each.VAR_POSITIONAL
        written.append(_parameter(each))
    given = signature.return_annotation
    end = "" if given is signature.empty or inspect.isclass(thing) else f" -> {_type(given)}"
    line = f"{name}({', '.join(written)}){end}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"    {each},\n" for each in written)
    return f"{name}(\n{inner}){end}"


def _parameter(parameter: inspect.Parameter) -> str:
    kinds = inspect.Parameter
    stars = "**" if parameter.kind is kinds.VAR_KEYWORD else ""
    stars = "*" if parameter.kind is kinds.VAR_POSITIONAL else stars
    kind = "" if parameter.annotation is parameter.empty else f": {_type(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return f"{stars}{parameter.name}{kind}"
    default = repr(parameter.default)
    if default.startswith("<") or " object at " in default or len(default) > 40:
        default = "..."
    equals = " = " if kind else "="
    return f"{stars}{parameter.name}{kind}{equals}{default}"


def _type(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])", "", text)


def _markdown(text: str) -> str:
    """A docstring as Markdown: code in single backquotes, without roles."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def commands_page(name: str, group: click.Group) -> str:
    """The page of all commands of a program, with those of groups in it."""
    lines = [COMMANDS_HEAD.format(name=name)]
    context = click.Context(group, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    lines += _command(context, "##")
    if group is romproof_group:
        lines.append("## The original tools\n")
        for tool in TOOLS:
            command = group.get_command(context, tool)
            assert command is not None, "it is in the list"
            lines += _command(_inner(command, tool, context), "###")
    return "\n".join(lines).rstrip() + "\n"


def _inner(command: click.Command, name: str, outer: click.Context) -> click.Context:
    return click.Context(
        command, parent=outer, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH
    )


def _command(context: click.Context, heading: str) -> Iterator[str]:
    yield f"{heading} `{context.command_path}`\n"
    yield f"```text\n{context.get_help()}\n```\n"
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _command(_inner(inner, name, context), heading)


def pages() -> dict[str, str]:
    """The pages by their names below docs/."""
    return {
        "reference/api.md": api_page(),
        "reference/commands.md": commands_page("romproof", romproof_group),
        "reference/fairdeck.md": commands_page("fairdeck", fairdeck_group),
    }


if __name__ == "__main__":
    for name, page in pages().items():
        (FOLDER / name).write_text(page, "utf-8")
