"""Help pages; an error in one is reported with file and line, and the others still load.

A page is ``resources/help/<kind>/<name>.md``. Pages of components need all `SECTIONS`, in this order.

In their texts and those of lessons, a field ``{name}`` stands for a number or name: computed numbers lie in
``resources/numbers``, ``{methods/smooth}`` is the title of a choice, ``{tabs/path}`` the name of a tab, and
``{buttons/audit}`` the label of a button.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import engine
from app.model.texts.marks import MarkError, MarkupBlock, Runs, TextRun, read_blocks
from app.model.wording.buttons import BUTTONS, without_mnemonic
from app.model.wording.components import KIND_WORDS, LINK, name_of
from app.model.wording.numbers import superscript
from engine.catalog import FAMILIES, kinds
from engine.components import Component
from engine.errors import DataError, UnknownName
from engine.resources import resource, resource_file, resource_files, resource_folders
from engine.small_files import parse_toml, small_text

TOPICS = "topics"

KINDS: Mapping[str, str] = MappingProxyType(
    {TOPICS: "Topics"} | {names.plural: names.title for names in KIND_WORDS.values()}
)
"""Folders of help pages with their titles."""


def titles(kind: str) -> Mapping[str, str]:
    """Return the labels of all catalog names of a kind of pages."""
    from engine.catalog import entries

    return {
        entry.name: entry.label
        for entry in entries()
        if entry.kind in KIND_WORDS and KIND_WORDS[entry.kind].plural == kind
    }


MAX_BYTES = 1 << 18
"""Largest size of a file of numbers."""

FIELD = re.compile(
    r"\\.|\$\$.+?\$\$|\$[^$]+\$|```.+?```|`[^`]+`"  # escaped, formulas and code: as they are
    r"|\{(?P<name>[a-z]\w*(?:/[a-z][\w-]*)?)(?::(?P<spec>[^{}]*))?\}",
    re.DOTALL,
)
_POWER = re.compile(r"e([+-])0*(\d+)$")


class FieldError(ValueError):
    """A field that cannot be filled, with its position in the text."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.position = position


@cache
def text_numbers(kind: str) -> Mapping[str, Mapping[str, int | float]]:
    """Return the numbers of all texts of a kind ("lessons", "help"), by text and name."""
    source = f"{kind}.toml"
    return parse_toml(small_text(resource("numbers", source), source=source, most=MAX_BYTES), source)


def fill_fields(text: str, numbers: Mapping[str, int | float]) -> str:
    r"""Fill the fields of a text; numbers use the English format, as all prose of the program.

    A format of Python may follow a colon: ``{error:,.1f}``, ``{share:.0%}``. Without one, whole numbers are
    written in full and others with three significant digits.

    >>> fill_fields(r"{n} rows, {methods/smooth}: \{{share:.0%}\}, $x_{n}$", {"n": 10001, "share": 0.05})
    '10,001 rows, Smooth sensitivity: \\{5 %\\}, $x_{n}$'
    >>> fill_fields("{a}, {b}, {c:.0e}", {"a": 1346.9, "b": 0.04549, "c": 1e-6})
    '1,347, 0.0455, 10⁻⁶'

    `FieldError` for a name that is not in `numbers` or the catalog, or for an invalid format.
    """

    def fill(match: re.Match[str]) -> str:
        name, spec = match["name"], match["spec"]
        if name is None:
            return match[0]
        if "/" in name:
            kind, _, choice = name.partition("/")
            label = (titles(kind) if kind in KINDS else labels_of(kind)).get(choice)
            if label is None:
                raise FieldError(f"there is no choice '{name}' in the catalog", match.start())
            return label
        if name not in numbers:
            known = ", ".join(sorted(numbers)) or "none"
            raise FieldError(
                rf"there is no number '{name}'; known: {known}; for a brace write \{{", match.start()
            )
        try:
            return _write(numbers[name], spec)
        except ValueError:
            raise FieldError(f"'{spec}' is no format of numbers; try ,.1f or .0%", match.start()) from None

    return FIELD.sub(fill, text)


def labels_of(kind: str) -> dict[str, str]:
    """Return the labels of "tabs", "pages", "controls", "buttons" or "planted", without ambiguous names."""
    from app.model.pages.audit import AUDIT
    from app.model.pages.registry import places
    from engine.catalog import kinds
    from engine.mechanisms import PLANTED
    from engine.parameters import plain_parameters

    pictures = [picture for spec in (*places().values(), AUDIT) for picture in spec.pictures]
    parts = (part for family in kinds().values() for part in family.values())
    parameters = itertools.chain(*map(plain_parameters, parts), *(one.declared for one in pictures))
    pairs: dict[str, Iterable[tuple[str, str]]] = {
        "planted": ((name, variant.label) for name, variant in PLANTED.items()),
        "pages": ((name, spec.title) for name, spec in places().items()),
        "tabs": ((one.name.removeprefix("audit "), one.title.name) for one in pictures),
        "controls": ((one.name, name_of(one)) for one in parameters),
        "buttons": BUTTONS.items(),
    }
    known: dict[str, set[str]] = {}
    for name, label in pairs.get(kind, ()):
        known.setdefault(name, set()).add(without_mnemonic(label))
    return {name: labels.pop() for name, labels in known.items() if len(labels) == 1}


