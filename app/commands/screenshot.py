"""Save a page of the window, or a dialog over it, as a PNG; needs no display."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.actions import page_titles
from app.commands.support.console import Bar, remark
from app.commands.support.data import (
    READING,
    DataReader,
    add_data_options,
    all_data_options,
    locate,
    locate_in,
    stored_table,
)
from app.commands.support.options import Option, UsageError, VerbHelp, add_options, count
from app.commands.support.screenshot_window import (
    arrange_lesson,
    arrange_page,
    arrange_table,
    collect_failures,
    hidden_window,
    open_over,
    wait,
)
from app.lessons.lesson import Lesson
from app.lessons.reading import lessons
from app.model.kinds.registry import KINDS
from app.model.loaded import LocatedTable
from app.model.output_file import OutputFile
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import PAGE_KINDS, paired_of, queries_of, tabs_of
from app.model.pages.workspaces import FIRST, PICTURED, RELEASED
from app.model.theme import PALETTES
from app.model.views import CURATOR, VIEWS
from engine import catalog
from engine.errors import SensiscopeError, UnknownName
from engine.mechanisms import PLANTED
from engine.optional_packages import not_installed
from engine.progress import part

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

GRAPHS, LESSONS = "spanning-tree", "lessons"
"""The pages that show a graph, and a lesson."""
ELSEWHERE = ("query", "tab", "k", "data", "example")
"""Options about a page; a lesson's file decides them instead."""
DIALOGS = (
    "budget",
    "data_table",
    "help",
    "keyboard",
    "palette",
    "report",
    "save_figure",
    "scene",
    "settings",
    "undo_history",
)
"""Actions that open something over the page."""
MIN_SIDE, MAX_SIDE = 200, 8000


def size(text: str) -> tuple[int, int]:
    """Read ``1280x800``."""
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    if not match or not all(MIN_SIDE <= int(side) <= MAX_SIDE for side in match.groups()):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no size; write WxH, for instance 1280x800, each {MIN_SIDE} to {MAX_SIDE}"
        )
    return int(match[1]), int(match[2])


def beside_name(text: str) -> str:
    """Read the name of a picture; those of an audit have a blank, which may be written as a hyphen."""
    return next(
        (tab for page in page_titles() for tab in paired_of(page) if text == tab.replace(" ", "-")), text
    )


PAGE = (
    Option("query", "query or mechanism of the page (default: the page's own)"),
    Option("tab", "picture to open; each page has its own"),
    Option(
        "beside",
        "second picture, by its tab, or audit-guess-who, audit-outcomes, audit-posterior, audit-trade-off, "
        "audit-low-bits of its audit; none: only one picture",
        beside_name,
        "TAB",
    ),
    Option("k", "on a graph, show the records that decide A^(K) (default 0)", count),
    Option("planted", f"with --tab {AUDIT}, plant this bug", metavar="BUG"),
    Option("lesson", "lesson to show (see sensiscope catalog)", metavar="NAME"),
    Option("step", "step of the lesson, counted from 1 (default 1)", count, "K"),
    Option("dialog", "dialog to open; the picture shows it alone if it is a window", choices=DIALOGS),
)
WINDOW = (
    Option("out", "file of the picture, a .png", metavar="FILE", required=True),
    Option("theme", "colors of the window", choices=tuple(PALETTES), default="light"),
    Option("size", "size of the window in pixels (default 1280x800)", size, "WxH"),
    Option("view", "view of the data", choices=tuple(VIEWS), default=CURATOR),
    Option("presentation", "use larger type and hide the right column", flag=True),
    Option("ledger", "ledger with the releases that the window shows (default: none)", metavar="FILE"),
)

HELP = VerbHelp(
    usage="PAGE --out FILE [options]",
    first=("out", "example", "data", "query", "tab", "lesson", "step", "view", "theme", "size"),
    example="screenshot median --example salaries --tab noise --out median.png",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="PAGE", help=f"one of {', '.join(page_titles())}")
    add_options(parser.add_argument_group("page: query, picture, lesson, dialog"), PAGE)
    add_options(parser.add_argument_group("window: file, theme, size, view"), WINDOW)
    parser.set_defaults(size=(1280, 800))
    add_data_options(parser, required=False)


def run(options: argparse.Namespace) -> int:
    if missing := not_installed("PySide6", "a page of the window"):
        raise SensiscopeError(missing)
    if options.page not in page_titles():
        raise UnknownName("page", options.page, page_titles())
    check_lesson_options(options)
    _check_beside(options)
    if options.page == LESSONS:
        arrange = partial(arrange_lesson, lesson=chosen_step(options))
        return _shoot(options, OutputFile(options.out, (".png",)), arrange, LESSONS)
    if options.page in (*FIRST, RELEASED.name):
        wrong = next((name for name in ("query", "tab", "k") if getattr(options, name) is not None), None)
        if wrong is not None:
            raise UsageError(f"--{wrong}: belongs to pages with pictures; '{options.page}' has none")
        return _shoot(options, OutputFile(options.out, (".png",)), arrange_table, options.page)
    if options.tab is not None and options.tab not in tabs_of(options.page):
        possible = ", ".join(tabs_of(options.page))
        raise UsageError(f"--tab: {options.page} has no picture '{options.tab}'; it has {possible}")
    if options.planted is not None and options.tab != AUDIT:
        raise UsageError(f"--planted: belongs to --tab {AUDIT}")
    if options.planted not in (None, *PLANTED):
        raise UnknownName("faulty variant", options.planted, PLANTED)
    page = _page_with_data(options)
    query = _query(options, page)
    target = OutputFile(options.out, (".png",))
    data = _data(options, query, page)
    return _shoot(options, target, partial(arrange_page, query=query, data=data), page)


