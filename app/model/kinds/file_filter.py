"""Which files dialogs offer, drawn from the formats that can be read."""

from __future__ import annotations

from engine.data.formats.registry import suffixes


def file_filter(title: str, *, graphs: bool) -> str:
    """Return the line of a file dialog, as Qt writes it: ``Tables (*.csv *.tsv …)``."""
    return f"{title} ({' '.join(f'*{suffix}' for suffix in suffixes(graphs=graphs))})"
