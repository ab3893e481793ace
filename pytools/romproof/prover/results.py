"""What a proof says: a verdict on each statement of a contract, and what shows it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from typing import Any

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.text.cause import Cause
from romproof.text.messages import Message, plain_message, read_message


class Verdict(Enum):
    """How a statement fares, the worst first."""

    REFUTED = "refuted"
    """It does not hold: there is an input that shows it."""
    VACUOUS = "vacuous"
    """There is nothing that it speaks of: no input, or no way to where it is to hold."""
    UNKNOWN = "unknown"
    """Nobody knows; the reason is given."""
    PARTIAL = "proved if it ends"
    """It holds for all inputs for which the routine returns; whether it does is not proved."""
    PROVED = "proved"
    """It holds for all inputs that the contract allows."""


class Attained(Enum):
    """Whether some calls take the fewest and the most cycles that a claim allows: a claim may be
    true, and allow more than any call takes. The worst first."""

    NO = "loose"
    """No call takes as few, or as many."""
    UNKNOWN = "not known to be attained"
    """No call is known that does."""
    YES = "attained"
    """For each end that the claim has there is an input."""


def worst(verdicts: list[Verdict]) -> Verdict:
    """The verdict on all of it."""
    order = list(Verdict)
    return min(verdicts, key=order.index, default=Verdict.PROVED)


@dataclass(frozen=True, slots=True)
class Example:
    """One input: what a call has to be given to see for itself.

    ``registers`` and ``flags`` by the names Python has for them; ``memory`` maps an address to
    the bytes from there on, ``names`` an address to what the program calls it. ``stack`` is the
    stack pointer at the routine's first instruction where that matters, ``returns_to`` the place
    where it is to return to, where that does. ``flag_names`` are what contracts call the flags, as
    the SM83 has a register C, too.
    """

    registers: Mapping[str, int]
    flags: Mapping[str, int]
    memory: Mapping[int, bytes]
    names: Mapping[int, str] = field(default_factory=dict)
    stack: int | None = None
    returns_to: int | None = None
    flag_names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        parts = [f"{name.upper()}=${value:02X}" for name, value in self.registers.items()]
        parts += [
            f"{self.flag_names.get(letter, letter.upper())}={value}"
            for letter, value in self.flags.items()
        ]
        for address, data in self.memory.items():
            shown = data[:16].hex(" ").upper() + (" …" if len(data) > 16 else "")
            parts.append(f"{self.names.get(address, f'${address:04X}')}=[{shown}]")
        if self.stack is not None:
            parts.append(f"the stack pointer ${self.stack:02X}")
        if self.returns_to is not None:
            parts.append(f"called so that it returns to ${self.returns_to:04X}")
        return ", ".join(parts) if parts else "any input"


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement and its verdict.

    ``reason`` is why it is so or not known, ``detail`` the same in words; ``example`` is an input
    that shows it, which was executed: ``replayed`` is true if the machine then did the same (None:
    nothing was executed; False is never REFUTED). A forbidden dependence needs two inputs:
    ``other`` is the second. If a run begins at an invariant, ``state`` is the state there, and
    ``place`` names it. ``assuming`` is an assumption of the contract on which the verdict rests,
    as contracts write it. For claims of cycles ``attained`` is true if calls take as many (None:
    not asked). ``kind`` is the subject of the statement, ``causes`` are the classes of reasons why
    it is not proved, ``register`` is the register or flag for which it is not, in small letters,
    or "": code decides on these. ``basis`` is an unproved statement on which it rests.
    ``seconds`` and ``work``, in the solvers' own units, are the cost of the question: proofs that
    differ in these only are equal.
    """

    statement: Message
    verdict: Verdict
    reason: Message | None = None
    example: Example | None = None
    replayed: bool | None = None
    other: Example | None = None
    state: Example | None = None
    place: str = ""
    assuming: str = ""
    attained: Attained | None = None
    kind: StatementKind = StatementKind.OTHER
    causes: tuple[Cause, ...] = ()
    basis: Message | None = None
    register: str = ""
    seconds: float = field(default=0.0, compare=False, repr=False)
    work: int = field(default=0, compare=False, repr=False)

    @property
    def detail(self) -> str:
        """The reason in words; "" without one."""
        return "" if self.reason is None else str(self.reason)


def report_unfollowed(cause: Cause, reason: Message | None) -> Finding:
    """That code could not be followed, and why."""
    kind, statement = StatementKind.FOLLOWED, Property.CAN_BE_FOLLOWED()
    return Finding(statement, Verdict.UNKNOWN, reason, kind=kind, causes=(cause,))


def report_disagreement(fault: Exception) -> Finding:
    """That two solvers do not agree: no run has shown what they say."""
    kind, causes = StatementKind.SOLVERS_AGREE, (Cause.PROVER_FAULT,)
    statement, reason = Property.SOLVERS_AGREE(), Reason.GIVEN(text=str(fault))
    return Finding(statement, Verdict.UNKNOWN, reason, replayed=False, kind=kind, causes=causes)


