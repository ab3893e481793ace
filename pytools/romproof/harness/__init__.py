"""Level 5: calling a routine of a linked program from Python, and measuring calls."""
