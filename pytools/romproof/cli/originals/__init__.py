"""The command lines of the original tools, so that a project's own makefile works as it is."""
