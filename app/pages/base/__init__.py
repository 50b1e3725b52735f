"""The common base of all pages."""
