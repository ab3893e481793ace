"""The CPUs that ca65's dialect is assembled for."""

from __future__ import annotations

CPUS = ("6502", "6502X", "none")
"""NMOS 6502, the same with undocumented opcodes, data only."""
