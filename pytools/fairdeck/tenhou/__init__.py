"""Tenhou's walls: made from a published seed, and checked against the record of a game."""
