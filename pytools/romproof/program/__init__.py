"""A linked program, whatever it was assembled with: image, symbols, lines, listing."""
