"""Bundled plug-ins of the window, for extras of the engine."""
