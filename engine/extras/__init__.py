"""What most readers never need: bundled plug-ins, each of which registers itself, and which nobody imports."""
