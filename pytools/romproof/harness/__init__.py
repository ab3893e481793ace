"""Calling a routine of a linked program from Python, and measuring calls."""
