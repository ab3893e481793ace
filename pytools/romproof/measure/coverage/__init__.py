"""Which instructions of a program were executed, and which ways its branches went."""
