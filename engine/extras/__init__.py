"""Bundled plug-ins.  Each registers itself; the engine never imports them directly."""
