"""Chips as compiled code: the part of Python that they are written in, as LLVM functions."""
