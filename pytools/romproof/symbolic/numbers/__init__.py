"""Python's numbers and bytes for terms: what models are run with."""
