"""A counterexample for people: what differs, and a test that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from traceback import extract_tb

from romproof.harness.errors import CallError
from romproof.program.image import Image
from romproof.prover.models.mapping import Compared
from romproof.prover.replay.call_code import SHOWN, CallCode, bytes_code, quote
from romproof.prover.replay.trial import Claim, Failed
from romproof.prover.results import Example
from romproof.prover.states.model_places import ModelPlace, is_number


@dataclass(frozen=True)
class Story:
    """What is reported of a routine that is not its model: ``claim`` on the program ``image``.

    ``model`` is what the model is called, ``rom`` the program's name if there are several.
    """

    claim: Claim
    image: Image
    model: str
    rom: str | None = None

    def tell(self, failed: Failed) -> str:
        """The inputs, what differs, and a test to paste."""
        name = self.claim.contract.name
        example, fault = failed.example, failed.fault
        if fault is None:
            lines = [f"'{name}' is not its model {self.model}:"]
            rows = [*self._inputs(example), *map(_difference, failed.differences)]
        elif isinstance(fault, CallError):
            lines = [f"a call of '{name}' fails for an input that its contract allows:"]
            rows = self._inputs(example)
        else:
            lines = [
                f"the model {self.model} raises {_raise_text(fault)} for an input of '{name}':"
            ]
            rows = self._inputs(example)
        width = max((len(label) for label, _ in rows), default=0) + 1
        lines += [f"  {label + ':':<{width}} {text}" for label, text in rows]
        if isinstance(fault, CallError):
            lines += [str(fault)]
        elif fault is not None:
            return "\n".join(
                [*lines, "help: exclude inputs that the model does not support with requires="]
            )
        return "\n".join([*lines, "", "a test that shows it:", "", *self.test(failed)])

    def _inputs(self, example: Example) -> list[tuple[str, str]]:
        """Labels and values."""
        rows = [(f"in  {n}", f"${value:02X}") for n, value in example.registers.items()]
        names = {flag.letter: flag.name.lower() for flag in self.claim.abi.flags}
        rows += [(f"in  {names[letter]}", str(value)) for letter, value in example.flags.items()]
        for address, data in example.memory.items():
            rows.append((f"in  {example.names.get(address, f'${address:04X}')}", _hex(data)))
        return rows

    def test(self, failed: Failed) -> list[str]:
        """The lines of a test function that fails as ``failed`` says."""
        code, name = CallCode(self.image, self.rom), self.claim.contract.name
        result = "r" if failed.differences else ""
        lines = code.write_header(name) + code.call(name, failed.example, self.claim.limit, result)
        if not failed.differences:
            return lines
        actual = [_read_place(code, each) for each in failed.differences]
        expected = [_literal(each) for each in failed.differences]
        if len(actual) == 1:
            return [*lines, f"    assert {actual[0]} == {expected[0]}"]
        return [*lines, f"    assert ({', '.join(actual)}) == ({', '.join(expected)})"]


def _read_place(code: CallCode, compared: Compared) -> str:
    """An expression for what the call left at a place, as the value expected is written."""
    place = compared.place
    data = code.read(place)
    if place.memory is None:
        return data
    if not is_number(compared.expected):
        return data if _is_bytes(compared.expected) else f"list({data})"
    if place.memory.size == 1:
        return f"{data}[0]"
    return f"int.from_bytes({data}, {quote(place.order or 'little')})"


def _difference(compared: Compared) -> tuple[str, str]:
    """A place, and what is there in place of what."""
    place, expected, actual = compared.place, compared.expected, compared.actual
    label = f"out {place}"
    if is_number(expected):
        return label, f"{_number(place, actual)}, the model says {_number(place, expected)}"
    if len(actual) <= SHOWN:
        return label, f"{_hex(actual)}, the model says {_hex(expected)}"
    wrong = [at for at in range(len(actual)) if actual[at] != expected[at]]
    first = wrong[0]
    more = f" (and {len(wrong) - 1} more bytes differ)" if len(wrong) > 1 else ""
    return (
        f"{label}[{first}]",
        f"${actual[first]:02X}, the model says {_number(None, expected[first])}{more}",
    )


def _number(place: ModelPlace | None, value: int) -> str:
    if place is not None and place.flag is not None:
        return str(int(value))
    size = 1 if place is None else _size(place)
    if not 0 <= value < 1 << 8 * size:
        return f"{int(value)} (does not fit)"
    return f"${value:0{2 * size}X}"


def _size(place: ModelPlace) -> int:
    """The bytes of a place that is not a flag."""
    return len(place.registers) if place.memory is None else place.memory.size


def _literal(compared: Compared) -> str:
    """What the model says, as Python writes it."""
    if is_number(compared.expected):
        value = int(compared.expected)
        if compared.place.flag is not None or value < 0:
            return str(value)
        return f"0x{value:0{2 * _size(compared.place)}X}"
    cells = list(map(int, compared.expected))
    return bytes_code(bytes(cells)) if _is_bytes(cells) else str(cells)


def _is_bytes(cells: Iterable[int]) -> bool:
    return all(0 <= cell <= 0xFF for cell in cells)


def _hex(data: Iterable[int]) -> str:
    cells = list(data)
    shown = " ".join(f"{cell:02X}" if 0 <= cell <= 0xFF else str(cell) for cell in cells[:SHOWN])
    return shown + (f" … ({len(cells)} bytes)" if len(cells) > SHOWN else "")


def _raise_text(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = extract_tb(error.__traceback__)
    return f"{text} ({frames[-1].filename}:{frames[-1].lineno})" if frames else text
