"""Which members of libraries are linked: those that define what is needed, and nothing else.

This is ``LibResolve`` of ld65 2.19 (its library.c): the libraries that are open are gone through
again and again until no member is added. A library is open where it stands on the command line,
or from there to the end of the group it is in. Members are linked in the order of the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from romproof.toolchains.ca65.link.config import Config, SymbolKind
from romproof.toolchains.ca65.link.merge import numbers, references
from romproof.toolchains.ca65.link.state import LinkState
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.from_file import object_of
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.tables import File

if TYPE_CHECKING:
    from romproof.toolchains.ca65.obj.library import Library, Member


class GroupEnd(Enum):
    """The ends of a group of libraries, which are searched together."""

    START = "start"
    END = "end"


Input: TypeAlias = "Object | Library | GroupEnd"


@dataclass(frozen=True)
class Chosen:
    """The objects to link. ``order`` numbers them as they were found to be needed."""

    objects: tuple[Object, ...]
    order: tuple[int, ...]


@dataclass
class _Names:
    """What is defined so far, what is needed, and the import that each type of table forces."""

    defined: set[str]
    wanted: set[str]
    forced: dict[int, str] = field(default_factory=dict)

    def add(self, exports: Iterable[str], imports: Iterable[str], tables: Iterable[int]) -> None:
        """Count a module in."""
        self.defined.update(exports)
        self.wanted.update(imports)
        self.wanted.update(self.forced[table] for table in tables if table in self.forced)


def choose(
    inputs: Sequence[Input], config: Config, defines: Iterable[str], forced: Iterable[str]
) -> Chosen:
    """The objects to link: all that are named, and the members of libraries that they need.

    ``defines`` are the names that the command line defines, ``forced`` those it asks for.
    Raises BadObjectFile for a damaged member.
    """
    names = _names(config, defines, forced)
    objects: list[Object] = []
    order: list[int] = []
    open_libraries: list[Library] = []
    grouping = False
    for item in [*inputs, GroupEnd.END]:
        if isinstance(item, Object):
            tables = [table for export in item.exports for table, _ in export.condes]
            imports = [wanted.name for wanted in item.imports]
            names.add([export.name for export in item.exports], imports, tables)
            order.append(len(objects))
            objects.append(item)
        elif isinstance(item, GroupEnd):
            grouping = item is GroupEnd.START
        else:
            open_libraries.append(item)
        if not grouping and open_libraries:
            needed = _members(open_libraries, names)
            order += [len(objects) + number for number in needed.order]
            objects += needed.objects
            open_libraries = []
    return Chosen(tuple(objects), tuple(order))


def pools(inputs: Sequence[Input]) -> list[tuple[Sequence[str], Sequence[File]]]:
    """The strings and files of all modules in the inputs, whether they are linked or not."""
    all_pools: list[tuple[Sequence[str], Sequence[File]]] = []
    for item in inputs:
        if isinstance(item, Object):
            if item.tables is not None:
                all_pools.append((item.tables.strings, item.tables.files))
        elif not isinstance(item, GroupEnd):
            all_pools += [(member.strings, member.files) for member in item.members]
    return all_pools


def _names(config: Config, defines: Iterable[str], forced: Iterable[str]) -> _Names:
    defined, wanted = set(defines), set(forced)
    for rule in config.symbols:
        if rule.kind is SymbolKind.EXPORT:
            defined.add(rule.name)
        elif rule.kind is SymbolKind.IMPORT:
            wanted.add(rule.name)
    for number in numbers(LinkState((), config, "")):
        wanted.update(reference.name for reference in references(number.expr))
    tables = {table.type: table.forced for table in config.tables if table.forced}
    return _Names(defined, wanted, tables)


def _members(libraries: Sequence[Library], names: _Names) -> Chosen:
    """The members that define what is needed, and what those need."""
    added: list[tuple[Library, Member]] = []
    before = -1
    used: set[int] = set()
    while len(added) > before:
        before = len(added)
        for library in libraries:
            for member in library.members:
                if id(member) not in used and _is_needed(member, names):
                    used.add(id(member))
                    names.add(member.exports, member.imports, member.tables)
                    added.append((library, member))
    members = [(lib, member) for lib in libraries for member in lib.members if id(member) in used]
    place = {id(member): number for number, (_, member) in enumerate(members)}
    return Chosen(
        tuple(_object(library, member) for library, member in members),
        tuple(place[id(member)] for _, member in added),
    )


def _object(library: Library, member: Member) -> Object:
    tables = decode_object(member.data, f"{library.name}({member.name})")
    return object_of(tables, member.name, library.name)


def _is_needed(member: Member, names: _Names) -> bool:
    return any(name in names.wanted and name not in names.defined for name in member.exports)
