"""Address spaces, and how a program is put into them."""
