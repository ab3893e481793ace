"""Machine code does what a Python model says."""
