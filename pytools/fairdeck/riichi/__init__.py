"""Riichi hands: how far from complete, which tiles help, what a win is worth calling one."""
