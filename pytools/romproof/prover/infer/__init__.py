"""Contracts for routines that have none, from their code: proposed, proved, shown to be tight."""

from __future__ import annotations

from romproof.support.extras import need

need("contracts that are inferred need {}", "romproof[prove]", "numpy")
