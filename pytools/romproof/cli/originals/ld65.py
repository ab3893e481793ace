"""``romproof ld65``: the linker under the original's command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from romproof.cli.originals.cc65_arguments import (
    MAX_ERRORS,
    VERSION,
    definition,
    dialect,
    one_of,
    parse,
    show_version,
    target_in,
    up_to,
    write,
)
from romproof.cli.originals.cc65_paths import find_config, find_input, library_help
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import (
    FILE,
    HELP,
    BadCommandLine,
    Option,
    ToolSettings,
    operand,
    read,
)
from romproof.cli.originals.setters import Setter, append, put, switch
from romproof.cli.output import show_diagnostics
from romproof.program.address_size import AddressSize
from romproof.support.reading import read_input, read_text
from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, Suspicion
from romproof.text.errors import RomproofError
from romproof.text.span import Source
from romproof.toolchains.ca65.link import Config, parse_config
from romproof.toolchains.ca65.link.defaults import BUILT_IN, built_in_config
from romproof.toolchains.ca65.link.libraries import GroupEnd, Input, choose, pools
from romproof.toolchains.ca65.link.linker import link_modules
from romproof.toolchains.ca65.link.state import LinkState, Use
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.dialect import V2_19, Dialect
from romproof.toolchains.ca65.obj.from_file import object_of
from romproof.toolchains.ca65.obj.tables import LIBRARY_MAGIC, BadObjectFile

_GROUPS = {"(": GroupEnd.START, ")": GroupEnd.END}
_ADDRESS_SIZES = {
    "abs": AddressSize.ABSOLUTE,
    "absolute": AddressSize.ABSOLUTE,
    "near": AddressSize.ABSOLUTE,
    "direct": AddressSize.ZEROPAGE,
    "zeropage": AddressSize.ZEROPAGE,
    "zp": AddressSize.ZEROPAGE,
    "far": AddressSize.FAR,
    "dword": AddressSize.LONG,
    "long": AddressSize.LONG,
}
"""Words for address sizes (cc65's common/addrsize.c)."""


@dataclass(frozen=True)
class _Settings(ToolSettings):
    """What the command line asks for; ``inputs`` are files and groups in order, as pairs of an
    option ("" for none) and a name."""

    inputs: tuple[tuple[str, str], ...] = ()
    output: str = "a.out"
    config: str | None = None
    target: str | None = None
    folders: tuple[str, ...] = ()
    object_folders: tuple[str, ...] = ()
    library_folders: tuple[str, ...] = ()
    allow_multiple: bool = False
    verbose_map: bool = False
    start: int | None = None
    defines: tuple[tuple[str, int], ...] = ()
    forced: tuple[str, ...] = ()
    map: str | None = None
    labels: str | None = None
    large_alignment: bool = False
    debug: str | None = None
    dialect: Dialect = V2_19
    warn_align_waste: bool = False
    warnings_as_errors: bool = False

    def wants(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        return not (self.large_alignment and diagnostic.kind is Suspicion.LARGE_ALIGNMENT)


def _config(settings: _Settings, _: str, name: str) -> _Settings:
    if settings.config is not None:
        raise BadCommandLine("one configuration only: -C or -t, once")
    return replace(settings, config=name)


def _target(settings: _Settings, name: str, system: str) -> _Settings:
    from romproof.toolchains.ca65.asm.targets import LATER_TARGETS

    settings = _config(settings, name, system)
    target = one_of("target", system, LATER_TARGETS)
    return replace(settings, target=target, config=f"{target}.cfg")


def _input(kind: str) -> Setter:
    return append("inputs", lambda _, name: (kind, name))


OPTIONS = (
    operand(_input(FILE)),
    Option("-o NAME", put("output"), "The image, %O of the configuration; default: a.out."),
    Option("-C --config NAME", _config, "The configuration, here or in the folders for them."),
    Option("-t --target SYSTEM", _target,
           "Use the configuration SYSTEM.cfg; 'none' is known without."),
    Option("--cfg-path DIR", append("folders"),
           "A folder for configurations, beside $LD65_CFG, $CC65_HOME/cfg."),
    Option("-S --start-addr ADDR", put("start", up_to(0xFFFFFF)), "%S of the configuration."),
    Option("-D --define NAME=VALUE", append("defines", definition(value_needed=True)),
           "Define a symbol."),
    Option("-u --force-import NAME", append("forced"), "Require a symbol to be defined."),
    Option("--obj FILE", _input("obj"), "Link this object file."),
    Option("--obj-path DIR", append("object_folders"),
           "A folder for object files, beside $LD65_OBJ."),
    Option("--lib FILE", _input("lib"), "Link the needed modules of this library."),
    Option("-L --lib-path DIR", append("library_folders"),
           "A folder for libraries, beside $LD65_LIB, $CC65_HOME/lib."),
    Option("-( --start-group", _input("("), "The libraries from here on are searched together ..."),
    Option("-) --end-group", _input(")"), "... up to here."),
    Option("--allow-multiple-definition", switch("allow_multiple"),
           "Of symbols defined twice, the first counts."),
    Option("-m --mapfile NAME", put("map"), "Write a map of the output."),
    Option("-vm", switch("verbose_map"), "Include empty and unused parts in the map."),
    Option("-Ln NAME", put("labels"), "Write a VICE label file."),
    Option("--dbgfile NAME", put("debug"), "Write debug information."),
    Option("--large-alignment", switch("large_alignment"), "No warnings about large alignments."),
    Option("--dialect NAME", put("dialect", dialect),
           "2.19 (default), or 2.19-git, ld65 of today."),
    Option("--warn-align-waste", switch("warn_align_waste"),
           "Warn about bytes that are skipped to align a section."),
    Option("--warnings-as-errors", switch("warnings_as_errors"),
           "Write nothing where there is a warning."),
    VERSION,
    HELP,
    # known, and without a use here
    Option("-v"),
    Option("--color WHEN"),
    Option("--no-utf8"),
    Option("--module-id N"),
)  # fmt: skip


def run(words: Sequence[str]) -> int:
    """Link the object files FILE ... as ld65 2.19 does, for a makefile that is written for it.

    Objects and libraries are those of cc65 2.19, whoever made them; of libraries
    what is needed is linked. They and configurations are looked for where ld65
    looks for them. When anything is wrong the exit code is 1, and nothing is
    written.

    \b
    Examples:
      romproof ld65 -C layout.cfg -o main.bin main.o prng.o
      romproof ld65 -t c64 -o hello.prg hello.o c64.lib
      romproof ld65 -t none -S 0x2000 -o main.bin -Ln main.lbl -m main.map main.o
    """
    settings = read(words, OPTIONS, _Settings(), parse)
    if settings.version:
        return show_version("ld65")
    if settings.target is not None:
        target_in(settings.dialect, settings.target)
    if not any(name for _, name in settings.inputs):
        raise BadCommandLine("there are no object files to link")
    if settings.config is None:
        raise BadCommandLine("the configuration is missing; name one with -C, or a target with -t")
    diagnostics = Diagnostics(limit=MAX_ERRORS)
    forced, defines = _read_forced(settings.forced), dict(settings.defines)
    layout, layout_file = _layout(settings, diagnostics)
    paths, inputs = _inputs(settings)
    chosen = choose(inputs, layout, defines, [use.name for use in forced])
    state = LinkState(
        chosen.objects,
        layout,
        settings.output,
        forced=forced,
        order=chosen.order,
        allow_multiple=settings.allow_multiple,
        dialect=settings.dialect,
        warn_align_waste=settings.warn_align_waste,
    )
    linked = link_modules(state, settings.start, defines, diagnostics)
    shown = [each for each in diagnostics.items if settings.wants(each)]
    if settings.warnings_as_errors and shown:
        raise BuildFailed(shown)
    results: list[tuple[str, bytes | str]] = list(linked.files.items())
    if settings.labels is not None:
        from romproof.toolchains.ca65.link.mapfile import ld65_labels

        results.append((settings.labels, ld65_labels(linked)))
    if settings.map is not None:
        from romproof.toolchains.ca65.link.mapfile import ld65_map

        results.append((settings.map, ld65_map(linked, settings.verbose_map)))
    if settings.debug is not None:
        from romproof.toolchains.ca65.link.dbgfile import debug_info

        results.append((settings.debug, debug_info(linked, pools(inputs))))
    sources = [source.name for module in state.objects for source in module.sources]
    write(results, [*paths, *sources, *layout_file])
    show_diagnostics(shown)
    return 0


def _layout(settings: _Settings, diagnostics: Diagnostics) -> tuple[Config, list[str]]:
    """The configuration, and the file it was read from, if any. Raises BuildFailed."""
    name = settings.config or ""
    path = find_config(name, settings.folders)
    if path is not None:
        return parse_config(Source(path, read_text(path)), diagnostics), [path]
    if settings.target in BUILT_IN:
        return built_in_config(settings.target), []
    raise RomproofError(
        f"no configuration '{name}': name its folder with --cfg-path, or the file with -C"
    )


def _inputs(settings: _Settings) -> tuple[list[str], list[Input]]:
    """Objects and libraries in order, and where they are. Raises BuildFailed with the faults of
    all of them."""
    _check_groups([kind for kind, _ in settings.inputs if kind in _GROUPS])
    paths: list[str] = []
    inputs: list[Input] = []
    faults = Diagnostics()
    for kind, name in settings.inputs:
        if kind in _GROUPS:
            inputs.append(_GROUPS[kind])
            continue
        path = find_input(name, kind, settings.library_folders, settings.object_folders)
        if path is None:
            faults.error(f"input file '{name}' not found", help=library_help(name))
            continue
        paths.append(path)
        try:
            data = read_input(path)
            if data.startswith(LIBRARY_MAGIC):
                from romproof.toolchains.ca65.obj.library import read_library

                inputs.append(read_library(data, path))
            else:
                inputs.append(object_of(decode_object(data, path), path))
        except BadObjectFile as fault:
            faults.error(str(fault))
    faults.raise_if_failed()
    return paths, inputs


def _check_groups(ends: Sequence[str]) -> None:
    """Raises BadCommandLine where groups are not closed, not opened, or inside of each other."""
    opened = False
    for end in ends:
        starts = _GROUPS[end] is GroupEnd.START
        if starts and opened:
            raise BadCommandLine("'-(' inside of a group of libraries: close that with '-)' first")
        if not starts and not opened:
            raise BadCommandLine("'-)' without '-(': there is no group of libraries to close")
        opened = starts
    if opened:
        raise BadCommandLine("'-(' without '-)': the group of libraries is not closed")


def _read_forced(names: Sequence[str]) -> tuple[Use, ...]:
    """What -u asks for: names, each with an address size behind a colon if it is another than
    absolute. Raises BadCommandLine."""
    uses = []
    for word in names:
        name, colon, size = word.partition(":")
        if colon and size.lower() not in _ADDRESS_SIZES:
            raise BadCommandLine(f"'-u {word}': no address size '{size}'; zp, abs, far or long")
        uses.append(Use(name, _ADDRESS_SIZES[size.lower() or "abs"], None, None))
    return tuple(uses)


COMMAND = Tool("ld65", run, OPTIONS, "[OPTIONS] FILE...")
