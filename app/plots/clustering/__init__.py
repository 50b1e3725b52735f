"""Pictures of the Clustering page."""
