"""The assembler: a source becomes an object, in one pass, as ca65 2.19 makes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from romproof.support.reading import read_text
from romproof.support.recursion import deep_recursion
from romproof.text.diagnostic import BuildFailed, Diagnostics, TooManyErrors
from romproof.text.span import Source
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.finish import object_for_file, resolve
from romproof.toolchains.ca65.asm.messages import FatalError
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.record import Record
from romproof.toolchains.ca65.asm.statements import read_statements
from romproof.toolchains.ca65.asm.targets import TARGETS
from romproof.toolchains.ca65.obj.expr import Literal
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.tables import OPTION_TIME, OPTION_TRANSLATOR

if TYPE_CHECKING:
    from romproof.text.paths import Name

RECURSION_LIMIT: Final = 20_000
"""Python frames; expressions and macros inside each other need them."""


TRANSLATOR: Final = "ca65 V2.19 - romproof"
"""What objects say they are made by."""


def assemble(path: Name, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble the file ``path``.

    Warnings are added to ``diagnostics``; so are errors, and then BuildFailed
    is raised with all of them.
    """
    name = os.fspath(path)
    try:
        text = read_text(name)
    except OSError as fault:
        diagnostics.error(f"Cannot open input file '{name}': {fault.strerror}")
        raise BuildFailed(diagnostics.items) from None
    if options.reading is not None:
        options.reading(name)
    return assemble_source(Source(name, text), options, diagnostics)


def assemble_source(source: Source, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble text that is already in memory; as :func:`assemble`."""
    limited = Diagnostics(limit=diagnostics.limit)
    result: Object | None = None
    try:
        asm = Assembly(source, options, limited)
        with deep_recursion(RECURSION_LIMIT):
            result = _assemble(asm)
    except (FatalError, TooManyErrors):
        pass
    except RecursionError:
        what = "An expression or macro is nested too deeply"
        limited.error(what, asm.feed.statement, help="split it up")
    diagnostics.items.extend(limited.items)
    diagnostics.errors += limited.errors
    if limited.errors or result is None:
        raise BuildFailed(limited.items)
    return result


def _assemble(asm: Assembly) -> Object:
    """The stages. What is read is expanded and carried out statement by statement; what had to
    wait for the end is resolved then."""
    define_symbols(asm)
    open_source(asm)
    read_statements(asm)
    resolve(asm)
    made = make_object(asm)
    write_listing(asm, made)
    return made


def define_symbols(asm: Assembly) -> None:
    """Those of the target and of the command line. Raises FatalError where both define one."""
    symbols = asm.symbols
    predefined = [(name, 1) for name in TARGETS[asm.options.target]]
    of_cpus = asm.options.dialect.cpu_symbols.items()
    for name, value in (*predefined, *asm.options.defines, *of_cpus):
        symbol = symbols.find_or_create(name)
        if symbol.defined:
            asm.feed.error_at_span(f"'{name}' is already defined", None, "by -D or -t")
            raise FatalError
        symbols.define(symbol, Literal(value))
    symbols.owner = None


def open_source(asm: Assembly) -> None:
    """Read the source next; the object says who made it."""
    asm.files.main(asm.feed.sources[0])
    asm.feed.record.option(OPTION_TRANSLATOR, TRANSLATOR)
    asm.feed.record.option(OPTION_TIME, "")


def make_object(asm: Assembly) -> Object:
    """What a linker of ours or a file is given."""
    if asm.options.only_file:
        return object_for_file(asm)
    from romproof.toolchains.ca65.asm.for_linker import object_for_linker

    return object_for_linker(asm)


def write_listing(asm: Assembly, made: Object) -> None:
    """Give the listing to who asked for it."""
    record = asm.feed.record
    if isinstance(record, Record) and record.listing is not None and asm.options.listed:
        asm.options.listed(record.listing.text(TRANSLATOR, made.name))
