"""Bundled plug-ins of the window: what only serves extras of the engine."""
