"""SHA-512: each step is the formula of FIPS 180-4, for all words; the steps make the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from fairdeck.proofs import sha512_6502, sha512_sm83
from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.proofs.sha512_message import (
    MAX,
    ROMS,
    mix_steps,
    prove_block,
    prove_contract,
    prove_of_128,
)
from fairdeck.proofs.stages import Step, prove_steps
from fairdeck.proofs.statement import Row, Statement, bank, prove_whole, statements_of
from romproof import Finding, Image, Proof, ProofOptions, Verdict

Steps = Callable[[Image], list[Step]]

STEPS: Mapping[str, Sequence[Mapping[str, Steps]]] = MappingProxyType(
    {
        "6502": (sha512_6502.STEPS, sha512_6502.SCHEDULED, {"mix": lambda _: mix_steps("6502")}),
        "sm83": (sha512_sm83.STEPS, sha512_sm83.SCHEDULED, {"mix": lambda _: mix_steps("sm83")}),
    }
)
KEEPING = 30
"""Terms of a value that contracts need: what the routines compute is proved step by step."""

LONG = ("sha512_of_128", "sha512_block", "sha512")
"""What takes a minute and more."""

CLAIMS = {
    "add": "a word and a scheduled word with its constant are added modulo 2^64",
    "rotate": "a word is rotated right by 41 and by 19, byte by byte, on the way to Σ1 and σ1",
    "shift": "a word is shifted right by 6 and rotated by 61, byte by byte, on the way to σ1",
    "ch": "Ch(e, f, g) is FIPS 180-4's, for all words",
    "maj": "Maj(a, b, c) is FIPS 180-4's, for all words",
    "big_sigma0": "Σ0(a), of rotations by 28, 34 and 39, is FIPS 180-4's, for all words",
    "big_sigma1": "Σ1(e), of rotations by 14, 18 and 41, is FIPS 180-4's, for all words",
    "small_sigma0": "σ0, of rotations by 1 and 8 and a shift by 7, is FIPS 180-4's, for all words",
    "small_sigma1": "σ1, of rotations by 19 and 61 and a shift by 6, is FIPS 180-4's, for all "
    "words",
    "round": "each of the rounds in the code changes any eight words by any scheduled word as FIPS "
    "180-4 says, and its results are the inputs of the next one; so do all 80 in sequence",
    "word": "the word of the schedule that is made next is FIPS 180-4's for any words before it, "
    "at each of the 64 places; all 80 get their constants",
    "load": "the 16 words of a block are read, wherever it stands in 2,496 bytes of memory; the "
    "routine keeps to its contract",
    "mix": "any hash is copied to the working words, and these are added to it after the rounds: "
    "with load, word and round a block is hashed as FIPS 180-4 says",
}  # fmt: skip
HASHING = ("rounds", "mix", "load", "schedule", "block", "of_128")
"""What a message of 128 bytes is hashed by, callees first."""
CONTRACT = "the routine keeps to its contract, whatever the words: time, registers, memory, stack"


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    steps = (
        (name, claim, _load if name == "load" else partial(_steps, name))
        for name, claim in CLAIMS.items()
    )
    return statements_of("sha512", (*steps, *WHOLE), LONG)


def _steps(subject: str, cpu: str, options: ProofOptions) -> Proof:
    own = bank(ROMS[cpu], options)
    image = own.image
    steps = [step for known in STEPS[cpu] if subject in known for step in known[subject](image)]
    return prove_steps(own, subject, steps)


# ---------------------------------------------------------------- whole routines


def _load(cpu: str, options: ProofOptions) -> Proof:
    own = bank(ROMS[cpu], options)
    (step,) = STEPS[cpu][1]["load"](own.image)
    held = own.piece(step.contract(own.image), step.begin)
    return Proof.join("load", held, prove_steps(own, "load", [step]))


def _start(cpu: str, options: ProofOptions) -> Proof:
    def model() -> Any:
        return b"".join(word.to_bytes(fips.BYTES, "little") for word in fips.INITIAL)

    return prove_whole(bank(ROMS[cpu], options), "sha512_start", model, {}, ("sha512_h",))


def _finish(cpu: str, options: ProofOptions) -> Proof:
    def model(sha512_h: Any) -> Any:
        return [sha512_h[at + fips.BYTES - 1 - i] for at in range(0, 64, 8) for i in range(8)]

    own, takes = bank(ROMS[cpu], options), {"sha512_h": "sha512_h"}
    return prove_whole(own, "sha512_finish", model, takes, ("sha512_digest",))


def _contract(routine: str, cpu: str, options: ProofOptions) -> Proof:
    return bank(ROMS[cpu], replace(options, keeping=KEEPING)).routine(routine)


def _hashing_contracts(cpu: str, options: ProofOptions) -> Proof:
    """All contracts of what hashes a block, and 128 bytes, each by those of what it calls; and the
    model."""
    own = bank(ROMS[cpu], replace(options, keeping=KEEPING))
    contracts = [own.routine(f"sha512_{name}") for name in HASHING]
    return Proof.join("sha512_of_128", *contracts, prove_of_128(cpu, options))


# ---------------------------------------------------------------- tables


def _constants(cpu: str, options: ProofOptions) -> Proof:
    own = bank(ROMS[cpu], options)
    findings: list[Finding] = []

    def hold(name: str, expected: Sequence[int], at: int, claim: str) -> None:
        actual = own.fixed[at : at + len(expected)]
        wrong = [n for n, value in enumerate(expected) if actual[n] != value]
        verdict = Verdict.REFUTED if wrong else Verdict.PROVED
        seen = None
        if wrong:
            seen = Evidence.BYTE_IS(name=name, place=wrong[0], value=actual[wrong[0]])
        findings.append(Finding(ProofFact.CONSTANTS(name=name, claim=claim), verdict, seen))

    address = own.image.address
    for name, words, claim in (
        ("sha512_k", fips.K, "has the fractions of the cube roots of the first 80 primes"),
        ("sha512_padding", fips.PADDING, "is the second block of a message of 128 bytes"),
    ):
        for at, cells in _parts(cpu, words):
            hold(name, cells, address(name) + at, claim)
    initial = b"".join(word.to_bytes(fips.BYTES, "little") for word in fips.INITIAL)
    claim = "has the fractions of the square roots of the first eight primes"
    hold("sha512_initial", initial, address("sha512_initial"), claim)
    for name in TABLES:
        hold(name, [_shift_value(name, n) for n in range(256)], address(name), "has shifted bytes")
    return Proof("constants", tuple(findings))


TABLES = (
    "shr1", "shr3", "shr4", "shr5", "shr6", "shl2", "shl5", "shl6", "shl7", "shr1_shr7",
    "shl7_shl0_shl1", "shl7_shl0", "shl3_shr6", "shr2_shl2", "shl4_shr2_shr7", "shl6_shl1",
)  # fmt: skip
"""By the shifts whose results are added (exclusive or)."""


def _shift_value(name: str, value: int) -> int:
    total = 0
    for shift in name.split("_"):
        count = int(shift[3:])
        total ^= value << count if shift.startswith("shl") else value >> count
    return total & 0xFF


def _parts(cpu: str, words: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Where in a table of words which bytes stand."""
    if cpu == "sm83":
        yield 0, list(b"".join(word.to_bytes(fips.BYTES, "little") for word in words))
        return
    for i in range(fips.BYTES):
        yield sha512_6502.plane(i), [sha512_6502.byte(word, i) for word in words]


