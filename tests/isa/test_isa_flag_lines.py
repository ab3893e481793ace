"""The line of flags above each operation says what its recorded microcode does to them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import pytest

from romproof.isa import mos6502_alu, sm83_alu, sm83_operations
from romproof.isa.algebra import Op, Value, input_of, register
from romproof.isa.microcode import Microcode, MicrocodeRecorder, record
from romproof.isa.mos6502 import REGISTERS as MOS6502
from romproof.isa.sm83 import REGISTERS as SM83

FLAGS = {"6502": "nvdizc", "sm83": "znhc"}
"""In the order of the lines."""
NAMES = {"6502": {}, "sm83": {flag: f"{flag}f" for flag in "znhc"}}
"""How registers of one bit are called, where it is not by the flag's letter."""
WIDTHS: Mapping[str, Mapping[str, int]] = {"6502": MOS6502, "sm83": SM83}
MODULES = (
    ("6502", mos6502_alu),
    ("sm83", sm83_alu),
    ("sm83", sm83_operations),
)
GIVEN: dict[str, Any] = {
    "value": input_of(0, 8),
    "result": input_of(0, 8),
    "out": input_of(1, 1),
    "source": "a",
    "target": "x",
    "number": 3,
    "step": 1,
    "rotate": sm83_alu.rlc,
}
"""Arguments by their names; ``register`` depends on what it is."""
LINE = re.compile(r"# ((?:[NVDIZHC01-] ){3,5}[NVDIZHC01-])(?:  \(.*\))?")


def operations(module: ModuleType) -> Iterator[tuple[str, Callable[..., object], str | None]]:
    """The functions that act on a CPU: name, itself, the line of flags above it."""
    lines = inspect.getsource(module).splitlines()
    for number, line in enumerate(lines):
        match = re.match(r"def (\w+)\(cpu\b", line)
        if match and not match[1].startswith("_"):
            above = LINE.fullmatch(lines[number - 1])
            yield match[1], getattr(module, match[1]), above and above[1]


def recorded(cpu: str, operation: Callable[..., object], **others: Any) -> Microcode:
    """What an operation does, with any bytes."""
    given: dict[str, Any] = {}
    for parameter in list(inspect.signature(operation).parameters.values())[1:]:
        name, kind = parameter.name, str(parameter.annotation)
        if name == "register":
            given[name] = "x" if kind == "str" else register("x", 8)
        elif name == "value" and operation is sm83_operations.add_hl:
            given[name] = input_of(0, 16)
        else:
            given[name] = GIVEN[name]

    def run(recorder: MicrocodeRecorder) -> None:
        operation(recorder, **given | others)

    return record(WIDTHS[cpu], run)


def shown(cpu: str, microcode: Microcode) -> str:
    """The line for it."""
    return " ".join(sign(flag, microcode.result(NAMES[cpu].get(flag, flag))) for flag in FLAGS[cpu])


def sign(flag: str, becomes: Value | None) -> str:
    """A flag's place in the line."""
    if becomes is None:
        return "-"
    return str(becomes.number) if becomes.op is Op.CONST else flag.upper()


CASES = [
    pytest.param(cpu, operation, line, id=f"{cpu} {name}")
    for cpu, module in MODULES
    for name, operation, line in operations(module)
    if line is not None
]


def test_there_are_lines() -> None:
    assert len(CASES) >= 50


@pytest.mark.parametrize(("cpu", "operation", "line"), CASES)
def test_the_line_is_what_the_microcode_does(
    cpu: str, operation: Callable[..., object], line: str
) -> None:
    assert shown(cpu, recorded(cpu, operation)) == line


@pytest.mark.parametrize(("cpu", "module"), MODULES[:2], ids=["6502", "sm83"])
def test_what_sets_flags_has_a_line(cpu: str, module: ModuleType) -> None:
    without = {name for name, _, line in operations(module) if line is None}
    assert without <= {"set_znhc"}, "a helper that is given all flags has none"


def test_txs_leaves_the_flags_alone() -> None:
    microcode = recorded("6502", mos6502_alu.transfer, target="s")
    assert shown("6502", microcode) == "- - - - - -"
