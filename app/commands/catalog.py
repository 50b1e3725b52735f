"""List queries, noises, mechanisms and bundled examples, with their parameters."""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from collections.abc import Iterator
from typing import Any

from app.commands.support.console import say, say_json
from app.commands.support.data import readers
from app.commands.support.options import JSON, VerbHelp, add_option
from app.model.wording.console import bounds, card_size
from app.model.wording.neighbours import WORDS
from engine.catalog import CatalogEntry
from engine.errors import UnknownName
from engine.parameters import Parameter
from engine.privacy import neighbours_of

GROUPS = {
    "query": ("queries", "Queries, for: sensiscope sensitivity QUERY, sensiscope run QUERY"),
    "noise": ("noises", "Noises, for: sensiscope noise FAMILY, and --noise FAMILY"),
    "method": ("mechanisms", "Methods that release a query, for: sensiscope run QUERY --method METHOD"),
    "mechanism": (
        "mechanisms",
        "Mechanisms besides queries, for: sensiscope run MECHANISM, sensiscope plan MECHANISM",
    ),
    "function": (
        "functions",
        "Functions for blocks, for: sensiscope run sample-aggregate --function NAME",
    ),
    "sampling": ("samplings", "Ways to draw blocks, for: --sampling NAME"),
    "aggregator": ("aggregators", "Aggregators of the outputs of blocks, for: --aggregator NAME"),
    "planted": ("planted", "Faulty variants, for: sensiscope audit MECHANISM --planted BUG; none is DP"),
    "example": ("examples", "Examples, for: --example NAME"),
    "lesson": ("lessons", "Lessons, for: the window, sensiscope screenshot lessons --lesson NAME"),
}
"""The group of each kind of entry in the JSON, and its title."""

WIDTH = 96
LINE = 110  # of a parameter, which is wrapped beyond it


OF_FORMS = ("choice_labels", "optional", "advanced", "asks", "in_file", "spoken", "former")
"""The facts of a parameter that only forms and pictures use."""


HELP = VerbHelp(usage="[NAME] [options]", example="catalog median")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="print the help pages of this name")
    add_option(parser.add_argument_group("output: JSON"), JSON)


def run(options: argparse.Namespace) -> int:
    from engine import catalog

    entries = (*catalog.entries(), *_lessons())
    if options.name is not None:
        _say_pages(options.name)
        return 0
    if options.json:
        groups: dict[str, list[dict[str, Any]]] = {group: [] for group, _ in GROUPS.values()}
        for entry in entries:
            groups[GROUPS[entry.kind][0]].append(_to_json(entry))
        say_json(groups)
        return 0
    for kind, (_, title) in GROUPS.items():
        say(title)
        say()
        for entry in entries:
            if entry.kind == kind:
                say(_text(entry))
        say()
    say(_meaning())
    return 0


def _say_pages(name: str) -> None:
    """Print every help page with this name: a noise and a method may share it."""
    from app.help.index import contents
    from app.model.texts.pages import page
    from app.model.texts.plain import page_text

    headings = [heading for heading in contents() if name in (heading.name, heading.key)]
    if not headings:
        raise UnknownName("help page", name, {heading.name for heading in contents()})
    say("\n\n\n".join(page_text(page(heading.kind, heading.name), WIDTH) for heading in headings))


def _lessons() -> Iterator[CatalogEntry]:
    """Yield the lessons of the window."""
    from app.lessons.reading import lessons
    from engine.catalog import CatalogEntry

    for lesson in lessons()[0]:
        yield CatalogEntry("lesson", lesson.name, lesson.title, lesson.summary, "")


def _meaning() -> str:
    """Return which mechanisms protect which neighbours."""
    lines = ["Every epsilon holds"]
    for neighbours, wording in WORDS.items():
        names = ", ".join(name for name, cls in readers().items() if neighbours_of(cls) == neighbours)
        text = f"{wording.between}: {names or 'where you choose it'}"
        lines += textwrap.wrap(
            text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "\n".join(lines)


def _to_json(entry: CatalogEntry) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": entry.name,
        "label": entry.label,
        "summary": entry.summary,
        "source": entry.source,
        "parameters": [
            {name: fact for name, fact in dataclasses.asdict(one).items() if name not in OF_FORMS}
            for one in entry.parameters
        ],
    }
    more = {"query": _relation, "mechanism": _relation, "example": _card, "lesson": _lesson}
    return facts | (more[entry.kind](entry.name) if entry.kind in more else {})


def _relation(name: str) -> dict[str, Any]:
    reader = readers()[name]
    bound = {"bound": True} if getattr(reader, "smooth_is_bound", False) else {}
    return {"reads": reader.reads, "neighbours": neighbours_of(reader), **bound}


def _card(name: str) -> dict[str, Any]:
    from engine.data import EXAMPLES

    card, names = EXAMPLES[name], ["kind", "description", "licence", "n", "vertices"]
    names += ["column", "unit", "lower", "upper"] if card.columns else []
    facts = {fact: getattr(card, fact) for fact in names}
    columns, categories = (list(map(dataclasses.asdict, own)) for own in (card.columns, card.categories))
    return facts | {"columns": columns, "categories": categories}


def _lesson(name: str) -> dict[str, Any]:
    from app.lessons.reading import lessons

    lesson = next(each for each in lessons()[0] if each.name == name)
    return {
        "topic": lesson.topic,
        "minutes": lesson.minutes,
        "needs": lesson.needs,
        "steps": [step.title for step in lesson.steps],
    }


def _text(entry: CatalogEntry) -> str:
    from engine.data import EXAMPLES

    lines = [f"  {entry.name:22} {entry.label}", *_wrap(entry.summary)]
    if entry.kind == "example":
        card = EXAMPLES[entry.name]
        option = "weight" if card.kind == "graph" else "column"
        lines += _wrap(f"{card.kind}, {card_size(card)}, license {card.licence}")
        for column in card.columns:
            within = bounds({"lower": column.lower, "upper": column.upper}, column.unit)
            lines.append(f"{'':24}--{option} {column.name}, public bounds {within}")
        for own in card.categories:
            lines += _wrap(f"--column {own.name}, public categories {', '.join(own.labels)}")
    lines += [_parameter_text(parameter) for parameter in entry.parameters]
    return "\n".join(lines)


def _wrap(text: str) -> list[str]:
    indent = " " * 24
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _parameter_text(parameter: Parameter) -> str:
    name = "--" + parameter.name.replace("_", "-")
    default = "automatic" if parameter.default in (None, "") else parameter.default
    text = f"{'':24}{name:12}{parameter.label}: {parameter.bounds()}; default {default}"
    return textwrap.fill(text, LINE, subsequent_indent=" " * 36, break_on_hyphens=False)
