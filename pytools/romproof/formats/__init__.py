"""Programs that other build systems made: images, symbols and debug information as files."""
