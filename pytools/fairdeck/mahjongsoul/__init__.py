"""Mahjong Soul: whether a wall shown after a round is the one whose hash was shown before it."""
