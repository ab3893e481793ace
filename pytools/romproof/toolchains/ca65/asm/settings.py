"""What a source may switch while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.targets import charmap


@dataclass
class Settings:
    """The CPU and those that ``.pushcpu`` remembers, how characters are read, their codes, and
    whether undefined symbols are imports."""

    syntax: Syntax
    cpu: str
    charmap: list[int]
    autoimport: bool
    pushed_cpus: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, options: Options) -> Settings:
        """What the caller of the assembler chose."""
        syntax = Syntax(set(options.features), options.ignore_case)
        return cls(syntax, options.cpu, charmap(options.target), options.auto_import)
