"""Pictures of the 1-cluster page."""