def _write(value: int | float, spec: str | None) -> str:
    if spec is None:
        spec = "," if isinstance(value, int) else ",.0f" if abs(value) >= 100 else ".3g"
    text = format(value, spec).replace("%", " %")
    power = _POWER.search(text)
    if power is None:
        return text
    mantissa, exponent = text[: power.start()], superscript(int(power[1] + power[2]))
    return f"10{exponent}" if mantissa == "1" else f"{mantissa}×10{exponent}"


ERRATA = "Errors in the literature"
SECTIONS = ("When to use it", "Formula", "Guarantee", ERRATA, "Source")
"""Required sections of a page about a component."""

BOUND = (
    "Only upper bounds of its local and smooth sensitivity are known, so S ≤ replaces S*. "
    "The noise is scaled to the bound, and a release is as private."
)
"""Note for a query that declares it."""


LARGEST = 1 << 16
"""Largest size of a page in bytes: the longest bundled one has 23,000."""

OUTSIDE = ("https://", "http://")
_SECTION = re.compile(r"\n\n\w[\w ]*\n-{3,}\n")
_CITATION = re.compile(r"\b(18|19|20)\d\d\b|\bderived here\b|\bfolklore\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class HelpSection:
    """A heading with its blocks."""

    title: str
    blocks: tuple[MarkupBlock, ...]
    line: int

    @property
    def is_errata(self) -> bool:
        """Whether it lists mistakes in print."""
        return self.title == ERRATA

    @property
    def says_none(self) -> bool:
        """Whether it says that no mistake is known."""
        return plain_text(self.blocks[0].runs).lower().startswith("none known")


@dataclasses.dataclass(frozen=True, eq=False)  # one object for each: caches need not go through all its words
class HelpPage:
    """One help page."""

    # kind, name: a key of `KINDS`, and the name in the catalog
    kind: str
    name: str
    title: str  # title at the top of the page
    summary: tuple[MarkupBlock, ...]  # description below the title
    sections: tuple[HelpSection, ...]  # all sections
    source: str  # folder and name of its file

    @property
    def key(self) -> str:
        """The target of links to it."""
        return f"{self.kind}/{self.name}"

    @property
    def blocks(self) -> tuple[MarkupBlock, ...]:
        return self.summary + tuple(block for section in self.sections for block in section.blocks)

    @property
    def formulas(self) -> tuple[str, ...]:
        """All its formulas, without dollars, each once."""
        runs = (run for block in self.blocks for run in block.all_runs)
        return tuple(dict.fromkeys(run.text for run in runs if run.kind == "formula"))

    def section(self, title: str) -> HelpSection | None:
        """Return the section with this title; None if there is none."""
        return next((one for one in self.sections if one.title == title), None)


def read_page(path: Path) -> HelpPage:
    """Read ``<kind>/<name>.md``; `DataError` with file and line of the first mistake."""
    kind, source = path.parent.name, f"{path.parent.name}/{path.name}"
    text = small_text(path, source=source, most=LARGEST)
    try:
        text = fill_fields(text, text_numbers("help").get(f"{kind}/{path.stem}", {}))
        page = _page(kind, path.stem, source, text)
        _check_links(page)
        if kind != TOPICS:
            _check_sections(page)
    except MarkError as error:
        raise DataError(str(error), source=f"{source}, line {error.line}") from None
    except FieldError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DataError(str(error), source=f"{source}, line {line}") from None
    except RecursionError:
        raise DataError("is nested too deeply", source=source) from None
    return page


def _page(kind: str, name: str, source: str, text: str) -> HelpPage:
    lines = list(enumerate(text.splitlines(), 1))
    if not lines or not lines[0][1].startswith("# "):
        raise MarkError("the first line is '# ' and the title", 1)
    headings = [i for i, (_, line) in enumerate(lines) if line.startswith("## ")]
    ends = [*headings[1:], len(lines)]
    summary = read_blocks(lines[1 : headings[0] if headings else len(lines)])
    if not summary:
        raise MarkError("a description must follow the title", 1)
    sections = tuple(
        _section(lines[start:end]) for start, end in zip(headings, ends if headings else (), strict=True)
    )
    return HelpPage(kind, name, lines[0][1][2:].strip(), summary, sections, source)


def _section(lines: list[tuple[int, str]]) -> HelpSection:
    number, heading = lines[0]
    section = HelpSection(heading[3:].strip(), read_blocks(lines[1:]), number)
    if not section.blocks:
        raise MarkError(f"the section '{section.title}' is empty", number)
    return section


def _check_sections(page: HelpPage) -> None:
    """Raise unless all sections are there, in order, and the sources are cited."""
    there = [section.title for section in page.sections]
    for title in SECTIONS:
        if there.count(title) != 1:
            wrong = "twice" if title in there else "missing"
            raise MarkError(f"the section '## {title}' is {wrong}", page.sections[-1].line if there else 1)
    if [title for title in there if title in SECTIONS] != list(SECTIONS):
        raise MarkError(f"the sections stand in this order: {', '.join(SECTIONS)}", page.sections[0].line)
    formula, source = (section for section in page.sections if section.title in ("Formula", "Source"))
    if not any(run.kind == "formula" for block in formula.blocks for run in block.all_runs):
        raise MarkError("there is no formula; write one between $ and $", formula.line)
    if not any(_CITATION.search(plain_text(block.all_runs)) for block in source.blocks):
        raise MarkError("no paper with its year, nor 'derived here'", source.line)


def _check_links(page: HelpPage) -> None:
    """Raise for a link to a page that cannot exist."""
    for block in page.blocks:
        for run in block.all_runs:
            target = run.target.removeprefix(LINK)
            if run.target.startswith(LINK) and target not in names():
                nearest = UnknownName("page", target, names())
                raise MarkError(f"{nearest}", block.line)
            if run.target and not run.target.startswith((LINK, *OUTSIDE)):
                raise MarkError(
                    f"'{run.target}' is no link; write help:<kind>/<name> or https://…", block.line
                )


def plain_text(runs: Runs) -> str:
    """Return the text without markup."""
    return "".join(run.text for run in runs)


def names() -> frozenset[str]:
    """Return the keys of all expected pages: those of the catalog, and all topics."""
    return _names(_registered())


def _registered() -> tuple[tuple[object, ...], ...]:
    """Return all registered names and the folders of pages; a key for caches."""
    return *map(tuple, FAMILIES.values()), resource_folders("help")


@cache
def _names(_: tuple[tuple[object, ...], ...]) -> frozenset[str]:
    topics = (f"{TOPICS}/{path.stem}" for path in resource_files("help", TOPICS, suffix=".md"))
    return frozenset(topics) | {f"{kind}/{name}" for kind in KINDS for name in titles(kind)}


def pages() -> tuple[dict[str, HelpPage], tuple[DataError, ...]]:
    """Return all pages by key, and the errors in the others."""
    return _pages(_registered())


@cache
def _pages(_: tuple[tuple[object, ...], ...]) -> tuple[dict[str, HelpPage], tuple[DataError, ...]]:
    good: dict[str, HelpPage] = {page.key: page for page in _described()}
    bad: list[DataError] = []
    for kind in KINDS:
        for path in resource_files("help", kind, suffix=".md"):
            try:
                page = read_page(path)
                good[page.key] = page
            except DataError as error:
                bad.append(error)
    return good, tuple(bad)


def _described() -> Iterator[HelpPage]:
    """Yield a page about each component from outside the engine, made from its docstring."""
    for kind, registry in kinds().items():
        for name, component in registry.items():
            if kind in KIND_WORDS and not component.__module__.startswith(f"{engine.__name__}."):
                shown = (
                    (component.summary or component.label, None),
                    (_explained(component), "Description"),
                    (BOUND if getattr(component, "smooth_is_bound", False) else "", "Sensitivity"),
                    (component.source, "Source"),
                )
                parts = {
                    title: (MarkupBlock("paragraph", (TextRun(text),)),) for text, title in shown if text
                }
                summary = parts.pop(None)
                sections = tuple(HelpSection(title or "", blocks, 0) for title, blocks in parts.items())
                plural = KIND_WORDS[kind].plural
                yield HelpPage(plural, name, component.label, summary, sections, component.__module__)


def _explained(component: type[Component]) -> str:
    """Return the docstring of a component; "" if it only inherits one."""
    text = inspect.cleandoc(component.__dict__.get("__doc__") or "")
    made = text.startswith(f"{component.__name__}(")  # by `dataclass`, where nothing was written
    return "" if made else " ".join(_SECTION.split(text)[0].split())


def page(kind: str, name: str) -> HelpPage:
    """Return one page; `UnknownName` if there is none, `DataError` with the first mistake in it."""
    path = resource_file("help", kind, f"{name}.md")
    if f"{kind}/{name}" in names() and path.is_file():
        return read_page(path)
    results = pages()[0]
    if f"{kind}/{name}" not in results:
        raise UnknownName("help page", f"{kind}/{name}", results)
    return results[f"{kind}/{name}"]
