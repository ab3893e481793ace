"""Runs made again, instruction by instruction, to tell how they ended."""
