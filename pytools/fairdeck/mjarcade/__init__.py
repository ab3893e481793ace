"""SEGA MJ Arcade's walls: made from the seeds of all players and a number that runs on."""
