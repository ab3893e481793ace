"""Symbolic execution: a CPU and its memory with terms in place of numbers."""
