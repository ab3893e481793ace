"""What was proved of a contract, executed for many inputs and compared."""
