"""What there is: queries, noises, mechanisms and bundled examples, with their parameters."""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from typing import TYPE_CHECKING, Any

from app.verbs.shared.console import say, say_json
from app.verbs.shared.words import NEIGHBOURS, number

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
    say(f"Every epsilon is meant {NEIGHBOURS}.")
    return 0


def _described(entry: Entry) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": entry.name,
        "label": entry.label,
        "summary": entry.summary,
        "source": entry.source,
        "parameters": [dataclasses.asdict(parameter) for parameter in entry.parameters],
    }
    return facts | (_card(entry.name) if entry.kind == "example" else {})


def _card(name: str) -> dict[str, Any]:
    from engine.data import EXAMPLES

    card = EXAMPLES[name]
    kept = ("description", "licence", "n", "column", "unit", "lower", "upper")
    facts = {fact: getattr(card, fact) for fact in kept}
    return facts | {"columns": [dataclasses.asdict(column) for column in card.columns]}


def _text(entry: Entry) -> str:
    lines = [f"  {entry.name:22}{entry.label}"]
    if entry.summary:
        lines += textwrap.wrap(
            entry.summary, WIDTH, initial_indent=" " * 24, subsequent_indent=" " * 24, break_on_hyphens=False
        )
    if entry.kind == "example":
        card = _card(entry.name)
        lines.append(f"{'':24}n = {card['n']:,}, licence {card['licence']}")
        for column in card["columns"]:
            bounds = f"{number(column['lower'])} to {number(column['upper'], unit=column['unit'])}"
            lines.append(f"{'':24}--column {column['name']}, public bounds {bounds}")
    lines += [_parameter_text(parameter) for parameter in entry.parameters]
    return "\n".join(lines)


def _parameter_text(parameter: Parameter) -> str:
    name = "--" + parameter.name.replace("_", "-")
    return f"{'':24}{name:12}{parameter.label}: {parameter.bounds()}; default {parameter.default}"