@dataclass(frozen=True, slots=True)
class CycleProof:
    """The fewest and the most cycles there are, and an input for each; None: not known."""

    least: int | None
    most: int | None
    fastest: Example | None = None
    slowest: Example | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """The findings about a routine. ``seconds`` is the time of the proof.

    ``assumed`` are the conditions on its inputs; ``lemmas`` the routines whose proofs replaced
    their code. ``rests_on`` are the assumptions of the proof about the machine around the routine
    (docs/proved.md); ``notes`` are facts that are no faults. ``runs`` is the number of executions
    that confirmed the proof, on the engine ``engine``: each input at least twice; ``all_inputs``
    says that these were all inputs, and ``unfinished`` is the number of runs that did not end
    within their limit of cycles. ``clobbers`` are the registers, flags and memory under
    ``clobbers:``, including those of other routines; none for joined proofs. ``inferred`` are
    invariants and numbers that decrease which the contract does not have: found, and proved with
    the rest, as a contract would write them.
    """

    routine: str
    findings: tuple[Finding, ...]
    cycles: CycleProof | None = None
    seconds: float = 0.0
    assumed: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    rests_on: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()
    runs: int = 0
    all_inputs: bool = False
    engine: str = ""
    unfinished: int = 0
    clobbers: tuple[str, ...] = ()
    inferred: tuple[str, ...] = ()

    @staticmethod
    def join(subject: str, *proofs: Proof, facts: Iterable[Finding] = ()) -> Proof:
        """Several proofs as one; ``facts`` are findings that needed no prover."""
        findings = [
            replace(
                finding,
                statement=Property.OF_ROUTINE(routine=proof.routine, statement=finding.statement),
            )
            for proof in proofs
            for finding in proof.findings
        ]
        limits = [proof.cycles for proof in proofs if proof.cycles is not None]
        return Proof(
            subject,
            (*findings, *facts),
            limits[0] if len(limits) == 1 else None,
            sum(proof.seconds for proof in proofs),
            tuple(dict.fromkeys(each for proof in proofs for each in proof.assumed)),
            tuple(sorted({each for proof in proofs for each in proof.lemmas})),
            tuple(dict.fromkeys(each for proof in proofs for each in proof.rests_on)),
            tuple(dict.fromkeys(each for proof in proofs for each in proof.notes)),
            sum(proof.runs for proof in proofs),
            all(proof.all_inputs for proof in proofs),
            ", ".join(dict.fromkeys(proof.engine for proof in proofs if proof.engine)),
            sum(proof.unfinished for proof in proofs),
        )

    @property
    def assuming(self) -> str:
        """The assumption of the contract under which it ends, if there is only this; else ""."""
        partial = [each for each in self.findings if each.verdict is Verdict.PARTIAL]
        if self.verdict is not Verdict.PARTIAL or not all(each.assuming for each in partial):
            return ""
        return " and ".join(dict.fromkeys(each.assuming for each in partial))

    @property
    def attained(self) -> Attained | None:
        """Whether calls take the claimed cycles; None if this was not asked, or the claim is not
        proved."""
        if self.verdict not in (Verdict.PROVED, Verdict.PARTIAL):
            return None
        known = {finding.attained for finding in self.findings}
        return next((each for each in Attained if each in known), None)

    @property
    def verdict(self) -> Verdict:
        """On all statements together."""
        return worst([finding.verdict for finding in self.findings])

    def to_json(self) -> str:
        """All of it as one line of JSON, from which ``from_json`` makes an equal proof."""
        every = {**_fields(self), "findings": list(map(_fields, self.findings))}
        return json.dumps(every, default=_plain, separators=(",", ":"))

    @staticmethod
    def from_json(text: str | bytes) -> Proof:
        """The proof that ``to_json`` wrote. Raises ValueError for any other text."""
        try:
            return _proof(json.loads(text))
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(f"this is no proof: {fault}") from None


def _fields(noun: Proof | Finding) -> dict[str, object]:
    """The fields of a dataclass by their names: messages, enums and bytes as they are."""
    return {each.name: getattr(noun, each.name) for each in fields(noun)}


def _plain(value: object) -> object:
    if isinstance(value, Message):
        return plain_message(value)
    if isinstance(value, Example | CycleProof):
        return asdict(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value)} has no JSON")


def _proof(given: Mapping[str, Any]) -> Proof:
    lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    messages = {name: tuple(map(read_message, given[name])) for name in ("rests_on", "notes")}
    cycles = given["cycles"]
    return Proof(
        **{
            **given,
            **lists,
            **messages,
            "findings": tuple(map(_finding, given["findings"])),
            "cycles": None
            if cycles is None
            else CycleProof(
                cycles["least"],
                cycles["most"],
                _example(cycles["fastest"]),
                _example(cycles["slowest"]),
            ),
        }
    )


def _finding(given: Mapping[str, Any]) -> Finding:
    examples = {name: _example(given[name]) for name in ("example", "other", "state")}
    attained = None if given["attained"] is None else Attained(given["attained"])
    enums = {
        "verdict": Verdict(given["verdict"]),
        "attained": attained,
        "kind": StatementKind(given["kind"]),
        "causes": tuple(map(Cause, given["causes"])),
    }
    messages = {
        name: None if given[name] is None else read_message(given[name])
        for name in ("statement", "reason", "basis")
    }
    return Finding(**{**given, **examples, **enums, **messages})


def _example(given: Mapping[str, Any] | None) -> Example | None:
    if given is None:
        return None
    # keys of objects in JSON are text
    return Example(
        given["registers"],
        given["flags"],
        {int(address): bytes.fromhex(data) for address, data in given["memory"].items()},
        {int(address): name for address, name in given["names"].items()},
        given["stack"],
        given["returns_to"],
        given.get("flag_names", {}),
    )
