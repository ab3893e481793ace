"""fairdeck: shuffles and deals of card and tile games, modelled, checked and run on a 6502."""
