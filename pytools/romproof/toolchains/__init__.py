"""Level 2: assemblers, a package for each dialect. A dialect reads source and gives an object."""
