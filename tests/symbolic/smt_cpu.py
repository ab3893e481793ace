"""The arithmetic of both CPUs on terms, by their microcode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from romproof.isa import mos6502, mos6502_alu, sm83, sm83_alu
from romproof.isa.algebra import input_of
from romproof.isa.microcode import record
from romproof.symbolic.execute.meaning import Meaning, now
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


class Cpu:
    """Registers that are terms; ``do`` is an operation of the ALU on them."""

    def __init__(self, widths: Mapping[str, int]) -> None:
        self.widths = widths
        self.now: dict[str, Any] = {name: t.const(0, bits) for name, bits in widths.items()}

    def do(self, operation: Callable[..., Any], value: Term | None = None) -> Term:
        """Registers as they are after it; what it gives back, if it gives a value."""
        given: list[Any] = []
        operand = () if value is None else (input_of(0, value.width),)

        def recorded(cpu: Any) -> None:
            given.append(operation(cpu, *operand))

        code = record(self.widths, recorded)
        meaning = Meaning(dict(self.now))
        if value is not None:
            meaning.inputs[0] = value
        for name, result in code.results:
            self.now[name] = meaning.later(result)
        return t.FALSE if given[0] is None else meaning.of(given[0])

    def __getitem__(self, name: str) -> Term:
        return now(self.now[name])

    def __setitem__(self, name: str, value: Term) -> None:
        self.now[name] = value


class Mos6502(Cpu):
    """Sums and differences of numbers of many bytes, the lowest byte first."""

    def __init__(self) -> None:
        super().__init__(mos6502.REGISTERS)

    def chain(self, name: str, ones: list[Term], others: list[Term], carry: Term) -> list[Term]:
        """``adc`` or ``sbc`` byte by byte, C as given before."""
        self["c"] = carry
        found = []
        for one, other in zip(ones, others, strict=True):
            self["a"] = one
            self.do(getattr(mos6502_alu, name), other)
            found.append(self["a"])
        return found


class Sm83(Cpu):
    """The same for the other CPU."""

    def __init__(self) -> None:
        super().__init__(sm83.REGISTERS)

    def chain(self, name: str, ones: list[Term], others: list[Term], carry: Term) -> list[Term]:
        """``adc`` or ``sbc`` byte by byte, C as given before."""
        self["cf"] = carry
        found = []
        for one, other in zip(ones, others, strict=True):
            self["a"] = one
            self.do(getattr(sm83_alu, name), other)
            found.append(self["a"])
        return found


def word_of(name: str, size: int) -> list[Term]:
    """Unknown bytes, the lowest first."""
    return [t.var(f"{name}{n}", 8) for n in range(size)]


def number_of(cells: list[Term]) -> Term:
    """Bytes as one number, the lowest first."""
    return t.concat(*reversed(cells))
