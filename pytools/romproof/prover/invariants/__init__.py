"""Invariants of loops that no contract gives: candidates are made here, and judged elsewhere."""
