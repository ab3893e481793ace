"""The engine ``plain``: microcode as Python functions on ints."""