def check_lesson_options(options: argparse.Namespace) -> None:
    """Refuse options of pages in a lesson, and those of lessons on a page."""
    wrong = ELSEWHERE if options.page == LESSONS else ("lesson", "step")
    given = next((name for name in wrong if getattr(options, name) is not None), None)
    if given is not None:
        owner = "pages; a lesson has its own data and pictures" if options.page == LESSONS else f"'{LESSONS}'"
        raise UsageError(f"--{given}: belongs to {owner}")


def chosen_step(options: argparse.Namespace) -> tuple[Lesson, int] | None:
    """Return the named lesson and its step, counted from 0; None for the list of lessons.

    `DataError` if the file of the lesson has a mistake.
    """
    if options.lesson is None:
        if options.step is not None:
            raise UsageError("--step: it needs --lesson, too")
        return None
    good, bad = lessons()
    known = {lesson.name: lesson for lesson in good}
    for error in bad:
        if str(error.source).startswith(f"{options.lesson}.toml"):
            raise error
    if options.lesson not in known:
        raise UnknownName("lesson", options.lesson, known)
    lesson, step = known[options.lesson], options.step or 1
    if not 1 <= step <= len(lesson.steps):
        raise UsageError(f"--step: {lesson.name} has steps 1 to {len(lesson.steps)}, not {step}")
    return lesson, step - 1


def _check_beside(options: argparse.Namespace) -> None:
    """Refuse an unknown second picture."""
    if options.beside is None:
        return
    pictures = paired_of(options.page)
    if options.beside not in ("none", *pictures):
        names = ", ".join(name.replace(" ", "-") for name in pictures)
        possible = f"it has {names}" if pictures else "it never has one"
        raise UsageError(
            f"--beside: {options.page} has no picture '{options.beside}' beside another one; {possible}"
        )


def _shoot(
    options: argparse.Namespace,
    target: OutputFile,
    arrange: Callable[[MainWindow, argparse.Namespace], None],
    page: str,
) -> int:
    """Show the window, arrange it, and save a picture of it."""
    ledger = None if options.ledger is None else Path(options.ledger)
    if ledger is not None and not ledger.is_file():
        raise UsageError(f"--ledger: there is no file '{ledger}'; name an existing ledger")
    with hidden_window(page, ledger) as window, collect_failures(window) as failures:
        window.controllers.appearance.set_theme(options.theme)
        window.setFixedSize(*options.size)
        window.show()
        wait(window)
        arrange(window, options)
        wait(window)
        least = window.minimumSizeHint()
        if least.width() > options.size[0] or least.height() > options.size[1]:
            remark("note", f"the page needs {least.width()}x{least.height()} pixels to show everything")
        seen = window if options.dialog is None else open_over(window, options.dialog)
        if failures:
            raise failures[0]
        with tempfile.TemporaryDirectory() as folder:
            shot = Path(folder) / "page.png"
            if not seen.grab().save(str(shot), "PNG"):
                raise SensiscopeError("the picture cannot be saved: there is no room for temporary files")
            target.write(shot.read_bytes())
    return 0


def _page_with_data(options: argparse.Namespace) -> str:
    """Return the page for the data: the named one, or the page of the compared query."""
    if options.page not in PICTURED:
        return str(options.page)
    pages = (page for page in PAGE_KINDS if options.query in (None, *queries_of(page)))
    return next(pages, next(iter(PAGE_KINDS)))


def _query(options: argparse.Namespace, page: str) -> DataReader:
    """Return the named query or mechanism; `UsageError` if another page has it."""
    kind = PAGE_KINDS[page]
    if options.k is not None and page != GRAPHS:
        raise UsageError(f"--k: the page {page} shows no graph; it belongs to spanning-tree")
    name = options.query or kind.query
    if name not in catalog.questions():
        raise UnknownName("query or mechanism", name, queries_of(page))
    query: DataReader = catalog.questions()[name]()
    if name not in queries_of(page):
        possible = ", ".join(queries_of(page))
        offer = f"this one has {possible}" if possible else f"the page {page} has no queries"
        raise UsageError(f"--query: {query.name} has another page; {offer}")
    return query


def _data(options: argparse.Namespace, query: DataReader, page: str) -> LocatedTable | None:
    """Return the named data; None for the data that the page begins with."""
    from engine.data import EXAMPLES

    if options.data is None and options.example is None:
        own = dict.fromkeys([*READING, *all_data_options()])
        alone = next((name for name in own if getattr(options, name) is not None), None)
        if alone is not None:
            raise UsageError(f"--{alone}: belongs to --data or --example, and neither is given")
        name, kind = PAGE_KINDS[page].example, KINDS[query.reads]
        fitting = kind.fitting()
        offer = "name --data" + (f", or --example {', '.join(fitting)}" if fitting else "")
        if not name:
            raise UsageError(f"--data: the page {page} has no example to begin with; {offer}")
        if not kind.fits(EXAMPLES[name]):
            raise UsageError(
                f"--query: {query.name} reads {kind.description}, and the page begins with {name}; {offer}"
            )
        return None
    with Bar() as bar:
        stored = stored_table(options, query, part(bar, 0.0, 0.5))
        if stored is None:
            located = locate(options, query, part(bar, 0.5, 1.0))
        else:
            located = locate_in(options, query, stored.as_table)
    remark("note", *located.notes, *(located.detected if options.view == CURATOR else ()))
    return located
