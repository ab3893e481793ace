"""``romproof cl65``: compile, assemble and link, under the original's command line.

Assembling and linking is done here. C is compiled by cc65 itself, where it is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field

from romproof.cli.echo import echo
from romproof.cli.originals import ca65, ld65
from romproof.cli.originals.arguments import FILE, BadCommandLine, Option
from romproof.cli.originals.cc65_arguments import VERSION, one_of, parse
from romproof.cli.originals.command import HelpWanted, Tool
from romproof.support.version import read_version
from romproof.text.paths import ending_of, with_ending
from romproof.toolchains.ca65.asm.targets import LATER_TARGETS

_C, _A, _L = "cc65", "ca65", "ld65"
_ROUTES: dict[str, tuple[tuple[str, str], ...]] = {
    "D": ((_C, "-D"),),
    "I": ((_C, "-I"),),
    "O": ((_C, "-O"),),
    "Oi": ((_C, "-Oi"),),
    "Or": ((_C, "-Or"),),
    "Os": ((_C, "-Os"),),
    "Cl": ((_C, "-Cl"),),
    "E": ((_C, "-E"),),
    "T": ((_C, "-T"),),
    "W": ((_C, "-W"),),
    "j": ((_C, "-j"),),
    "r": ((_C, "-r"),),
    "all-cdecl": ((_C, "--all-cdecl"),),
    "bss-name": ((_C, "--bss-name"),),
    "check-stack": ((_C, "--check-stack"),),
    "code-name": ((_C, "--code-name"),),
    "codesize": ((_C, "--codesize"),),
    "data-name": ((_C, "--data-name"),),
    "register-space": ((_C, "--register-space"),),
    "rodata-name": ((_C, "--rodata-name"),),
    "standard": ((_C, "--standard"),),
    "asm-define": ((_A, "-D"),),
    "asm-include-dir": ((_A, "-I"),),
    "bin-include-dir": ((_A, "--bin-include-dir"),),
    "feature": ((_A, "--feature"),),
    "dialect": ((_A, "--dialect"), (_L, "--dialect")),
    "warnings-as-errors": ((_A, "--warnings-as-errors"), (_L, "--warnings-as-errors")),
    "warn-align-waste": ((_A, "--warn-align-waste"), (_L, "--warn-align-waste")),
    "l": ((_A, "-l"),),
    "list-bytes": ((_A, "--list-bytes"),),
    "cpu": ((_A, "--cpu"), (_C, "--cpu")),
    "g": ((_C, "-g"), (_A, "-g")),
    "mm": ((_A, "-mm"), (_C, "-mm")),
    "v": ((_C, "-v"), (_A, "-v"), (_L, "-v")),
    "cfg-path": ((_L, "--cfg-path"),),
    "u": ((_L, "-u"),),
    "L": ((_L, "--lib-path"),),
    "Ln": ((_L, "-Ln"),),
    "m": ((_L, "-m"),),
    "module-id": ((_L, "--module-id"),),
    "obj": ((_L, "--obj"),),
    "obj-path": ((_L, "--obj-path"),),
    "S-addr": ((_L, "-S"),),
    "vm": ((_L, "-vm"),),
}
"""Options that are passed on: the tool, and the option there."""
OPTIONS = (
    Option("c", "", "", "Do not link."),
    Option("S", "", "", "Compile only."),
    Option("o", "", "NAME", "The output; default: the first file's name without its ending."),
    Option("t", "target", "SYSTEM", "Target system; default: c64."),
    Option("C", "config", "NAME", "The configuration of the linker."),
    Option("", "no-target-lib", "", "Link without the library of the target."),
    Option("g", "debug-info", "", "Debug information in all objects."),
    Option("", "cpu", "CPU", "For compiler and assembler."),
    Option("Wa", "asm-args", "OPTIONS", "For the assembler, with commas between them."),
    Option("Wc", "cc-args", "OPTIONS", "For the compiler."),
    Option("Wl", "ld-args", "OPTIONS", "For the linker."),
    Option("", "asm-define", "NAME[=VALUE]", "Define a symbol for the assembler."),
    Option("", "asm-include-dir", "DIR", "A folder for .include."),
    Option("", "bin-include-dir", "DIR", "A folder for .incbin."),
    Option("", "feature", "NAME", "Enable a .feature."),
    Option("", "dialect", "NAME", "2.19 (default), or 2.19-git, ca65 and ld65 of today."),
    Option("", "warnings-as-errors", "", "Write nothing where there is a warning."),
    Option("", "warn-align-waste", "", "Warn about bytes that are skipped to align the next."),
    Option("l", "listing", "NAME", "The assembler's listing."),
    Option("", "list-bytes", "N", "Bytes of one source line in the listing."),
    Option("", "create-dep", "NAME", "Write a rule for make."),
    Option("", "create-full-dep", "NAME", "The same, with all files."),
    Option("", "start-addr", "ADDR", "%S of the configuration."),
    Option("u", "force-import", "NAME", "Require a symbol to be defined."),
    Option("L", "lib-path", "DIR", "A folder for libraries."),
    Option("", "cfg-path", "DIR", "A folder for configurations."),
    Option("", "obj", "FILE", "Link this object file."),
    Option("", "obj-path", "DIR", "A folder for object files."),
    Option("m", "mapfile", "NAME", "Write a map of the output."),
    Option("Ln", "", "NAME", "Write a VICE label file."),
    Option("vm", "", "", "A map with everything."),
    Option("D", "", "NAME[=TEXT]", "Define a macro of C."),
    Option("I", "include-dir", "DIR", "A folder for includes of C."),
    Option("O", "", "", "Optimize C; also -Oi, -Or, -Os and together."),
    Option("V", "version", "", "Show the version."),
    Option("h", "help", "", "Show this text."),
    # for the compiler, and what has no use here
    *(Option(name) for name in ("Oi", "Or", "Os", "Cl", "E", "j", "r", "d", "v")),
    Option("", "color", "WHEN"),
    Option("", "no-utf8"),
    Option("T", "add-source"),
    Option("W", "", "NAMES"),
    Option("mm", "memory-model", "MODEL"),
    *(Option("", name) for name in ("all-cdecl", "check-stack")),
    *(
        Option("", name, "NAME")
        for name in (
            "bss-name",
            "code-name",
            "codesize",
            "data-name",
            "register-space",
            "rodata-name",
            "standard",
            "module-id",
        )
    ),
    Option("", "static-locals"),
    Option("", "signed-chars"),
    Option("", "register-vars"),
)
_SAME = {"static-locals": "Cl", "signed-chars": "j", "register-vars": "r", "start-addr": "S-addr"}
_ARGUMENTS = {"Wa": _A, "Wc": _C, "Wl": _L}
_SOURCES = (".s", ".asm", ".a65")
_OBJECTS = (".o", ".obj", ".lib", ".a")


@dataclass
class _Settings:
    """What the command line asks for, as far as it was read."""

    assembling: bool = True
    linking: bool = True
    output: str | None = None
    target: str = "c64"
    config: str | None = None
    target_library: bool = True
    arguments: dict[str, list[str]] = field(default_factory=lambda: {_C: [], _A: [], _L: []})
    dependencies: list[tuple[str, str]] = field(default_factory=list)
    first: str | None = None
    linked: list[str] = field(default_factory=list)

    def apply(self, key: str, argument: str) -> None:
        """Follow one option. Raises BadCommandLine."""
        key = _SAME.get(key, key)
        match key:
            case "c":
                self.linking = False
            case "S":
                self.assembling = self.linking = False
            case "o":
                self.output = argument
            case "t":
                self.target = one_of("target", argument, LATER_TARGETS)
            case "C":
                if self.config is not None:
                    raise BadCommandLine("one configuration only: -C, once")
                self.config = argument
            case "no-target-lib":
                self.target_library = False
            case "create-dep" | "create-full-dep":
                self.dependencies.append((f"--{key}", argument))
                self.arguments[_C] += [f"--{key}", argument]
            case _ if key in _ARGUMENTS:
                self.arguments[_ARGUMENTS[key]] += argument.split(",")
            case _ if key in _ROUTES:
                if key == "E":
                    self.assembling = self.linking = False
                for tool, option in _ROUTES[key]:
                    self.arguments[tool] += [option, argument] if argument else [option]


def run(words: Sequence[str]) -> int:
    """Compile, assemble and link FILE ... as cl65 2.19 does; by the ending of each file.

    Assembly needs nothing else, unless the library of the target is linked. C needs an installed
    cc65. Options count for the files behind them.

    \b
    Examples:
      romproof cl65 -t none -C layout.cfg --no-target-lib -o game.bin main.s sound.s
      romproof cl65 -t c64 -O -o hello.prg hello.c
    """
    settings = _Settings()
    for key, argument in parse(_spell_out(words), OPTIONS):
        if key == "V":
            echo(f"cl65 V{VERSION} - romproof {read_version()}", err=True)
            return 0
        if key == "h":
            raise HelpWanted
        if key != FILE:
            settings.apply(key, argument)
            continue
        settings.first = settings.first or argument
        code = _file(settings, argument)
        if code:
            return code
    if settings.first is None:
        raise BadCommandLine("there are no files to work on")
    if settings.linking and settings.linked:
        return _link(settings)
    return 0


def _spell_out(words: Sequence[str]) -> list[str]:
    """The words, with joined letters of -O apart: ``-Oirs`` is ``-Oi -Or -Os``."""
    spelled: list[str] = []
    for word in words:
        letters = word[2:]
        if word.startswith("-O") and letters and set(letters) <= set("irs"):
            spelled += [f"-O{letter}" for letter in letters]
        else:
            spelled.append(word)
    return spelled


def _file(settings: _Settings, name: str) -> int:
    """Do with one file what its ending says; gives the exit code."""
    ending = ending_of(name).lower()
    if ending == ".c":
        return _compile(settings, name)
    if ending in _SOURCES:
        if not settings.assembling:
            return 0
        more = [word for pair in settings.dependencies for word in pair]
        return _assemble(settings, name, more)
    if ending in _OBJECTS:
        settings.linked.append(name)
        return 0
    raise BadCommandLine(
        f"the type of '{name}' is not known; known: .c .s .asm .a65 .o .obj .lib .a"
    )


def _assemble(settings: _Settings, name: str, more: Sequence[str] = ()) -> int:
    words = [*settings.arguments[_A], *more, "-t", settings.target]
    if settings.linking:
        settings.linked.append(_object(name))
    elif settings.output is not None:
        words += ["-o", settings.output]
    return ca65.run([*words, name])


def _object(name: str) -> str:
    return with_ending(name, ".o")


def _compile(settings: _Settings, name: str) -> int:
    compiler = shutil.which("cc65")
    if compiler is None:
        raise BadCommandLine(f"'{name}' is C, which cc65 compiles: it is not installed")
    words = [compiler, *settings.arguments[_C], "-t", settings.target]
    if settings.assembling and settings.dependencies:
        made = settings.output if not settings.linking and settings.output else _object(name)
        words += ["--dep-target", made]
    if not settings.assembling and settings.output is not None:
        words += ["-o", settings.output]
    code = subprocess.run([*words, name], check=False).returncode
    if code or not settings.assembling:
        return code
    source = with_ending(name, ".s")
    try:
        return _assemble(settings, source)
    finally:
        os.remove(source)


def _link(settings: _Settings) -> int:
    words = list(settings.arguments[_L])
    if settings.output is not None:
        words += ["-o", settings.output]
    elif settings.first is not None and ending_of(settings.first):
        words += ["-o", with_ending(settings.first, "")]
    if settings.config is not None:
        words += ["-C", settings.config]
    else:
        words += ["-t", settings.target]
    words += settings.linked
    if settings.target_library:
        words.append(f"{settings.target}.lib")
    return ld65.run(words)


COMMAND = Tool("cl65", run, OPTIONS, "[OPTIONS] FILE...")
