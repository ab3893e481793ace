"""Level 6: what was proved of a contract, executed for many inputs and compared."""
