"""The picture of an NES: what was written is noted, and drawn when it matters."""
