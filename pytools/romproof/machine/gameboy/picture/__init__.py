"""The picture of the Game Boy: what was written while a frame was drawn, and the frame that is
drawn from it when somebody looks."""
