"""Engines, each an execution of a CPU behind one small protocol."""
