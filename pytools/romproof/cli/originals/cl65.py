"""``romproof cl65``: compile, assemble and link, under the original's command line.

Assembling and linking is done here. C is compiled by cc65 itself, where it is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace

from romproof.cli.originals import ca65, ld65
from romproof.cli.originals.cc65_arguments import (
    VERSION,
    choice,
    definition,
    parse,
    show_version,
    up_to,
)
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import (
    HELP,
    BadCommandLine,
    Option,
    ReadingEnds,
    ToolSettings,
    operand,
    read,
)
from romproof.cli.originals.setters import Converter, Setter, put, switch, text
from romproof.text.paths import ending_of, with_ending
from romproof.toolchains.ca65.asm.targets import LATER_TARGETS

_C, _A, _L = "cc65", "ca65", "ld65"
_SOURCES = (".s", ".asm", ".a65")
_OBJECTS = (".o", ".obj", ".lib", ".a")


@dataclass(frozen=True)
class _Settings(ToolSettings):
    """What the command line asks for, as far as it was read.

    ``passed`` are words for other tools, ``code`` is the exit code of one that failed.
    """

    assembling: bool = True
    linking: bool = True
    output: str | None = None
    target: str = "c64"
    config: str | None = None
    target_library: bool = True
    passed: tuple[tuple[str, str], ...] = ()
    dependencies: tuple[str, ...] = ()
    first: str | None = None
    linked: tuple[str, ...] = ()
    code: int = 0

    def passing(self, tool: str, *words: str) -> _Settings:
        """The settings with more words for ``tool``."""
        return replace(self, passed=(*self.passed, *((tool, word) for word in words)))

    def words_for(self, tool: str) -> list[str]:
        """What is passed to ``tool``."""
        return [word for receiver, word in self.passed if receiver == tool]


def _pass(*tools: str, to: str = "", check: Converter = text) -> Setter:
    """Pass the option on to ``tools``, where it is called ``to``, or the same; ``check`` refuses
    wrong arguments while the option has the name that it was given by."""

    def setter(settings: _Settings, name: str, argument: str) -> _Settings:
        check(name, argument)
        for tool in tools:
            settings = settings.passing(tool, to or name, *filter(None, [argument]))
        return settings

    return setter


def _pass_all(tool: str) -> Setter:
    return lambda settings, _, words: settings.passing(tool, *words.split(","))


def _preprocess(settings: _Settings, name: str, _: str) -> _Settings:
    return replace(settings, assembling=False, linking=False).passing(_C, name)


def _config(settings: _Settings, _: str, name: str) -> _Settings:
    if settings.config is not None:
        raise BadCommandLine("one configuration only: -C, once")
    return replace(settings, config=name)


def _dependencies(settings: _Settings, name: str, file: str) -> _Settings:
    more = (*settings.dependencies, name, file)
    return replace(settings, dependencies=more).passing(_C, name, file)


def _file(settings: _Settings, _: str, name: str) -> _Settings:
    """Do with one file what its ending says."""
    settings = replace(settings, first=settings.first or name)
    ending = ending_of(name).lower()
    if ending in _OBJECTS:
        return replace(settings, linked=(*settings.linked, name))
    if ending == ".c":
        code = _compile(settings, name)
    elif ending in _SOURCES:
        code = _assemble(settings, name, settings.dependencies) if settings.assembling else 0
    else:
        raise BadCommandLine(
            f"the type of '{name}' is not known; known: .c .s .asm .a65 .o .obj .lib .a"
        )
    if code:
        raise ReadingEnds(replace(settings, code=code))
    return (
        replace(settings, linked=(*settings.linked, _object(name)))
        if settings.linking
        else settings
    )


OPTIONS = (
    operand(_file),
    Option("-c", switch("linking", to=False), "Do not link."),
    Option("-S", switch("assembling", "linking", to=False), "Compile only."),
    Option("-o NAME", put("output"),
           "The output; default: the first file's name without its ending."),
    Option("-t --target SYSTEM", put("target", choice("target", LATER_TARGETS)),
           "Target system; default: c64."),
    Option("-C --config NAME", _config, "The configuration of the linker."),
    Option("--no-target-lib", switch("target_library", to=False),
           "Link without the library of the target."),
    Option("-g --debug-info", _pass(_C, _A), "Debug information in all objects."),
    Option("--cpu CPU", _pass(_A, _C), "For compiler and assembler."),
    Option("-Wa --asm-args OPTIONS", _pass_all(_A), "For the assembler, with commas between them."),
    Option("-Wc --cc-args OPTIONS", _pass_all(_C), "For the compiler."),
    Option("-Wl --ld-args OPTIONS", _pass_all(_L), "For the linker."),
    Option("--asm-define NAME[=VALUE]", _pass(_A, to="-D", check=definition(value_needed=False)),
           "Define a symbol for the assembler."),
    Option("--asm-include-dir DIR", _pass(_A, to="-I"), "A folder for .include."),
    Option("--bin-include-dir DIR", _pass(_A), "A folder for .incbin."),
    Option("--feature NAME", _pass(_A), "Enable a .feature."),
    Option("--dialect NAME", _pass(_A, _L), "2.19 (default), or 2.19-git, ca65 and ld65 of today."),
    Option("--warnings-as-errors", _pass(_A, _L), "Write nothing where there is a warning."),
    Option("--warn-align-waste", _pass(_A, _L),
           "Warn about bytes that are skipped to align the next."),
    Option("-l --listing NAME", _pass(_A), "The assembler's listing."),
    Option("--list-bytes N", _pass(_A), "Bytes of one source line in the listing."),
    Option("--create-dep NAME", _dependencies, "Write a rule for make."),
    Option("--create-full-dep NAME", _dependencies, "The same, with all files."),
    Option("--start-addr ADDR", _pass(_L, to="-S", check=up_to(0xFFFFFF)),
           "%S of the configuration."),
    Option("-u --force-import NAME", _pass(_L), "Require a symbol to be defined."),
    Option("-L --lib-path DIR", _pass(_L), "A folder for libraries."),
    Option("--cfg-path DIR", _pass(_L), "A folder for configurations."),
    Option("--obj FILE", _pass(_L), "Link this object file."),
    Option("--obj-path DIR", _pass(_L), "A folder for object files."),
    Option("-m --mapfile NAME", _pass(_L), "Write a map of the output."),
    Option("-Ln NAME", _pass(_L), "Write a VICE label file."),
    Option("-vm", _pass(_L), "A map with everything."),
    Option("-D NAME[=TEXT]", _pass(_C), "Define a macro of C."),
    Option("-I --include-dir DIR", _pass(_C), "A folder for includes of C."),
    Option("-O", _pass(_C), "Optimize C; also -Oi, -Or, -Os and together."),
    VERSION,
    HELP,
    # for the compiler, and what has no use here
    *(Option(f"-{name}", _pass(_C)) for name in ("Oi", "Or", "Os", "Cl", "j", "r")),
    Option("-E", _preprocess),
    Option("--color WHEN"),
    Option("--no-utf8"),
    Option("-d"),
    Option("-v", _pass(_C, _A, _L)),
    Option("-T --add-source", _pass(_C)),
    Option("-W NAMES", _pass(_C)),
    Option("-mm --memory-model MODEL", _pass(_A, _C)),
    *(Option(f"--{name}", _pass(_C)) for name in ("all-cdecl", "check-stack")),
    *(
        Option(f"--{name} NAME", _pass(_C))
        for name in ("bss-name", "code-name", "codesize", "data-name", "register-space",
                     "rodata-name", "standard")
    ),
    Option("--module-id NAME", _pass(_L)),
    Option("--static-locals", _pass(_C, to="-Cl")),
    Option("--signed-chars", _pass(_C, to="-j")),
    Option("--register-vars", _pass(_C, to="-r")),
)  # fmt: skip


def run(words: Sequence[str]) -> int:
    """Compile, assemble and link FILE ... as cl65 2.19 does; by the ending of each file.

    Assembly needs nothing else, unless the library of the target is linked. C needs an installed
    cc65. Options count for the files behind them.

    \b
    Examples:
      romproof cl65 -t none -C layout.cfg --no-target-lib -o game.bin main.s sound.s
      romproof cl65 -t c64 -O -o hello.prg hello.c
    """
    settings = read(_spell_out(words), OPTIONS, _Settings(), parse)
    if settings.version:
        return show_version("cl65")
    if settings.first is None:
        raise BadCommandLine("there are no files to work on")
    if settings.linking and settings.linked and not settings.code:
        return _link(settings)
    return settings.code


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


def _assemble(settings: _Settings, name: str, more: Sequence[str] = ()) -> int:
    words = [*settings.words_for(_A), *more, "-t", settings.target]
    if not settings.linking and settings.output is not None:
        words += ["-o", settings.output]
    return ca65.run([*words, name])


def _object(name: str) -> str:
    return with_ending(name, ".o")


def _compile(settings: _Settings, name: str) -> int:
    compiler = shutil.which("cc65")
    if compiler is None:
        raise BadCommandLine(f"'{name}' is C, which cc65 compiles: it is not installed")
    words = [compiler, *settings.words_for(_C), "-t", settings.target]
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
    words = settings.words_for(_L)
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
