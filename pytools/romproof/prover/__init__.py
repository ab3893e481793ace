"""Level 6: contracts and models proved for all inputs, or refuted by one that runs."""
