"""The viewer: walls, games and verdicts as a page, served to this machine or written as a file."""
