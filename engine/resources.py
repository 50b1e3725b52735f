"""Where the bundled resources lie: beside the packages, or inside `app` once installed."""

from __future__ import annotations

from pathlib import Path


def resource(*parts: str) -> Path:
    """Return the path of a bundled file, e.g. ``resource("examples", "salaries.csv")``."""
    house = Path(__file__).resolve().parent.parent
    checkout = house / "resources"
    root = checkout if checkout.is_dir() else house / "app" / "resources"
    return root.joinpath(*parts)
