"""Comments above labels, cut into fields and tokens with their places in the source."""
