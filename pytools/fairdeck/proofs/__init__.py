"""What is proved of the machine code: each statement for both CPUs, and for all inputs."""
