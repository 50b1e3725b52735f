"""The cluster of the settings."""
