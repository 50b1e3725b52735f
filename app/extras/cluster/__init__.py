"""The cluster from the settings or from the command line."""
