"""The statements of a contract but for cycles: each rule with the argument why it is sound."""
