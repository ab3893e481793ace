"""Contracts and models proved for all inputs, or refuted by one that runs."""
