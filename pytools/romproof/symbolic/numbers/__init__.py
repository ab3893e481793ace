"""Python's numbers and bytes for terms: what models are run with."""

from romproof.symbolic.numbers import symbytes as symbytes  # integers become bytes by them
