"""Writes sections as a script, or as a notebook."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from app.export.script.cell import ScriptCell
from app.export.script.layout import WIDTH, laid_out
from app.export.script.names import imports

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def to_python(cells: Sequence[ScriptCell]) -> str:
    """Return a script of these sections; the first one is its title."""
    title, *sections = (cell for cell in cells if not cell.picture)
    code = "\n\n".join(f"# {cell.title}.\n{laid_out(cell.code)}" for cell in sections if cell.code)
    text = textwrap.fill(title.words, WIDTH)
    needed = imports(code, _references(sections))
    return f'"""{title.title}\n\n{text}\n"""\n\n{needed}\n\n{code}\n'


def to_notebook(cells: Sequence[ScriptCell]) -> str:
    """Return the sections as a notebook (nbformat 4.5, JSON) in which nothing has been run."""
    title, *sections = cells
    code = "\n".join(cell.code for cell in sections)
    made = [
        _markdown(f"# {title.title.rstrip('.')}\n\n{title.words}"),
        _code(imports(code, _references(sections))),
    ]
    for cell in sections:
        made.append(_markdown("\n\n".join(filter(None, (f"## {cell.title}", cell.words)))))
        if cell.code:
            made.append(_code(laid_out(cell.code)))
    for number, one in enumerate(made):
        one["id"] = f"cell-{number}"
    metadata = {**KERNEL, "language_info": {"name": "python"}}
    notebook = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _references(cells: Sequence[ScriptCell]) -> list[str]:
    return [reference for cell in cells for reference in cell.imports]


def _markdown(text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, object]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
