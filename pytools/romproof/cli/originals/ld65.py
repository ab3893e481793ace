"""``romproof ld65``: the linker under the original's command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import FILE, BadCommandLine, Option
from romproof.cli.originals.cc65_arguments import (
    MAX_ERRORS,
    VERSION,
    definition,
    number,
    one_of,
    parse,
    write,
)
from romproof.cli.originals.cc65_paths import find_config, find_input, library_help
from romproof.cli.originals.command import HelpWanted, Tool
from romproof.cli.output import show_diagnostics
from romproof.program.address_size import AddressSize
from romproof.support.reading import read_input, read_text
from romproof.text.diagnostic import Diagnostic, Diagnostics, Suspicion
from romproof.text.span import Source
from romproof.toolchains.ca65.link import Config, parse_config
from romproof.toolchains.ca65.link.defaults import BUILT_IN, built_in_config
from romproof.toolchains.ca65.link.libraries import GroupEnd, choose, pools
from romproof.toolchains.ca65.link.linker import link_modules
from romproof.toolchains.ca65.link.state import LinkState, Use
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.from_file import object_of
from romproof.toolchains.ca65.obj.tables import LIBRARY_MAGIC, BadObjectFile

if TYPE_CHECKING:
    from romproof.toolchains.ca65.link.libraries import Input


OPTIONS = (
    Option("o", "", "NAME", "The image, %O of the configuration; default: a.out."),
    Option("C", "config", "NAME", "The configuration, here or in the folders for them."),
    Option("t", "target", "SYSTEM", "Use the configuration SYSTEM.cfg; 'none' is known without."),
    Option("", "cfg-path", "DIR", "A folder for configurations, beside $LD65_CFG, $CC65_HOME/cfg."),
    Option("S", "start-addr", "ADDR", "%S of the configuration."),
    Option("D", "define", "NAME=VALUE", "Define a symbol."),
    Option("u", "force-import", "NAME", "Require a symbol to be defined."),
    Option("", "obj", "FILE", "Link this object file."),
    Option("", "obj-path", "DIR", "A folder for object files, beside $LD65_OBJ."),
    Option("", "lib", "FILE", "Link the needed modules of this library."),
    Option("L", "lib-path", "DIR", "A folder for libraries, beside $LD65_LIB, $CC65_HOME/lib."),
    Option("(", "start-group", "", "The libraries from here on are searched together ..."),
    Option(")", "end-group", "", "... up to here."),
    Option("", "allow-multiple-definition", "", "Of symbols defined twice, the first counts."),
    Option("m", "mapfile", "NAME", "Write a map of the output."),
    Option("vm", "", "", "Include empty and unused parts in the map."),
    Option("Ln", "", "NAME", "Write a VICE label file."),
    Option("", "dbgfile", "NAME", "Write debug information."),
    Option("", "large-alignment", "", "No warnings about large alignments."),
    Option("V", "version", "", "Show the version."),
    Option("h", "help", "", "Show this text."),
    # known, and without a use here
    Option("v"),
    Option("", "module-id", "N"),
)
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


@dataclass
class _Settings:
    """What the command line asks for."""

    inputs: list[tuple[str, str]] = field(default_factory=list)
    """Files and groups in order: option ("" for none), name."""
    output: str = "a.out"
    config: str | None = None
    target: str | None = None
    folders: list[str] = field(default_factory=list)
    object_folders: list[str] = field(default_factory=list)
    library_folders: list[str] = field(default_factory=list)
    allow_multiple: bool = False
    verbose_map: bool = False
    start: int | None = None
    defines: dict[str, int] = field(default_factory=dict)
    forced: list[str] = field(default_factory=list)
    map: str | None = None
    labels: str | None = None
    large_alignment: bool = False
    debug: str | None = None

    def apply(self, key: str, argument: str) -> None:
        """Follow one option. Raises BadCommandLine."""
        match key:
            case "o":
                self.output = argument
            case "C" | "t":
                if self.config is not None:
                    raise BadCommandLine("one configuration only: -C or -t, once")
                if key == "t":
                    from romproof.toolchains.ca65.asm.targets import TARGETS

                    self.target = one_of("target", argument, TARGETS)
                self.config = argument if key == "C" else f"{self.target}.cfg"
            case "cfg-path":
                self.folders.append(argument)
            case "obj-path":
                self.object_folders.append(argument)
            case "S":
                self.start = number("-S", argument, 0xFFFFFF)
            case "D":
                name, value = definition(argument, value_needed=True)
                self.defines[name] = value
            case "u":
                self.forced.append(argument)
            case "m":
                self.map = argument
            case "Ln":
                self.labels = argument
            case "large-alignment":
                self.large_alignment = True
            case "dbgfile":
                self.debug = argument
            case "L":
                self.library_folders.append(argument)
            case "allow-multiple-definition":
                self.allow_multiple = True
            case "vm":
                self.verbose_map = True
            case "(" | ")":
                self.inputs.append((key, ""))
            case "h":
                raise HelpWanted
            case _ if key in ("obj", "lib", FILE):
                self.inputs.append((key, argument))

    def wants(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        return not (self.large_alignment and diagnostic.kind is Suspicion.LARGE_ALIGNMENT)


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
    settings = _Settings()
    for key, argument in parse(words, OPTIONS):
        if key == "V":
            from romproof.support.version import read_version

            echo(f"ld65 V{VERSION} - romproof {read_version()}", err=True)
            return 0
        settings.apply(key, argument)
    if not any(name for _, name in settings.inputs):
        raise BadCommandLine("there are no object files to link")
    if settings.config is None:
        raise BadCommandLine("the configuration is missing; name one with -C, or a target with -t")
    diagnostics = Diagnostics(limit=MAX_ERRORS)
    forced = _read_forced(settings.forced)
    layout, layout_file = _layout(settings, diagnostics)
    paths, inputs = _inputs(settings)
    chosen = choose(inputs, layout, settings.defines, [use.name for use in forced])
    state = LinkState(
        chosen.objects,
        layout,
        settings.output,
        forced=forced,
        order=chosen.order,
        allow_multiple=settings.allow_multiple,
    )
    linked = link_modules(state, settings.start, settings.defines, diagnostics)
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
    show_diagnostics(filter(settings.wants, diagnostics.items))
    return 0


def _layout(settings: _Settings, diagnostics: Diagnostics) -> tuple[Config, list[str]]:
    """The configuration, and the file it was read from, if any. Raises BuildFailed."""
    name = settings.config or ""
    path = find_config(name, settings.folders)
    if path is not None:
        return parse_config(Source(path, read_text(path)), diagnostics), [path]
    if settings.target in BUILT_IN:
        return built_in_config(settings.target), []
    raise BadCommandLine(
        f"no configuration '{name}': name its folder with --cfg-path, or the file with -C"
    )


def _inputs(settings: _Settings) -> tuple[list[str], list[Input]]:
    """Objects and libraries in order, and where they are. Raises BuildFailed with the faults of
    all of them."""
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
