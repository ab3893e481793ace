"""From source to image, a package for each dialect; they do not know each other."""
