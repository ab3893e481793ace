"""What proofs take for granted of the machine around the routine: told with each verdict."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.nouns.model import Contract
from romproof.prover.catalogue import Assumption
from romproof.prover.conditions.waits import describe_change
from romproof.prover.states.entry import Start
from romproof.prover.states.program import ProofProgram
from romproof.text.messages import Message


def rests_on(program: ProofProgram, contract: Contract, start: Start | None) -> Iterator[Message]:
    """What a proof takes for granted of the machine around the routine."""
    written = tuple(change.name for change in contract.changing if not change.is_port)
    yield (Assumption.OTHER_INTERRUPTS(places=written) if written else Assumption.NO_INTERRUPT())
    yield Assumption.MEMORY()
    if start is None:
        return
    low, high = start.stacks
    pointer = program.abi.stack_pointer
    digits = pointer.bits // 4
    yield Assumption.STACK_POINTER(
        pointer=pointer.name, low=f"${low:0{digits}X}", high=f"${high:0{digits}X}"
    )
    if start.abi.pushes_flags:
        yield Assumption.NOT_BY_BREAK()
    if any(flag.letter in program.abi.not_inverted for flag in program.abi.flags):
        usual = [f.name for f in program.abi.flags if f.letter in program.abi.not_inverted]
        clear = [name for name in usual if all(item.name != name for item in contract.inputs)]
        if clear:
            yield Assumption.FLAGS_CLEAR(flags=" ".join(clear))
    yield from map(describe_change, contract.changing)
    if program.rom.memory_map.left_out:
        yield Assumption.BANKS()
