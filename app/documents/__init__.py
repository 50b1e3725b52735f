"""Session files: what a person has chosen and released, where the data are, and never the data themselves."""
