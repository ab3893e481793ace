"""Files, processes, caches and signals: what the toolkit asks of the machine it runs on."""
