"""``romproof ld65``: the linker under the original's command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from romproof.cli.originals.arguments import FILE, BadCommandLine, Option
from romproof.cli.originals.cc65_arguments import (
    VERSION,
    definition,
    number,
    one_of,
    parse,
    write,
)
from romproof.cli.originals.command import HelpWanted, OriginalCommand
from romproof.cli.output import show_diagnostics
from romproof.program.address_size import AddressSize
from romproof.program.labels import vice_labels
from romproof.program.maptext import map_text
from romproof.text.diagnostic import Diagnostic, Diagnostics, Severity
from romproof.text.reading import read_input, read_text
from romproof.text.span import Source, Span
from romproof.text.version import installed_version
from romproof.toolchains.ca65.asm.targets import TARGETS
from romproof.toolchains.ca65.link import (
    Config,
    default_config,
    link,
    parse_config,
)
from romproof.toolchains.ca65.link.dbgfile import debug_info
from romproof.toolchains.ca65.obj.object import Import, Object
from romproof.toolchains.ca65.obj.objfile import BadObjectFile
from romproof.toolchains.ca65.obj.objread import read_object

OPTIONS = (
    Option("o", "", "NAME", "The image, %O of the configuration; default: a.out."),
    Option("C", "config", "NAME", "The configuration, here or in the folders for them."),
    Option("t", "target", "SYSTEM", "Use the configuration SYSTEM.cfg; 'none' is known without."),
    Option("", "cfg-path", "DIR", "A folder for configurations, beside $LD65_CFG, $CC65_HOME/cfg."),
    Option("S", "start-addr", "ADDR", "%S of the configuration."),
    Option("D", "define", "NAME=VALUE", "Define a symbol."),
    Option("u", "force-import", "NAME", "Require a symbol to be defined."),
    Option("", "obj", "FILE", "Link this object file."),
    Option("", "obj-path", "DIR", "A folder for object files."),
    Option("m", "mapfile", "NAME", "Write what lies where."),
    Option("Ln", "", "NAME", "Write a VICE label file."),
    Option("", "dbgfile", "NAME", "Write debug information."),
    Option("", "large-alignment", "", "No warnings about large alignments."),
    Option("V", "version", "", "Tell the version."),
    Option("h", "help", "", "This text."),
    # known, and without a use here
    Option("vm"),
    Option("v"),
    Option("(", "start-group"),
    Option(")", "end-group"),
    Option("L", "lib-path", "DIR"),
    Option("", "lib", "FILE"),
    Option("", "module-id", "N"),
    Option("", "allow-multiple-definition"),
)
_INSTALLED = Path("/usr/share/cc65/cfg")
"""Where packages of cc65 put its configurations."""


@dataclass(slots=True)
class _Settings:
    """What the command line asks for."""

    objects: list[str] = field(default_factory=list)
    output: str = "a.out"
    config: str | None = None
    built_in: bool = False
    folders: list[Path] = field(default_factory=list)
    object_folders: list[Path] = field(default_factory=list)
    start: int | None = None
    defines: dict[str, int] = field(default_factory=dict)
    forced: list[str] = field(default_factory=list)
    map: Path | None = None
    labels: Path | None = None
    large_alignment: bool = False
    debug: Path | None = None

    def take(self, key: str, argument: str) -> None:
        """Follow one option. Raises BadCommandLine."""
        match key:
            case "o":
                self.output = argument
            case "C" | "t":
                if self.config is not None:
                    raise BadCommandLine("one configuration only: -C or -t, once")
                system = argument if key == "C" else one_of("target", argument, TARGETS)
                self.config = argument if key == "C" else f"{system}.cfg"
                self.built_in = key == "t" and system == "none"
            case "cfg-path":
                self.folders.append(Path(argument))
            case "obj-path":
                self.object_folders.append(Path(argument))
            case "S":
                self.start = number("-S", argument, 0xFFFFFF)
            case "D":
                name, value = definition(argument, value_needed=True)
                self.defines[name] = value
            case "u":
                self.forced.append(argument)
            case "m":
                self.map = Path(argument)
            case "Ln":
                self.labels = Path(argument)
            case "large-alignment":
                self.large_alignment = True
            case "dbgfile":
                self.debug = Path(argument)
            case "lib":
                raise BadCommandLine(f"'--lib {argument}': libraries of cc65 cannot be linked")
            case "allow-multiple-definition":
                raise BadCommandLine("'--allow-multiple-definition' is not supported")
            case "h":
                raise HelpWanted
            case _ if key in ("obj", FILE):
                self.objects.append(argument)

    def wants(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        large = (
            diagnostic.severity is Severity.WARNING and "alignment of segment" in diagnostic.message
        )
        return not (large and self.large_alignment)


def run(words: Sequence[str]) -> int:
    """Link the object files FILE ... as ld65 2.19 does, for a makefile that is written for it.

    The objects are those of 'romproof ca65'; files of cc65 itself, and its
    libraries, cannot be read. When anything is wrong the exit code is 1, and
    nothing is written.

    \b
    Examples:
      romproof ld65 -C layout.cfg -o main.bin main.o prng.o
      romproof ld65 -t none -S 0x2000 -o main.bin -Ln main.lbl -m main.map main.o
    """
    settings = _Settings()
    for key, argument in parse(words, OPTIONS):
        if key == "V":
            click.echo(f"ld65 V{VERSION} - romproof {installed_version()}", err=True)
            return 0
        settings.take(key, argument)
    if not settings.objects:
        raise BadCommandLine("there are no object files to link")
    if settings.config is None:
        raise BadCommandLine("the configuration is missing; name one with -C, or a target with -t")
    diagnostics = Diagnostics()
    layout, layout_file = _layout(settings, diagnostics)
    paths, objects = _objects(settings)
    image = link(
        objects,
        layout,
        output=settings.output,
        start_address=settings.start,
        defines=settings.defines,
        diagnostics=diagnostics,
    )
    results: list[tuple[Path, bytes | str]] = [(Path(f.name), f.data) for f in image.files]
    if settings.labels is not None:
        results.append((settings.labels, vice_labels(image)))
    if settings.map is not None:
        results.append((settings.map, map_text(image)))
    if settings.debug is not None:
        results.append((settings.debug, debug_info(image)))
    sources = [source.name for source in image.sources]
    write(results, [*paths, *sources, *layout_file])
    show_diagnostics(filter(settings.wants, diagnostics.items))
    return 0


def _layout(settings: _Settings, diagnostics: Diagnostics) -> tuple[Config, list[Path]]:
    """The configuration, and the file it was read from, if any. Raises BuildFailed."""
    if settings.built_in:
        return default_config(), []
    name = settings.config or ""
    environment = [
        Path(os.environ[variable]) / below
        for variable, below in (("LD65_CFG", ""), ("CC65_HOME", "cfg"))
        if os.environ.get(variable)
    ]
    path = _find(name, [*settings.folders, *environment, _INSTALLED])
    if path is not None:
        text = read_text(path)
        return parse_config(Source(str(path), text), diagnostics), [path]
    raise BadCommandLine(
        f"no configuration '{name}': name its folder with --cfg-path, or the file with -C"
    )


def _objects(settings: _Settings) -> tuple[list[Path], list[Object]]:
    """All objects, and where they are. Raises BuildFailed with all faults of all of them."""
    paths: list[Path] = []
    objects: list[Object] = []
    faults = Diagnostics()
    for name in settings.objects:
        path = _find(name, settings.object_folders)
        if path is None:
            faults.error(f"object file '{name}' not found")
            continue
        paths.append(path)
        try:
            objects.append(read_object(read_input(path), name))
        except BadObjectFile as fault:
            faults.error(str(fault))
    faults.raise_if_failed()
    if settings.forced:
        objects.append(_forced(settings.forced))
    return paths, objects


def _find(name: str, folders: Sequence[Path]) -> Path | None:
    """The file ``name``, as it stands or in one of the folders."""
    for path in (Path(name), *(folder / name for folder in folders)):
        if path.is_file():
            return path
    return None


def _forced(names: Sequence[str]) -> Object:
    """An object that does nothing but need some symbols (-u)."""
    source = Source("-u", "")
    imports = tuple(Import(name, AddressSize.DEFAULT, True, Span(source, 1, 1)) for name in names)
    return Object("-u", "none", (), imports, (), (), (), (), (), ())


COMMAND = OriginalCommand("ld65", run, OPTIONS, "[OPTIONS] FILE...")
