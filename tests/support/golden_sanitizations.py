"""How every sanitization of the bundled examples goes, in simulations with fixed seeds."""

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

from every_sanitization import simulate_all
from golden_text import structure

from app.commands.support.console import finite


def dump(folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file: one for each example."""
    for name, cases in itertools.groupby(simulate_all(1), lambda case: case.example):
        lines = [line for case in cases for line in structure(finite(dataclasses.asdict(case)), "case")]
        yield f"sanitizations-{name}.txt", "\n".join(lines) + "\n"
