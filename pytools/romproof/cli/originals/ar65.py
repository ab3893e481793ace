"""``romproof ar65``: libraries, under the original's command line."""

from __future__ import annotations

import os
from collections.abc import Sequence

from romproof.cli.echo import echo
from romproof.cli.originals.cc65_arguments import show_version
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import BadCommandLine, HelpWanted
from romproof.cli.output import show_diagnostics
from romproof.support.files import write_all
from romproof.support.reading import read_input
from romproof.text.diagnostic import Diagnostic, Severity
from romproof.text.errors import RomproofError
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.library import (
    Library,
    Member,
    duplicates,
    read_library,
    write_library,
)

_USAGE = "OPERATION LIBRARY [FILE|MODULE]..."


def run(words: Sequence[str]) -> int:
    """Make libraries of object files as ar65 2.19 does, and look into them.

    A module is called as its file, without folders. When anything is wrong the exit code is 1,
    and nothing is written.

    \b
    Operations:
      r, a   Add modules, or replace those of the same names; the library is made if need be.
      d      Delete modules.
      t, l   List the modules; tv: with their sizes in bytes.
      x      Extract modules, into files of their names.
      v      Say more; before another operation.
      V      Show the version.

    \b
    Examples:
      romproof ar65 r game.lib sprites.o sound.o
      romproof ar65 tv game.lib
      romproof ar65 x game.lib sound.o
    """
    verbosity = 0
    rest = list(words)
    if not rest:
        raise BadCommandLine("the operation is missing; r adds modules, t lists them")
    while rest:
        word = rest.pop(0)
        match word[:1]:
            case "v":
                verbosity += 1
            case "V":
                show_version("ar65")
            case "r" | "a":
                return _add(rest, verbosity)
            case "d":
                return _delete(rest, verbosity)
            case "t" | "l":
                return _list(rest, verbosity + (word[1:2] == "v"))
            case "x":
                return _extract(rest)
            case _ if word in ("-h", "--help"):
                raise HelpWanted
            case _:
                raise BadCommandLine(f"unknown operation '{word}'; known: r a d t l x v V")
    return 0


def _names(words: Sequence[str], what: str) -> tuple[str, list[str]]:
    if not words:
        raise BadCommandLine("there is no name of a library")
    if len(words) < 2:
        raise BadCommandLine(f"there are no {what}")
    return words[0], list(words[1:])


def _read(name: str) -> Library:
    try:
        return read_library(read_input(name), name)
    except OSError as fault:
        raise RomproofError(f"cannot open the library '{name}': {fault.strerror}") from None


def _warn(text: str) -> None:
    show_diagnostics([Diagnostic(Severity.WARNING, text)])


def _write(library: Library, new: Sequence[str], verbosity: int) -> int:
    for member in library.members if verbosity > 1 else ():
        echo(f"Module '{member.name}' ({len(member.exports)} exports):")
        for export in member.exports:
            echo(f"  {export}")
    for name, first, other in duplicates(library.members):
        _warn(
            f"external symbol '{name}' in module '{first}', library '{library.name}', is "
            f"duplicated in module '{other}'"
        )
    write_all([(library.name, write_library(library, new))])
    return 0


def _add(words: Sequence[str], verbosity: int) -> int:
    name, files = _names(words, "object files to add")
    if os.path.exists(name):
        library = _read(name)
    else:
        library = Library(name, ())
        if verbosity:
            echo(f"ar65: Library '{name}' will be created.")
    members = {member.name: member for member in library.members}
    added: dict[str, None] = {}
    for file in files:
        made = _member(file)
        old = members.get(made.name)
        if old is not None and old.time > made.time:
            _warn(f"replacing module '{made.name}' by older version in library '{name}'")
        members[made.name] = made
        added.pop(made.name, None)
        added[made.name] = None
    return _write(Library(name, tuple(members.values()), library.flags), list(added), verbosity)


def _member(file: str) -> Member:
    module = os.path.basename(file)
    if not module:
        raise BadCommandLine(f"'{file}' is not the name of a file")
    try:
        data, state = read_input(file), os.stat(file)
    except OSError as fault:
        raise RomproofError(f"cannot open '{file}': {fault.strerror}") from None
    decode_object(data, file)  # a damaged one is refused now, not when it is linked
    return Member(module, 0, int(state.st_mtime) & 0xFFFFFFFF, data)


def _delete(words: Sequence[str], verbosity: int) -> int:
    name, modules = _names(words, "modules to delete")
    library = _read(name)
    known = {member.name for member in library.members}
    for module in modules:
        if module not in known:
            _warn(f"module '{module}' not found in library '{name}'")
    kept = tuple(member for member in library.members if member.name not in modules)
    return _write(Library(name, kept, library.flags), [], verbosity)


def _list(words: Sequence[str], verbosity: int) -> int:
    if not words:
        raise BadCommandLine("there is no name of a library")
    if len(words) > 2:
        raise BadCommandLine("too many arguments: one library is listed at a time")
    for member in _read(words[0]).members:
        size = f"{len(member.data):>5} " if verbosity else ""
        echo(f"{size}{member.name}")
    return 0


def _extract(words: Sequence[str]) -> int:
    name, files = _names(words, "object files to extract")
    members = {member.name: member for member in _read(name).members}
    extracted: list[tuple[str, Member]] = []
    for file in files:
        member = members.get(os.path.basename(file))
        if member is None:
            raise RomproofError(f"module '{os.path.basename(file)}' not found in '{name}'")
        extracted.append((file, member))
    write_all([(file, member.data) for file, member in extracted])
    for file, member in extracted:
        os.utime(file, (member.time, member.time))
    return 0


COMMAND = Tool("ar65", run, (), _USAGE)
