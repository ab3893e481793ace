"""Level 3: address spaces, and how a program is put into them."""
