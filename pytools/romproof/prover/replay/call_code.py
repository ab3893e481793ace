"""A call of a routine as the lines of a test: what shows a counterexample in Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from romproof.contract.nouns.items import MemoryRange
from romproof.program.image import Image, UnknownSymbol
from romproof.prover.results import Example
from romproof.prover.states.model_places import ModelPlace

SHOWN = 16
"""Bytes of memory that are shown in full."""

_WIDTH = 100
"""Columns of the code that is written."""


@dataclass(frozen=True)
class CallCode:
    """Writes tests of the program ``image``; ``rom`` is its name if there are several."""

    image: Image
    rom: str | None = None

    def write_header(self, routine: str) -> list[str]:
        """The lines of a test function up to its first statement."""
        identifier = "".join(c if c.isalnum() else "_" for c in routine)
        marker = ["import pytest", "", "", f"@pytest.mark.rom({quote(self.rom)})"]
        return [*(marker if self.rom else []), f"def test_{identifier}_counterexample(rom):"]

    def call(
        self, routine: str, example: Example, limit: int | None = None, result: str = ""
    ) -> list[str]:
        """A call with an input, on one line or several; ``result`` names what it gives."""
        begin = f"    {result} = rom.call(" if result else "    rom.call("
        return _fill(begin, [quote(routine), *self._arguments(example, limit)], ")")

    def read(self, place: ModelPlace, result: str = "r") -> str:
        """An expression for what a call left at a place: memory as bytes."""
        if place.memory is None:
            if place.flag is not None:
                return f"{result}.flags.{place.flag.letter}"
            if len(place.registers) == 4:  # two pairs: a result has each of them
                return f"({result}.{place.name[:2]} << 16 | {result}.{place.name[2:]})"
            return f"{result}.{place.name}"
        memory = place.memory
        if self._means(memory.name, memory):
            return f"{result}.mem[{quote(memory.name)}]"
        return f"{result}.read(0x{memory.address:04X}, {memory.size})"

    def _arguments(self, example: Example, limit: int | None) -> Iterator[str]:
        yield from (f"{name}=0x{value:02X}" for name, value in example.registers.items())
        if example.flags:
            yield f"flags={{{', '.join(f'{quote(k)}: {v}' for k, v in example.flags.items())}}}"
        if example.memory:
            parts = [
                f"{self._key(example.names.get(address), address, len(data))}: {bytes_code(data)}"
                for address, data in example.memory.items()
            ]
            yield f"mem={{{', '.join(parts)}}}"
        if limit is not None:
            yield f"limit={limit}"

    def _key(self, name: str | None, address: int, size: int) -> str:
        """How a test writes to memory: by the symbol if that means these bytes."""
        if name is not None and self._means(name, MemoryRange(name, address, size)):
            return quote(name)
        return f"0x{address:04X}"

    def _means(self, name: str, memory: MemoryRange) -> bool:
        try:
            symbol = self.image.symbol(name)
        except UnknownSymbol:
            return False
        return (symbol.value, symbol.size) == (memory.address, memory.size)


def quote(text: str | None) -> str:
    """As Python code; names have no characters that need more."""
    return f'"{text}"'


def bytes_code(data: bytes) -> str:
    """Bytes as Python writes them."""
    if len(data) > SHOWN and len(set(data)) == 1:
        return f'bytes.fromhex("{data[0]:02x}") * {len(data)}'
    return f'bytes.fromhex("{data.hex()}")'


def _fill(begin: str, parts: list[str], end: str) -> list[str]:
    """A call on one line, or with a line for each argument."""
    line = begin + ", ".join(parts) + end
    if len(line) <= _WIDTH:
        return [line]
    return [begin, *(f"        {part}," for part in parts), f"    {end}"]
