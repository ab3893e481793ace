"""The proof of a routine, and of all routines of a program, callees first."""
