"""What tells two versions apart, as a test to paste."""

from __future__ import annotations

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Flag
from romproof.prover.replay.call_code import CallCode
from romproof.prover.same.same import Sameness
from romproof.prover.same.sides import MachineCell, Side
from romproof.prover.states.entry import register_name
from romproof.prover.states.model_places import ModelPlace


def test_of(result: Sameness) -> tuple[str, ...]:
    """The lines of a test that fails where the two differ; () where they do not.

    Of one program both routines are called; of two, the second one, and what the first gives stands
    in the test as numbers.
    """
    differs, one, other = result.differs, result.pairs.one, result.pairs.other
    if differs is None:
        return ()
    code = CallCode(other.program.image, other.rom_name)
    mine, hers = one.contract.name, other.contract.name
    partners = {a: b for cells in result.pairs.compared.values() for a, b in cells}
    if one.program.image is other.program.image:
        lines = [
            *code.write_header(f"{mine}_and_{hers}"),
            *code.call(mine, differs.example, None, "one"),
            *code.call(hers, differs.other_example, None, "two"),
        ]
        for _, cell, _, _ in differs.outputs:
            left = _read_cell(code, one, cell, "one")
            lines.append(f"    assert {left} == {_read_cell(code, other, partners[cell], 'two')}")
        return tuple(lines)
    lines = [*code.write_header(hers), *code.call(hers, differs.other_example, None, "r")]
    for _, cell, expected, _ in differs.outputs:
        number = str(expected) if cell.width == 1 else f"0x{expected:02X}"
        actual = _read_cell(code, other, partners[cell], "r")
        lines.append(f"    assert {actual} == {number}  # {one.title}")
    return tuple(lines)


def _read_cell(code: CallCode, side: Side, cell: MachineCell, result: str) -> str:
    """An expression for what a call left in a cell."""
    if cell.address is None:
        abi = side.program.abi
        item = next(each for each in abi.contents if register_name(abi, each) == cell.name)
        if isinstance(item, Flag):
            return f"{result}.flags.{item.letter}"
        return f"{result}.{item.attribute}"
    for listed in side.items:
        if isinstance(listed, MemoryRange) and cell.address in listed.addresses():
            data = code.read(ModelPlace(listed.name, memory=listed), result)
            return f"{data}[{cell.address - listed.address}]"
    return f"{result}.read(0x{cell.address:04X}, 1)[0]"
