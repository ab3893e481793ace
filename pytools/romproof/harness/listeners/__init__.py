"""What all calls of a test run are counted for: cycles, coverage, profiles."""
