"""What a source may switch while it is read."""

from __future__ import annotations

from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.targets import charmap, cpu_of
from romproof.toolchains.ca65.asm.tokens import REGISTERS, REGISTERS_65816


class Settings:
    """The CPU and those that ``.pushcpu`` remembers, how characters are read, their codes, and
    whether undefined symbols are imports.

    ``wide`` has the placeholders of immediate values, ``nm`` and ``nx``, that take two bytes: a
    change of the CPU leaves it alone. ``smart`` is whether ``rep`` and ``sep`` change it, and
    ``rts`` may mean ``rtl``. ``used`` are the instruction tables that were needed so far.
    """

    __slots__ = (
        "autoimport",
        "charmap",
        "cpu",
        "pushed_charmaps",
        "pushed_cpus",
        "smart",
        "syntax",
        "used",
        "wide",
    )

    def __init__(
        self,
        syntax: Syntax,
        cpu: str,
        charmap: list[int],
        autoimport: bool,
        pushed_cpus: list[str] | None = None,
        smart: bool = False,
        wide: set[str] | None = None,
        used: set[str] | None = None,
    ) -> None:
        self.syntax = syntax
        self.use_cpu(cpu)
        self.charmap = charmap
        self.autoimport = autoimport
        self.pushed_cpus: list[str] = [] if pushed_cpus is None else pushed_cpus
        self.pushed_charmaps: list[list[int]] = []
        self.smart = smart
        self.wide: set[str] = set() if wide is None else wide
        self.used: set[str] = set() if used is None else used

    def use_cpu(self, cpu: str) -> None:
        """Assemble for another CPU, whose registers are no names."""
        self.cpu = cpu
        self.syntax.registers = REGISTERS_65816 if cpu == "65816" else REGISTERS

    @classmethod
    def of(cls, options: Options) -> Settings:
        """What the caller of the assembler chose."""
        syntax = Syntax(set(options.features), options.ignore_case, dialect=options.dialect)
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
