"""The picture of the Game Boy: what was written while a frame was drawn, and the frame drawn from it."""
