"""A Commodore 64 as a machine for tests: without its ROMs, a picture or sound."""
