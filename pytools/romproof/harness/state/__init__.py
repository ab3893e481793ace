"""The board of a call: memory, stubs, devices, arguments and results."""
