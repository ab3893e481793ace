"""``romproof init``: what a makefile calls, what lies in a folder, the table and test of it."""
