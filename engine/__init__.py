"""Data-dependent noise in differential privacy: sensitivity, noise, mechanisms. Never imports Qt or matplotlib."""

__version__ = "0.1.0"
