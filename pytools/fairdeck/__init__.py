"""fairdeck: shuffles and deals of card and tile games, modelled, checked and run on old CPUs."""
