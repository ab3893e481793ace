"""Models compared with code: what Python says comes out, and what does, run by run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from romproof.contract.nouns.statement import Statement, StatementKind
from romproof.witness.chunk import Ran
from romproof.witness.columns import Array, Machines
from romproof.witness.compare import Failure
from romproof.witness.subject import InputKey, Subject

MODEL = Statement(StatementKind.MODEL, "computes the results of its model")

Expected = Mapping[InputKey, int | bytes]
"""What is to be there in the end: the value of a register or flag, the byte or the bytes from an
address on; of ``pc`` where a piece of code is to end."""


@dataclass(frozen=True)
class RowView:
    """One of many machines, as models see it."""

    machines: Machines = field(repr=False)
    row: int
    place: int
    """The address of the code that comes next."""

    def register(self, name: str) -> int:
        """The register that contracts call ``name``; no pairs."""
        return int(self.machines.registers[name.lower()][self.row])

    flag = register

    def byte(self, address: int) -> int:
        """The byte at an address."""
        return self.data(address, 1)[0]

    def data(self, address: int, size: int) -> bytes:
        """So many bytes from an address on."""
        return self.machines.memory.data(self.row, address, size)


@dataclass(frozen=True)
class Model:
    """What is compared with a routine.

    ``differs`` takes the machine at the entry and at the end, and says in a line in what the
    end is not what it should be; "" if in nothing. What it raises is reported as a disagreement.
    ``allows`` says whether an input counts.
    """

    differs: Callable[[RowView, RowView], str]
    allows: Callable[[RowView], bool] | None = None


def expecting(
    subject: Subject,
    expected: Callable[[RowView], Expected],
    allows: Callable[[RowView], bool] | None = None,
) -> Model:
    """The model that says what is to be there in the end."""

    def differs(before: RowView, after: RowView) -> str:
        return next(_differences(subject, expected(before), after), "")

    return Model(differs, allows)


def _differences(subject: Subject, expected: Expected, after: RowView) -> Iterator[str]:
    for key, wanted in expected.items():
        if isinstance(key, int):
            data = bytes([wanted]) if isinstance(wanted, int) else wanted
            for address, byte in enumerate(data, key):
                if after.byte(address) != byte:
                    actual = after.byte(address)
                    yield f"{subject.describe(address)} is ${actual:02X}, not ${byte:02X}"
        elif key == "pc":
            if after.place != wanted:
                yield f"it ends at {subject.describe(after.place)}"
        elif after.register(key) != wanted:
            yield f"{key.upper()} is ${after.register(key):02X}, not {_show(wanted)}"


def _show(value: int | bytes) -> str:
    return f"${value:02X}" if isinstance(value, int) else value.hex(" ")


def compare_model(ran: Ran, model: Model) -> Iterator[Failure]:
    """The runs that did not do what a model says."""
    details: dict[int, str] = {}
    for row in np.flatnonzero(ran.reached).tolist():
        before = RowView(ran.before, row, ran.subject.entry)
        after = RowView(ran.done.after, row, int(ran.done.places[row]))
        try:
            difference = model.differs(before, after)
        except Exception as error:  # whatever a model does, it is reported
            difference = f"the model raises {error!r}"
        if difference:
            details[row] = difference
    if details:
        rows = np.zeros(len(ran.before), bool)
        rows[list(details)] = True
        yield Failure(MODEL, rows, lambda row: details[row], of_model=True)


def counting(subject: Subject, model: Model | None) -> Callable[[Machines], Array]:
    """For each machine whether a model lets it count."""
    allows = None if model is None else model.allows

    def count(machines: Machines) -> Array:
        if allows is None:
            return np.ones(len(machines), bool)
        views = (RowView(machines, row, subject.entry) for row in range(len(machines)))
        return np.fromiter((bool(allows(view)) for view in views), bool, len(machines))

    return count
