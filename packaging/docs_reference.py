"""The reference of the Python API: every public name of the engine, from its docstring."""

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Mapping
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import engine

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
ENTRIES = {"Parameters", "Attributes", "Returns", "Raises", "Yields"}
SPAN = re.compile(r"(``[^`]+``|`[^`\n]+`)")


def write_reference(source: Path) -> list[str]:
    """Write one page for each part of the engine; return their paths, without endings."""
    homes: dict[str, list[str]] = defaultdict(list)
    for name in sorted(engine._HOMES):
        homes[engine._HOMES[name].split(".")[1]].append(name)
    labels = {name: f"api-{number}" for number, name in enumerate(sorted(engine._HOMES))}
    folder = source / "reference"
    folder.mkdir(parents=True)
    for part, names in homes.items():
        title = f"# engine: {part.replace('_', ' ')}\n\nImport these names from `engine`."
        entries = [f"({labels[name]})=\n## {name}\n\n{_entry(name, labels)}" for name in names]
        (folder / f"{part}.md").write_text("\n\n".join([title, *entries]), encoding="utf-8")
    return [f"reference/{part}" for part in homes]


def _entry(name: str, labels: dict[str, str]) -> str:
    value = inspect.unwrap(getattr(engine, name))
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return "\n\n".join(_constant(name, value, labels))
    parts = [f"```python\n{_signature(name, value)}\n```", markdown(inspect.getdoc(value) or "", labels)]
    if inspect.isclass(value) and (methods := _methods(value, labels)):
        parts.append(f"**Methods**\n\n{methods}")
    return "\n\n".join(parts)


def _constant(name: str, value: Any, labels: dict[str, str]) -> list[str]:
    """Return what is said of a constant: the words below it, and what a registry holds by which name."""
    body = ast.parse(Path(inspect.getfile(import_module(engine._HOMES[name]))).read_text("utf-8")).body
    said = [
        inspect.cleandoc(after.value.value)
        for line, after in pairwise(body)
        if name in [each.id for each in ast.walk(line) if isinstance(each, ast.Name)][:1]
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    ]
    parts = [markdown(text, labels) for text in said] or [f"A value of the type `{type(value).__name__}`."]
    if isinstance(value, Mapping):
        kinds = {
            key: f": {_span(one.__name__, labels)}" for key, one in value.items() if inspect.isclass(one)
        }
        parts.append("\n".join(f"- `{key}`{kinds.get(key, '')}" for key in value))
    return parts


def _methods(kind: type[Any], labels: dict[str, str]) -> str:
    """Return a list of what a class defines itself, each with the first line of its docstring."""
    lines = []
    for name, value in vars(kind).items():
        function = getattr(value, "__func__", getattr(value, "fget", getattr(value, "func", value)))
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        said = (inspect.getdoc(function) or "").partition("\n")[0]
        if said:
            call = "" if function is not value and not hasattr(value, "__func__") else "()"
            lines.append(f"- `{name}{call}`: {_inline(said, labels)}")
    return "\n".join(lines)


def _signature(name: str, value: Any) -> str:
    """Return how a name is called, without what types are called inside."""
    try:
        written = str(inspect.signature(value))
    except (TypeError, ValueError):
        written = "(...)"
    written = re.sub(r"'([^']*)'(?=[,)=]| =|$)", r"\1", written) if "': '" not in written else written
    written = re.sub(r"\b(?:engine|numpy)\.(?:\w+\.)*|0x[0-9a-f]+", "", written)
    return (
        f"class {name}{written.removesuffix(' -> None')}"
        if inspect.isclass(value)
        else f"def {name}{written}"
    )


def markdown(text: str, labels: dict[str, str]) -> str:
    """Return a docstring in numpydoc's form as Markdown; public names become links."""
    first, *rest = SECTION.split(text)
    parts = [_prose(first, labels)]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        content = _entries(body, labels) if title in ENTRIES else _prose(body, labels)
        parts.append(f"**{title}**\n\n{content}")
    return "\n\n".join(parts)


def _prose(text: str, labels: dict[str, str]) -> str:
    """Return paragraphs; examples at a prompt, and what is indented, are code."""
    found = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.lstrip().startswith(">>>") or (block.startswith("    ") and found):
            found.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        elif block.strip().endswith("::") or block.lstrip().startswith(".. "):
            found.append(_inline(block.strip().removeprefix(".. ").rstrip(":") + ":", labels))
        else:
            found.append(_inline(block, labels))
    return "\n\n".join(found)


def _entries(text: str, labels: dict[str, str]) -> str:
    """Return a list of what is named, each with its type and words."""
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            lines.append(f"- `{name}`" + (f" ({_inline(kind, labels)})" if kind else ""))
        elif line.strip():
            lines.append(f"  {_inline(line.strip(), labels)}")
    return "\n".join(lines)


def _inline(text: str, labels: dict[str, str]) -> str:
    parts = SPAN.split(text)
    return "".join(_span(part, labels) if SPAN.fullmatch(part) else _escaped(part) for part in parts)


def _span(part: str, labels: dict[str, str]) -> str:
    name = part.strip("`")
    return f"[`{name}`](#{labels[name]})" if name in labels else f"`{name}`"


def _escaped(text: str) -> str:
    """Return words in which nothing but a list is a mark."""
    escaped = re.sub(r"([\\_<>\[\]$|#{}])", r"\\\1", text)
    return re.sub(r"(?<!^)(?<!\n)\*", r"\\*", escaped)
