"""Data-dependent noise in differential privacy: sensitivity, noise, mechanisms; without any display."""

__version__ = "0.1.0"
