"""Every sanitization on the bundled data: figures and a summary, all simulated with a seed.

The bundled data are public, so the demo shows what is private elsewhere.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.support.console import PROGRAM, Bar, finite, remark, say
from app.commands.support.demo_cases import RUNS, Case, query_case, sanitizer_case
from app.commands.support.options import whole
from app.model.output_file import OutputFile
from app.model.wording.console import bounds, card_size, plain, settings
from app.model.wording.neighbours import WORDS
from app.model.wording.number_format import grouped, short
from engine import __version__
from engine.errors import SensiscopeError
from engine.progress import Progress, part

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from engine.data import Example

SUMMARY, TEXT = "summary.json", "summary.md"

NOTE = (
    "Everything here is a simulation on bundled public data: the seed makes it reproducible, and therefore "
    "nothing in it is a release. On data of your own, true values and smooth sensitivities are confidential."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--out", metavar="DIR", required=True, help="folder for figures and summary, new or a demo's"
    )
    parser.add_argument(
        "--seed", type=whole, default=1, metavar="N", help="seed of all simulations (default 1)"
    )


def run(options: argparse.Namespace) -> int:
    """Simulate everything, draw it, and then write it down at once."""
    from app.commands.support import demo_comparison, demo_plan, demo_sanitizations

    parts = (demo_plan, demo_comparison, demo_sanitizations)
    planned = {name: panels for one in parts for name, panels in one.drawings(options.seed).items()}
    names = [*planned, SUMMARY, TEXT]
    folder = prepare_folder(Path(options.out), names)
    with Bar() as bar:
        cases = list(simulated(options.seed, part(bar, 0.0, 0.4)))
        content = drawn(planned, part(bar, 0.4, 1.0))
    facts = {
        "demo": PROGRAM,
        "simulated": True,
        "seed": options.seed,
        "runs": RUNS,
        "version": __version__,
        "note": NOTE,
        "files": names,
        "sanitizations": [dataclasses.asdict(case) for case in cases],
    }
    content[TEXT] = summary(cases, planned, options.seed).encode()
    content[SUMMARY] = json.dumps(finite(facts), indent=2).encode()
    for name, data in content.items():
        _place(folder, name).write(data)
    say(f"{len(cases)} sanitizations simulated with seed {options.seed} on bundled public data; no releases")
    say(f"{len(planned)} figures and a summary: {folder / TEXT}")
    return 0


def prepare_folder(folder: Path, names: Sequence[str]) -> Path:
    """Make the folder, or take one that an earlier demo filled; no other files are touched."""
    try:
        if folder.exists() and not folder.is_dir():
            raise SensiscopeError(f"{folder}: is a file; give a folder that is new or empty")
        folder.mkdir(parents=True, exist_ok=True)
        present = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise SensiscopeError(f"{folder}: cannot be made or read: {error.strerror}") from None
    if present:
        earlier = _earlier_files(folder)
        foreign = sorted(present.intersection(names).difference(earlier) if earlier else present)
        if foreign:
            raise SensiscopeError(
                f"{folder}: holds other files ({foreign[0]}); give a folder that is new or empty"
            )
        remark("note", f"{folder} holds an earlier demo: its files are replaced, all others stay")
    _place(folder, SUMMARY)
    return folder


def _place(folder: Path, name: str) -> OutputFile:
    return OutputFile(str(folder / name), (Path(name).suffix,))


def _earlier_files(folder: Path) -> list[str]:
    try:
        content = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        return list(map(str, content["files"])) if content["demo"] == PROGRAM else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def simulated(seed: int, progress: Progress) -> Iterator[Case]:
    """Simulate every method on every query of every example, every noise on the first, and all on points.

    Each case has a seed of its own: with one for all, their errors would be copies.
    """
    from app.commands.support.demo_plan import methods, noises, queries, read
    from app.commands.support.demo_sanitizations import sanitizations
    from engine.data import EXAMPLES

    seeds = itertools.count(seed)
    for index, card in enumerate(EXAMPLES.values()):
        progress(index / len(EXAMPLES), f"simulating releases on {card.name}")
        asked_of = queries(card)
        for query in asked_of:
            data = read(card, query)
            more = noises(query) if query is asked_of[0] else ()
            for mechanism, privacy in (*methods(query, data), *more):
                yield query_case(card, data, mechanism, privacy, next(seeds))
        for run, prepared in sanitizations(card):
            yield sanitizer_case(card, run.data, run.mechanism, run.privacy, prepared, next(seeds))


def drawn(planned: Mapping[str, Callable[[], list[FigurePanel]]], progress: Progress) -> dict[str, bytes]:
    """Return the figures as the contents of their files."""
    from app.plots.figure_panel import figure, render, sheet

    content = {}
    for index, (name, panels) in enumerate(planned.items()):
        progress(index / len(planned), f"drawing {name}")
        made = panels()
        content[name] = sheet(made) if len(made) > 1 else render(figure(made[0]), Path(name).suffix)
    return content


def summary(cases: Iterable[Case], files: Iterable[str], seed: int) -> str:
    """Return the summary as Markdown."""
    from engine.data import EXAMPLES

    how = (
        f"Seeds from {seed} on, {grouped(RUNS)} simulated runs each, or as many as the last column says. "
        "Errors are distances from the true value that half, or 95 %, of the runs stay within; those of "
        "histograms are mean errors of how many records 100 public ranges hold."
    )
    lines = ["# Sensiscope demo", "", NOTE, "", how]
    by_example: dict[str, list[Case]] = {}
    for case in cases:
        by_example.setdefault(case.example, []).append(case)
    for name, own in by_example.items():
        card = EXAMPLES[name]
        lines += ["", f"## {card.title}", "", f"{name}: {card_size(card)}, {_public(card)}."]
        lines += [_meaning(own), ""]
        lines += [
            "| query | method | noise | ε | δ | true value | one run | error, half | error, 95 % | refused "
            "| runs |"
        ]
        lines += ["| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |"]
        lines += [_row(case) for case in own]
    lines += ["", "## Figures", ""]
    lines += [f"![{file}]({file})" if file.endswith(".png") else f"[{file}]({file})" for file in files]
    return "\n".join(lines) + "\n"


def _public(card: Example) -> str:
    """Say what is public about the values of an example."""
    if card.kind == "categories":
        return "public categories " + ", ".join(
            f"{own.name} ({', '.join(own.labels)})" for own in card.categories
        )
    within = [(column.name, bounds(dataclasses.asdict(column), column.unit)) for column in card.columns]
    named = ", ".join(f"{name} {text}" for name, text in within) if card.kind == "points" else within[0][1]
    return f"public bounds {named}"


def _meaning(cases: Iterable[Case]) -> str:
    """Say between which databases the epsilon of each query is meant, and what has none."""
    cases = list(cases)
    pairs = dict.fromkeys((case.neighbours, case.query) for case in cases if case.epsilon is not None)
    without = dict.fromkeys(case.query for case in cases if case.epsilon is None)
    relations = {
        neighbours: ", ".join(query for other, query in pairs if other == neighbours)
        for neighbours, _ in pairs
    }
    parts = [f"{WORDS[neighbours].between} ({names})" for neighbours, names in relations.items()]
    none = f" Not differentially private: {', '.join(without)}." if without else ""
    return f"Every epsilon is meant {'; '.join(parts)}.{none}"


def _row(case: Case) -> str:
    numbers = (case.true_value, case.value, case.median_error, case.p95_error)
    shown = ("q", "trim", "even", "k", "fit", "function", "blocks", "t")
    chosen = settings((name, value) for name, value in case.parameters.items() if name in shown)
    cells = [
        f"{case.query} ({chosen})" if chosen else case.query,
        case.method or "",
        case.noise or "",
        *("none" if value is None else short(value) for value in (case.epsilon, case.delta)),
        *(
            "–" if value is None else plain(value, 3 if isinstance(value, (list, dict)) else 5)
            for value in numbers
        ),
        f"{case.refused:.0%}" if case.refused else "",
        grouped(case.runs) if case.runs < RUNS else "",
    ]
    return f"| {' | '.join(cells)} |"
