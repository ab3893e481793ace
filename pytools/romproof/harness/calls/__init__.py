"""Calls of routines, one by one and many at once, and who is told of them."""
