"""Pieces of code with what they compute, and routines as models that go from place to place: what
a statement on longer code is put together from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from romproof import Asked, Contract, Finding, Image, Proof, Prover, Stage

Values = Mapping[str, Any]
"""What a model has at a place, by names of its own."""
Next = tuple[str, Values]
"""Where a model goes on, "return" at the end, and what it has there."""
Stages = Mapping[str, Stage]

LOCAL = {"6502": "@", "sm83": "."}
"""What names of local labels begin with."""
LOST = {"6502": "A X Y N V Z C", "sm83": "A BC DE HL F"}
"""All registers, as contracts list them."""


# ---------------------------------------------------------------- pieces


@dataclass(frozen=True)
class Step:
    """Code from one label to others; ``model``, ``takes`` and ``gives`` are as
    romproof.prover.refinement.fragment has them. A routine is a step without ``ends``.

    Its contract says that it takes and gives these places, and those that are ``read`` and ``left``
    besides, unless further ``lines`` list them.
    """

    name: str
    begin: str
    ends: tuple[str, ...]
    model: Callable[..., Any]
    takes: Mapping[str, str | Sequence[str]]
    gives: Sequence[str]
    requires: str = ""
    clobbers: str = ""
    read: str = ""
    left: str = ""
    lines: str = ""

    def contract(self, image: Image) -> str:
        """A header block."""
        given = [
            each
            for places in self.takes.values()
            for each in ([places] if isinstance(places, str) else places)
        ]
        fields = {
            "in": f"{list_places(image, given)} {self.read}".strip() or "none",
            "requires": self.requires,
            "out": f"{list_places(image, self.gives)} {self.left}",
            "clobbers": self.clobbers,
        }
        return _complete(self.name, fields, self.lines)

    def prove(self, own: Prover, requires: Callable[..., Any] | None = None) -> Proof:
        """That the code does what the model says, where that ``requires`` nothing else."""
        return own.piece(
            self.contract(own.image),
            self.begin,
            *self.ends,
            model=self.model,
            takes=self.takes,
            gives=tuple(self.gives),
            requires=requires,
        )


def prove_steps(
    own: Prover, subject: str, steps: Iterable[Step], facts: Iterable[Finding] = ()
) -> Proof:
    """The proofs of all steps as one."""
    return Proof.join(subject, *(step.prove(own) for step in steps), facts=facts)


# ---------------------------------------------------------------- routines


@dataclass(frozen=True)
class Staged:
    """A routine with its contract, its stages, and where its results are.

    ``lines`` are those of the contract that follow from nothing else: what the first stage takes
    are its inputs, what the model gives its outputs, and ``work`` is memory that it leaves besides.
    """

    routine: str
    lines: str
    stages: Stages
    gives: Mapping[str, str]
    work: str = ""

    def contract(self, own: Prover) -> Contract:
        """Its lines, and for each field that they leave out what the stages say; the rest is that
        of the routine's own contract, if it has one."""
        stated = own.contracts.get(self.routine)
        fields = {
            "in": list_places(own.image, self.stages[""].takes.values()),
            "out": f"{list_places(own.image, self.gives.values())} {self.work}",
        }
        if stated is not None:
            fields |= {"clobbers": f"as {self.routine}", "stack": str(stated.stack)}
        told = own.contract(_complete(self.routine, fields, self.lines), self.routine)
        if stated is None:
            return told
        requires, ensures = told.requires or stated.requires, told.ensures or stated.ensures
        return replace(told, requires=requires, ensures=ensures)

    def prove(self, own: Prover, simulated: bool = True) -> Iterator[Proof]:
        """That it keeps the contract; where ``simulated``, that its code does what the stages do.
        Those that call it know what the contract says, and no more."""
        yield own.routine(self.routine, self.contract(own), exact=False)
        if simulated:
            yield own.simulates(self.stages, self.gives)

    def ask(self, question: Callable[..., Values]) -> Asked:
        """What a stage asks of it."""
        return Asked.of_stages(self.routine, self.stages, self.gives, question)


def with_loops(own: Prover, routine: str, lines: str, **changes: Any) -> Contract:
    """A routine's own contract with the invariants and the limits of loops that some lines have,
    which list what these speak of; and with other fields."""
    told = own.contract(f";; {routine} – at its loops.\n{lines.strip()}", routine)
    stated = own.contracts[routine]
    decreases = told.decreases or stated.decreases
    return replace(stated, invariants=told.invariants, decreases=decreases, **changes)


def with_inputs(own: Prover, routine: str, takes: Mapping[str, str], **changes: Any) -> Contract:
    """A routine's own contract with all that a model takes as its inputs; and with other fields.
    Where something is left alone, what was there before is one of them."""
    fields = {"in": list_places(own.image, takes.values())}
    inputs = own.contract(_complete(routine, fields, ""), routine).inputs
    return replace(own.contracts[routine], inputs=inputs, **changes)


def _complete(name: str, fields: Mapping[str, str], lines: str) -> str:
    """A header block: its lines, and the fields that are not among them."""
    derived = [
        f"; {field}: {text}"
        for field, text in fields.items()
        if text and f"; {field}:" not in lines
    ]
    return "\n".join([f";; {name} – as its model.", *derived, lines.strip()]).strip()


def list_places(image: Image, places: Iterable[str]) -> str:
    """Places of values, such as ``sha512_h[8:16]:little`` or ``a``, as contracts list them: memory
    whole, with its size."""
    names = {symbol.name for symbol in image.symbols}

    def item(name: str) -> str:
        if name == "bcde":
            return "BC DE"
        return f"{name}[{image.symbol(name).size}]" if name in names else name.upper()

    return " ".join(dict.fromkeys(item(re.split(r"[\[:]", place)[0]) for place in places))


def labels_of(cpu: str, routine: str, names: str) -> Iterator[str]:
    """Local labels of a routine: their ``names`` with blanks between."""
    return (f"{routine}{LOCAL[cpu]}{name}" for name in names.split())


def name_after(values: Values) -> dict[str, Any]:
    """What is there after a call, by names of its own."""
    return {f"{name}_after": value for name, value in values.items()}


def pick(names: Iterable[str], **fixed: Any) -> Callable[..., Values]:
    """A question: what the stage has by the same names, and what is fixed."""

    def question(**v: Any) -> Values:
        return {name: fixed[name] if name in fixed else v[name] for name in names}

    return question


def renew(v: Values, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Values with those of an answer in their place: all of them, or some ``names``."""
    chosen = [name for name in v if not name.endswith("_after")] if names is None else names
    return {name: v[f"{name}_after"] if f"{name}_after" in v else v[name] for name in chosen}


def hand_on(label: str, names: Iterable[str] | None = None) -> Callable[..., Next]:
    """A model that goes on at a label with what it has, an answer in its place."""

    def model(**v: Any) -> Next:
        return label, renew(v, names)

    return model
