"""One input: what the variables and arrays are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from romproof.symbolic.terms.node import ARRAY, VAR, Term
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.walk import variables


@dataclass(frozen=True, slots=True)
class Model:
    """An input: a number for each variable, 65536 bytes for each array. What is not named is as
    low as it may be, an array all 0."""

    values: Mapping[str, int] = field(default_factory=dict)
    arrays: Mapping[str, bytes] = field(default_factory=dict)

    def value(self, term: Term) -> int:
        """What a term is for this input."""
        if term.is_const:
            return term.number
        if term.op is VAR:
            return self.values.get(term.name, term.low)
        values: dict[str, Any] = {"": np.zeros(1, dtype=np.uint64)}
        arrays: dict[str, Any] = {}
        for known in variables([term]):
            if known.op is ARRAY:
                arrays[known.name] = np.frombuffer(self.array(known.name), np.uint8)[None]
            else:
                number = self.values.get(known.name, known.low)
                kind = np.uint64 if known.width <= 64 else object
                values[known.name] = np.array([number], dtype=kind)
        return int(evaluate([term], values, arrays)[0][0])

    def array(self, name: str) -> bytes:
        """The bytes of an array."""
        return self.arrays.get(name, bytes(0x10000))
