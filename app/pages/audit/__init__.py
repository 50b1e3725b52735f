"""The Audit tab of every page."""
