"""What is known of the last call, for whoever has to tell of a failure later."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.harness.errors import CallRecord


@dataclass(slots=True)
class Journal:
    """The last call on a Rom or on one of its machines, which share it; None: there is none, or
    it was forgotten."""

    last: CallRecord | None = None
