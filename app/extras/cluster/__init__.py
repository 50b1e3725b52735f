"""The cluster of the settings and of the command line."""
