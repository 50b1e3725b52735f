"""Bundled plug-ins, which most readers never need: each registers itself, and nobody imports them."""
