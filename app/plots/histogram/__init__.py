"""Pictures of the Histogram page."""