WHOLE: tuple[Row, ...] = (
    (
        "constants",
        "the constants are FIPS 180-4's, each table of shifted bytes has the shift in its name, "
        "and the padding of a message of 128 bytes is scheduled",
        _constants,
    ),
    ("start", "a new hash is FIPS 180-4's initial value", _start),
    ("finish", "the digest is the hash, words with their highest byte first", _finish),
    ("sha512_schedule", CONTRACT, partial(_contract, "sha512_schedule")),
    ("sha512_rounds", CONTRACT, partial(_contract, "sha512_rounds")),
    (
        "sha512_of_128",
        "a message of 128 bytes is hashed as FIPS 180-4 says, anywhere in 2,496 bytes of memory, "
        "its padding by words that stand in a table; it and its block are hashed by routines that "
        "keep to their contracts, wherever the block stands: time, registers, memory, stack, and "
        "dependences",
        _hashing_contracts,
    ),
    (
        "sha512_block",
        "a block is hashed as FIPS 180-4 says, for every hash and every block, anywhere in 2,496 "
        "bytes of memory: word by word of the schedule, and round by round",
        prove_block,
    ),
    (
        "sha512",
        f"a message of up to {MAX['6502']:,} bytes on the 6502 and {MAX['sm83']:,} on the SM83, "
        "wherever it lies, is hashed by the routine's own contract, except for its cycles, with "
        "the buffer for its last block among the inputs: it ends, it keeps to the contract for "
        "registers, memory and stack, and the digest depends only on the message, its address, "
        "its length and that buffer; its blocks are hashed where they lie",
        prove_contract,
    ),
)
"""What is no row of steps: subject, claim, proof."""
