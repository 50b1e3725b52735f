"""The Histogram page."""
