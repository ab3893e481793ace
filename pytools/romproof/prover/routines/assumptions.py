"""What proofs take for granted of the machine around the routine: told with each verdict."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.nouns.model import Contract
from romproof.prover.conditions.waits import describe_change
from romproof.prover.states.entry import Start
from romproof.prover.states.program import ProofProgram


def rests_on(program: ProofProgram, contract: Contract, start: Start | None) -> Iterator[str]:
    """What a proof takes for granted of the machine around the routine."""
    written = [change.name for change in contract.changing if not change.is_port]
    but = f", but those that change {' and '.join(written)}" if written else ""
    yield f"no interrupt happens{but}"
    yield "memory keeps the values written to it, except at ports, and each byte has one address"
    if start is None:
        return
    low, high = start.stacks
    pointer = program.abi.stack_pointer
    digits = pointer.bits // 4
    yield (
        f"{pointer.name} is ${low:0{digits}X}..${high:0{digits}X} at the first instruction, and "
        f"no memory that the routine names lies in its stack"
    )
    if start.abi.pushes_flags:
        yield "it is entered by an interrupt, not by brk: B is pushed as 0"
    if any(flag.letter in program.abi.not_inverted for flag in program.abi.flags):
        usual = [f.name for f in program.abi.flags if f.letter in program.abi.not_inverted]
        clear = [name for name in usual if all(item.name != name for item in contract.inputs)]
        if clear:
            yield f"{' '.join(clear)} is clear at the entry"
    yield from map(describe_change, contract.changing)
    if program.rom.memory_map.left_out:
        yield "the loaded banks stay selected"
