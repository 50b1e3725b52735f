"""What there is: queries, noises, mechanisms and bundled examples, with their parameters."""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from typing import TYPE_CHECKING, Any

from app.neighbours import WORDS
from app.verbs.shared.console import say, say_json
from app.verbs.shared.words import bounds, card_size

if TYPE_CHECKING:
    from engine.catalog import Entry
    from engine.parameters import Parameter

GROUPS = {"query": "queries", "noise": "noises", "method": "mechanisms", "example": "examples"}
TITLES = {
    "queries": "Queries, for: sensiscope sensitivity QUERY, sensiscope run QUERY",
    "noises": "Noises, for: sensiscope noise FAMILY, and --noise FAMILY",
    "mechanisms": "Mechanisms, for: sensiscope run QUERY --method METHOD",
    "examples": "Examples, for: --example NAME",
}
WIDTH = 96


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the catalog."""
    from engine import catalog

    groups: dict[str, list[Entry]] = {group: [] for group in GROUPS.values()}
    for entry in catalog.entries():
        groups[GROUPS[entry.kind]].append(entry)
    if options.json:
        say_json({group: [_described(entry) for entry in entries] for group, entries in groups.items()})
        return 0
    for group, entries in groups.items():
        say(TITLES[group])
        say()
        for entry in entries:
            say(_text(entry))
        say()
    say(_meaning())
    return 0


def _meaning() -> str:
    """Say between which databases the epsilon of each query is meant."""
    from engine.queries import QUERIES

    lines = ["Every epsilon is meant"]
    for neighbours, words in WORDS.items():
        names = ", ".join(name for name, query in QUERIES.items() if query.neighbours == neighbours)
        text = f"{words.between}: {names}"
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def _described(entry: Entry) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": entry.name,
        "label": entry.label,
        "summary": entry.summary,
        "source": entry.source,
        "parameters": [dataclasses.asdict(parameter) for parameter in entry.parameters],
    }
    more = {"query": _relation, "example": _card}
    return facts | (more[entry.kind](entry.name) if entry.kind in more else {})


def _relation(name: str) -> dict[str, Any]:
    from engine.queries import QUERIES

    return {"reads": QUERIES[name].reads, "neighbours": QUERIES[name].neighbours}


def _card(name: str) -> dict[str, Any]:
    from engine.data import EXAMPLES

    card = EXAMPLES[name]
    kept = ("kind", "description", "licence", "n", "vertices", "column", "unit", "lower", "upper")
    facts = {fact: getattr(card, fact) for fact in kept}
    return facts | {"columns": [dataclasses.asdict(column) for column in card.columns]}


def _text(entry: Entry) -> str:
    from engine.data import EXAMPLES

    lines = [f"  {entry.name:22}{entry.label}", *_wrapped(entry.summary)]
    if entry.kind == "example":
        card = EXAMPLES[entry.name]
        option = "weight" if card.kind == "graph" else "column"
        lines += _wrapped(f"{card.kind}, {card_size(card)}, licence {card.licence}")
        for column in card.columns:
            within = bounds({"lower": column.lower, "upper": column.upper}, column.unit)
            lines.append(f"{'':24}--{option} {column.name}, public bounds {within}")
    lines += [_parameter_text(parameter) for parameter in entry.parameters]
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    indent = " " * 24
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _parameter_text(parameter: Parameter) -> str:
    name = "--" + parameter.name.replace("_", "-")
    return f"{'':24}{name:12}{parameter.label}: {parameter.bounds()}; default {parameter.default}"
