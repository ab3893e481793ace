"""What a source may switch while it is read."""

from __future__ import annotations

from romproof.text.records import dataclass, field
from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.targets import charmap, cpu_of


@dataclass
class Settings:
    """The CPU and those that ``.pushcpu`` remembers, how characters are read, their codes, and
    whether undefined symbols are imports.

    ``wide`` has the placeholders of immediate values, ``nm`` and ``nx``, that take two bytes: a
    change of the CPU leaves it alone. ``smart`` is whether ``rep`` and ``sep`` change it, and
    ``rts`` may mean ``rtl``. ``used`` are the instruction tables that were needed so far.
    """

    syntax: Syntax
    cpu: str
    charmap: list[int]
    autoimport: bool
    pushed_cpus: list[str] = field(default_factory=list)
    smart: bool = False
    wide: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, options: Options) -> Settings:
        """What the caller of the assembler chose."""
        syntax = Syntax(set(options.features), options.ignore_case)
        return cls(
            syntax,
            options.cpu or cpu_of(options.target),
            charmap(options.target),
            options.auto_import,
            smart=options.smart,
        )

    def bits(self, placeholder: str) -> int:
        """``.asize`` and ``.isize``: how wide the registers are assumed to be."""
        return 16 if self.cpu == "65816" and placeholder in self.wide else 8
