"""Contracts for routines that have none, from their code: proposed, proved, shown to be tight."""
