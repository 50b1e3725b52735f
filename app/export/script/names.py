"""Where the public names of the engine are to be imported from."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from app.export.script.layout import WIDTH

HOMES = (
    "engine.aggregation.black_box",
    "engine.aggregation.blocks",
    "engine.aggregation.center_of_attention",
    "engine.aggregation.functions",
    "engine.audit",
    "engine.comparison",
    "engine.data",
    "engine.data.order_statistics",
    "engine.data.points",
    "engine.domain",
    "engine.histograms.attacks",
    "engine.histograms.facility",
    "engine.histograms.histogram",
    "engine.histograms.isolation",
    "engine.histograms.isolation_sweeps",
    "engine.histograms.radii",
    "engine.histograms.ranges",
    "engine.histograms.from_release",
    "engine.histograms.spanning_tree",
    "engine.mechanisms",
    "engine.mechanisms.aggregators",
    "engine.mechanisms.one_cluster",
    "engine.mechanisms.planner",
    "engine.mechanisms.planning",
    "engine.mechanisms.sample_aggregate",
    "engine.noise",
    "engine.noise.certificate",
    "engine.privacy",
    "engine.queries",
    "engine.queries.profile",
    "engine.randomness",
    "engine.simulation",
)
"""Modules whose names may stand in a script; of two that have the same one, the first."""

STANDARD = {"replace": "from dataclasses import replace"}
MODULES = {"np": "import numpy as np", "plt": "import matplotlib.pyplot as plt"}


def imports(code: str) -> str:
    """Return the imports that some code needs, in the usual order.

    >>> print(imports("print(np.sum(Interval(0, 1).width), Privacy(1.0), len([]))"))
    import numpy as np
    from engine.domain import Interval
    from engine.privacy import Privacy
    """
    names = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    used = {node.id for node in names} - own
    homes: dict[str, list[str]] = {}
    for name in used & _homes().keys():
        homes.setdefault(_homes()[name], []).append(name)
    standard = sorted(STANDARD[name] for name in used & STANDARD.keys())
    others = sorted(MODULES[name] for name in used & MODULES.keys())
    engine = [_from(home, homes[home]) for home in sorted(homes)]
    return "\n\n".join("\n".join(group) for group in (standard, [*others, *engine]) if group)


@cache
def _homes() -> dict[str, str]:
    """Return the module of each public name."""
    found: dict[str, str] = {}
    for home in HOMES:
        module = import_module(home)
        names = getattr(module, "__all__", None) or [
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and (name.isupper() or getattr(value, "__module__", "") == home)
        ]
        for name in names:
            found.setdefault(name, home)
    return found


def _from(home: str, names: Iterable[str]) -> str:
    """Write an import, with constants first, classes next and functions last."""
    ordered = sorted(names, key=lambda name: (not name.isupper(), name[:1].islower(), name))
    line = f"from {home} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {home} import (", *(f"    {name}," for name in ordered), ")"])
