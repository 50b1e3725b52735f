"""Session files: what the user has chosen and released, where the data are, and never the data themselves."""
