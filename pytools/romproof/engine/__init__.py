"""Level 2: engines, each an execution of a CPU behind one small protocol."""
