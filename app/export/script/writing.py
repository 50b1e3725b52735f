"""Writes sections as a script or as a notebook, in lines of 88 characters as the usual formatters do."""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Iterable, Sequence

import engine
from app.export.script.subject import ScriptCell
from engine import analysis

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def to_python(cells: Sequence[ScriptCell]) -> str:
    """Return a script of these sections; the first one is its title."""
    title, *sections = (cell for cell in cells if not cell.picture)
    code = "\n\n".join(f"# {cell.title}.\n{lay_out(cell.code)}" for cell in sections if cell.code)
    text = textwrap.fill(title.text, WIDTH)
    needed = imports(code, _references(sections))
    return f'"""{title.title}\n\n{text}\n"""\n\n{needed}\n\n{code}\n'


def to_notebook(cells: Sequence[ScriptCell]) -> str:
    """Return the sections as a notebook (nbformat 4.5, JSON) in which nothing has been run."""
    title, *sections = cells
    code = "\n".join(cell.code for cell in sections)
    made = [
        _markdown(f"# {title.title.rstrip('.')}\n\n{title.text}"),
        _code(imports(code, _references(sections))),
    ]
    for cell in sections:
        made.append(_markdown("\n\n".join(filter(None, (f"## {cell.title}", cell.text)))))
        if cell.code:
            made.append(_code(lay_out(cell.code)))
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


APP = __name__.removesuffix(".export.script.writing")
STANDARD = {"replace": "from dataclasses import replace"}
MODULES = {"np": "import numpy as np", "plt": "import matplotlib.pyplot as plt"}


def imports(code: str, references: Iterable[str] = ()) -> str:
    """Return the imports that some code needs, in the usual order.

    `references` are "package.module:name" of names that are not those of the engine.

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
        f"from {_installed_name(module)} import {name}"
        for module, _, name in (
            reference.partition(":") for reference in {one.removesuffix(".of") for one in references}
        )
        if name in used - public - scenes
    )
    return "\n\n".join("\n".join(group) for group in (standard, [*others, *outside, *from_engine]) if group)


def _installed_name(module: str) -> str:
    """Return the name by which every installation imports a module, if it is one of ours."""
    own = module.startswith((f"{engine.__name__}.", f"{APP}."))
    return f"sensiscope.{module.removeprefix('sensiscope.')}" if own else module


def _import_from(module: str, names: Iterable[str]) -> str:
    """Write the import, with constants first, classes next and functions last."""
    ordered = sorted(names, key=lambda name: (not name.isupper(), name[:1].islower(), name.lower()))
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in ordered), ")"])


WIDTH = 88
INDENT = "    "


def lay_out(code: str) -> str:
    """Return code in which every simple statement stands on one line, with long ones broken.

    >>> print(lay_out(f"total = sum_of({', '.join(['a_number_with_a_long_name'] * 3)})"))
    total = sum_of(
        a_number_with_a_long_name, a_number_with_a_long_name, a_number_with_a_long_name
    )
    """
    return "\n".join(_statement(line) for line in code.splitlines())


def quote(text: str) -> str:
    """Write a string, whatever is in it, with the quotes that need fewer backslashes.

    >>> print(quote("it's"), quote('say "no"'))
    "it's" 'say "no"'
    """
    mark = "'" if text.count('"') > text.count("'") else '"'
    # what is between the quotes of a string that has none of either kind needs no other escapes
    parts = (repr(part)[1:-1] for part in text.split(mark))
    return mark + f"\\{mark}".join(part.replace("\\'", "'") for part in parts) + mark


def _statement(line: str) -> str:
    """Break one simple statement where it is too long and can be broken."""
    text = line.lstrip()
    if len(line) <= WIDTH or text.startswith("#") or text.endswith(":"):
        return line
    margin = line[: len(line) - len(text)]
    [node] = ast.parse(text).body
    value = getattr(node, "value", None)
    if not isinstance(value, ast.expr):
        return line
    head = text.encode()[: value.col_offset].decode()  # the parser counts bytes
    return margin + head + _expression(text, value, len(margin), len(margin) + len(head))


def _expression(source: str, node: ast.expr, margin: int, column: int, after: int = 0) -> str:
    """Return an expression that begins at `column` of a line; `after` more characters follow it."""

    def text(part: ast.AST) -> str:
        return ast.get_source_segment(source, part) or ""

    whole, inner = text(node), margin + len(INDENT)
    opening, parts, closing = "(", list[tuple[str, ast.expr]](), ")"
    if isinstance(node, ast.Call):
        opening = f"{text(node.func)}("
        parts = [*(("", one) for one in node.args), *((f"{one.arg}=", one.value) for one in node.keywords)]
    elif isinstance(node, ast.List | ast.Tuple):
        opening, closing = "[]" if isinstance(node, ast.List) else "()"
        parts = [("", one) for one in node.elts]
    elif isinstance(node, ast.Dict):
        opening, closing = "{}"
        keys = (text(key) for key in node.keys if key is not None)
        parts = [(f"{key}: ", value) for key, value in zip(keys, node.values, strict=True)]
    fits = column + len(whole) + after <= WIDTH
    if isinstance(node, ast.ListComp) and not fits:
        made = _expression(source, node.elt, inner, inner)
        return _lines("[", [made, *(_loop(source, part) for part in node.generators)], "]", margin, "")
    if fits or not parts:
        return whole
    together = ", ".join(f"{head}{text(value)}" for head, value in parts)
    if isinstance(node, ast.Call) and inner + len(together) <= WIDTH and not _is_lone_generator(node):
        return _lines(opening, [together], closing, margin, "")
    lines = (head + _expression(source, value, inner, inner + len(head), after=1) for head, value in parts)
    return _lines(opening, lines, closing, margin, ",")


def _is_lone_generator(node: ast.Call) -> bool:
    return len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)


def _loop(source: str, part: ast.comprehension) -> str:
    target, over = (ast.get_source_segment(source, one) for one in (part.target, part.iter))
    tests = "".join(f" if {ast.get_source_segment(source, test)}" for test in part.ifs)
    return f"for {target} in {over}{tests}"


def _lines(opening: str, parts: Iterable[str], closing: str, margin: int, comma: str) -> str:
    outer, inner = " " * margin, " " * (margin + len(INDENT))
    return "\n".join([opening, *(f"{inner}{part}{comma}" for part in parts), f"{outer}{closing}"])
