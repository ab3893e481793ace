"""What a model may not do; once refused, a run stays refused whatever the model catches."""

from __future__ import annotations

import sys
from contextvars import ContextVar

from romproof.symbolic.numbers.author import users_line
from romproof.text.cause import Cause
from romproof.text.errors import RomproofError

REFUSALS: ContextVar[list[RomproofError] | None] = ContextVar("REFUSALS", default=None)
"""What the run of a model was refused for; None while no model is run."""


class NotSymbolic(RomproofError):
    """Something that Python's integers can do and symbolic ones cannot.

    While a model is run the text begins with the line of the model, and the run is refused,
    even if the model catches this. ``cause`` is the class of the reason, if it has one.
    """

    def __init__(self, what: str, line: str = "", cause: Cause | None = None) -> None:
        self.cause = cause
        refusals = REFUSALS.get()
        if refusals is not None and not line:
            line = users_line(sys._getframe(1))
        super().__init__(f"{line}: {what}" if line else what)
        if refusals is not None:
            refusals.append(self)
