"""The 1-cluster page."""
