"""Which instructions of a program were executed, and which outcomes its branches had."""
