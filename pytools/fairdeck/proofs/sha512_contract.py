"""SHA-512 of messages of any length by the routine's own contract, as far as there is room.

In a proof something has to stand for the message, in a place where the program has nothing: so many
bytes it may have here, and no more. Its blocks are hashed where they lie; what is left goes to a
buffer, which is among the inputs, as it is filled from the middle on and in two directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairdeck.proofs.sha512_block import BLOCK_BYTES, ROMS
from fairdeck.proofs.statement import bank
from romproof import Proof, ProofOptions, Prover

WHOLE, CLEAR = "sha512", "clear_buffer"
MAX = {"6502": 16384, "sm83": 12288}
"""The bytes of a message."""
KEEPING = 30
"""Terms of a value that contracts of hashing need."""
HASHING = ("start", "rounds", "mix", "load", "schedule", "block", "finish")
"""What a message is hashed by, callees first."""

_AT = "sha512_message == (old sha512_message + old sha512_length - sha512_length) % 65536"
LOOPS = {
    "6502": f"""
    ; invariant: {WHOLE}@block: sha512_length <= old sha512_length, {_AT}
    ; invariant: {WHOLE}@copy: sha512_length <= old sha512_length, {_AT},
    ;            sha512_length < {BLOCK_BYTES}, Y <= sha512_length
    ; decreases: {WHOLE}@block: sha512_length
    ; decreases: {WHOLE}@copy: Y
    """,
    "sm83": f"""
    ; invariant: {WHOLE}.block: sha512_length <= old sha512_length, {_AT}
    ; invariant: {WHOLE}.copy: sha512_length <= old sha512_length, sha512_length < {BLOCK_BYTES},
    ;            C in 1..sha512_length, HL == &sha512_buffer + sha512_length - C,
    ;            DE == old sha512_message + old sha512_length - C
    ; decreases: {WHOLE}.block: sha512_length
    ; decreases: {WHOLE}.copy: C
    """,
}
CLEARED = {
    "6502": f"""
    ;; {CLEAR} – zeros in the buffer from Y on.
    ; in:        Y sha512_buffer[{BLOCK_BYTES}]
    ; requires:  Y <= {BLOCK_BYTES}
    ; out:       sha512_buffer[{BLOCK_BYTES}]
    ; clobbers:  A Y N Z C
    ; stack:     0
    ; invariant: {CLEAR}@byte: A == 0, Y <= {BLOCK_BYTES}
    ; decreases: {CLEAR}@byte: {BLOCK_BYTES} - Y
    """,
    "sm83": f"""
    ;; {CLEAR} – zeros from HL on, until the low byte of the address is A.
    ; in:        A HL sha512_buffer[{BLOCK_BYTES}]
    ; requires:  A == (&sha512_buffer + {BLOCK_BYTES}) & $FF,
    ;            HL in &sha512_buffer..&sha512_buffer + {BLOCK_BYTES}
    ; out:       sha512_buffer[{BLOCK_BYTES}]
    ; clobbers:  A C HL F
    ; stack:     0
    ; invariant: {CLEAR}.byte: C == (&sha512_buffer + {BLOCK_BYTES}) & $FF,
    ;            HL in &sha512_buffer..&sha512_buffer + {BLOCK_BYTES}
    ; decreases: {CLEAR}.byte: &sha512_buffer + {BLOCK_BYTES} - HL
    """,
}


def prove_contract(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract, but for its cycles, of messages for which there is room."""
    own = bank(ROMS[cpu], options)
    asking = asked(own.under(replace(options, keeping=KEEPING, loose=True)), cpu)
    return Proof.joined(WHOLE, *asking, own.routine(WHOLE, own.contract(text_of(cpu), WHOLE)))


def asked(own: Prover, cpu: str) -> Iterator[Proof]:
    """What hashes a block, and what fills the last one with zeros, callees first."""
    for name in HASHING:
        yield own.routine(f"{WHOLE}_{name}")
    yield own.routine(CLEAR, own.contract(CLEARED[cpu], CLEAR), exact=False)


def text_of(cpu: str) -> str:
    """The contract, of messages for which there is room."""
    return f"""
    ;; {WHOLE} – hash a message.
    ; in:        sha512_message[2] sha512_length[2] message sha512_buffer[{BLOCK_BYTES}]
    ; pointer:   sha512_message -> message[sha512_length <= {MAX[cpu]}]
    ; out:       sha512_digest[64] sha512_message[2] sha512_length[2]
    ; clobbers:  as {WHOLE}
    ; stack:     {4 if cpu == "6502" else 6}{LOOPS[cpu].rstrip()}
    """
