"""Plain lines carried out by their text; see lines.py."""
