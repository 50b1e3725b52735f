"""The imports of a script: the names of `sensiscope`, and a few others."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import engine
from app.export.script.layout import WIDTH
from engine import analysis

STANDARD = {"replace": "from dataclasses import replace"}
MODULES = {"np": "import numpy as np", "plt": "import matplotlib.pyplot as plt"}


def imports(code: str, references: Iterable[str] = ()) -> str:
    """Return the imports that some code needs, in the usual order.

    Parameters
    ----------
    code : str
    references : iterable of str
        "package.module:name" of names that are not those of the engine.

    >>> print(imports("print(np.sum(Interval(0, 1).width), Privacy(1.0), len([]))"))
    import numpy as np
    from sensiscope import Interval, Privacy
    """
    names = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    used = {node.id for node in names} - own
    standard = sorted(STANDARD[name] for name in used & STANDARD.keys())
    others = sorted(MODULES[name] for name in used & MODULES.keys())
    public = used & engine._HOMES.keys()
    scenes = used & analysis.HOMES.keys() - public
    from_engine = [
        _import_from(module, chosen)
        for module, chosen in (("sensiscope", public), ("sensiscope.scenes", scenes))
        if chosen
    ]
    outside = sorted(
        f"from {module} import {name}"
        for module, _, name in (
            reference.partition(":") for reference in {one.removesuffix(".of") for one in references}
        )
        if name in used - public - scenes
    )
    return "\n\n".join("\n".join(group) for group in (standard, [*others, *outside, *from_engine]) if group)


def _import_from(module: str, names: Iterable[str]) -> str:
    """Write the import, with constants first, classes next and functions last."""
    ordered = sorted(names, key=lambda name: (not name.isupper(), name[:1].islower(), name.lower()))
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])
