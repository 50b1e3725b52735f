"""All actions of the window, in one table.

Menus, shortcuts, the keyboard help and the tooltips are made from it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from app.model.pages.registry import places
from app.model.wording.buttons import BUTTONS


@dataclasses.dataclass(frozen=True)
class ActionSpec:
    """One action of a menu.

    `app.window.action_handlers` maps names to handlers. Actions of one `group` exclude each other and call
    the handler of the group with their `data`. The menu shows the first of several `keys` ("F11; F5"). The
    command palette also searches the `keywords`. With `separator`, a line is drawn above the action.
    `action_specs` fills in the `menu`.
    """

    name: str
    text: str
    keys: str = ""
    tip: str = ""
    group: str = ""
    data: str = ""
    keywords: str = ""
    checkable: bool = False
    separator: bool = False
    enabled: bool = True
    menu: str = ""


_THEMES = {
    "light": "&Light",
    "dark": "&Dark",
    "contrast-light": "High co&ntrast, light",
    "contrast-dark": "High contrast, dar&k",
    "system": "&System default",
}
"""Colour themes to choose from."""

MENUS: Mapping[str, tuple[ActionSpec, ...]] = {
    "&File": (
        ActionSpec(
            "open",
            "&Open…",
            "Ctrl+O",
            "Open a file: text, workbook, database, Parquet, SPSS, Stata, JSON, GraphML and others; or a "
            "session",
        ),
        ActionSpec(
            "paste",
            "Pas&te data…",
            "Ctrl+Shift+V",
            "Open a table copied from a spreadsheet or a web page; it is saved to a file first",
            keywords="clipboard table",
        ),
        ActionSpec(
            "save_session",
            "&Save session",
            "Ctrl+S",
            "Save all choices and releases, and the location of the data, but not the data",
            separator=True,
        ),
        ActionSpec(
            "save_session_as", "Save session &as…", "Ctrl+Shift+S", "Save the session in another file"
        ),
        ActionSpec(
            "save_figure",
            "Save &figure…",
            "Ctrl+E",
            "Save the picture; choose format, width, font and captions",
            keywords="export image chart plot png svg pdf pgf tikz latex",
            separator=True,
        ),
        ActionSpec(
            "save_numbers",
            "Export &data…",
            "Ctrl+Shift+E",
            "Export the data behind the picture as CSV",
            keywords="csv table numbers spreadsheet",
        ),
        ActionSpec(
            "save_both",
            "Sa&ve figure and numbers…",
            tip="Save the picture, with its data as CSV beside it",
            keywords="export csv",
        ),
        ActionSpec("copy_figure", "&Copy figure", "Ctrl+Shift+C", "Copy the picture to the clipboard"),
        ActionSpec(
            "show_numbers",
            "S&how data",
            "Ctrl+T",
            "Show the data behind the picture as a table",
            keywords="numbers values csv",
        ),
        ActionSpec(
            "report",
            "Re&port…",
            "Ctrl+P",
            "Create a report of the releases (HTML or PDF)",
            keywords="export html pdf print",
            separator=True,
        ),
        ActionSpec(
            "copy_python",
            "Copy as P&ython",
            "Ctrl+Shift+P",
            "Copy a script that computes the numbers of this page",
        ),
        ActionSpec(
            "save_python",
            "Save as Pytho&n script…",
            tip="Save a script that computes the numbers of this page",
        ),
        ActionSpec(
            "save_notebook",
            "Save as note&book…",
            "Ctrl+Shift+N",
            "Save a notebook that computes the numbers of this page",
        ),
        ActionSpec(
            "settings",
            "Sett&ings…",
            "Ctrl+,",
            "Colors, font size, first page, limits",
            separator=True,
        ),
        ActionSpec("quit", "&Quit", "Ctrl+Q", separator=True),
    ),
    "&Edit": (
        ActionSpec("undo", "&Undo", "Ctrl+Z"),
        ActionSpec("redo", "&Redo", "Ctrl+Shift+Z"),
        ActionSpec(
            "undo_history",
            "Undo &history…",
            "Ctrl+Shift+H",
            "List every step that can be undone; click one to go back to it",
            keywords="list steps back",
        ),
        ActionSpec(
            "put_back",
            "Reset &manual changes",
            "Ctrl+0",
            "Undo every change made by hand in the data",
            separator=True,
        ),
    ),
    "&View": (
        ActionSpec(
            "curator",
            "&Curator view",
            "Ctrl+Shift+U",
            "Show everything, including confidential data",
            group="view",
            data="curator",
        ),
        ActionSpec(
            "release",
            "&Release view",
            "Ctrl+Shift+R",
            "Show only results that can be shared",
            group="view",
            data="release",
        ),
        ActionSpec(
            "data_table",
            "Data &table",
            "Ctrl+D",
            "Sort, filter and inspect the records of the open file (confidential)",
            keywords="records rows columns sort filter statistics spreadsheet",
            separator=True,
        ),
        ActionSpec(
            "split",
            "T&wo pictures",
            "Ctrl+\\",
            "Show a second picture of the page beside the first, linked to it",
            keywords="split second picture side by side beside compare",
        ),
        ActionSpec(
            "noise",
            "Possible &answers",
            "N",
            "Show possible answers in the picture of the data; pull the handle to change ε (Space: pause)",
            keywords="noise cloud simulate draws error epsilon",
        ),
        *(
            ActionSpec(name, text, keywords="theme", group="theme", data=name, separator=name == "light")
            for name, text in _THEMES.items()
        ),
        ActionSpec(
            "presentation",
            "&Presentation mode",
            "F11; F5",
            "Full screen with a larger font; menus, status bar and controls are hidden (Esc ends it)",
            keywords="zoom larger type full screen projector slide show",
            checkable=True,
            separator=True,
        ),
        ActionSpec(
            "black_screen",
            "&Black screen",
            "B; .",
            "Presentation mode: a black screen until you press a key or the mouse button",
            keywords="blank dark projector clicker pause",
            enabled=False,
        ),
        ActionSpec(
            "controls",
            "C&ontrols",
            "F9",
            "Show or hide the controls at the right (in a narrow lesson, below its text)",
            keywords="fold hide column panel sidebar",
            checkable=True,
        ),
        ActionSpec(
            "palette",
            "Find a co&mmand…",
            "Ctrl+K",
            "Search all commands by a few letters",
            separator=True,
        ),
    ),
    "P&ages": (),  # `action_specs` adds one for each
    "Re&lease": (
        ActionSpec("run", BUTTONS["run"], "Ctrl+R", "Make one release"),
        ActionSpec(
            "ask_this",
            "&Ask this on Questions",
            "Ctrl+Shift+A",
            "Add the question of this page to the sheet of questions",
            keywords="sheet report",
        ),
        ActionSpec("budget", "&Budget…", "Ctrl+B", "Budget used on this dataset, and its limit"),
        ActionSpec(
            "suggest_bounds",
            "&Suggest bounds…",
            tip="If no bounds are known: choose them privately within a wide range, for a share of epsilon",
            keywords="quantile range clamp lower upper",
        ),
        ActionSpec(
            "public_data",
            "Data are &public or synthetic…",
            tip="State that everyone may see these data: results are then not marked as confidential",
            keywords="publish open confidential stamp",
            checkable=True,
        ),
        ActionSpec("cancel", "&Cancel", "Esc", "Stop the running work; close the open panel"),
    ),
    "&Help": (
        ActionSpec("lessons", "&Lessons", tip="Learn on the real pages, step by step"),
        ActionSpec(
            "scene",
            "&Guess who",
            tip="Play the game of the first start",
            keywords="animation gif welcome opening scene game bet",
        ),
        ActionSpec(
            "help",
            "&Help on what is chosen",
            "F1",
            "Formula, guarantee, errors in print and source of the selected item",
            separator=True,
        ),
        ActionSpec(
            "what_is_this",
            "&What is this?",
            "Shift+F1",
            "Click anything in the window to read about it; press twice for the item with the keyboard focus",
        ),
        ActionSpec("keyboard", "&Keyboard", "Ctrl+F1", "List all keyboard shortcuts", separator=True),
        ActionSpec("about", "&About Sensiscope", tip="Version and license of this program"),
    ),
}
"""The menus in their order, with their actions."""


def page_titles() -> dict[str, str]:
    """Return the titles of pages and workspaces by name, in menu order."""
    return {page.name: page.title for page in places().values()}


def page_icons() -> dict[str, str]:
    """Return the icon names of pages and workspaces."""
    return {page.name: page.icon or page.name for page in places().values()}


def action_specs() -> tuple[ActionSpec, ...]:
    """Return all actions, menu by menu."""
    pages = tuple(
        ActionSpec(f"page_{name}", title, f"Ctrl+{i}" if i < 10 else "", group="page", data=name)
        for i, (name, title) in enumerate(page_titles().items(), 1)
    )
    menus = {**MENUS, "P&ages": pages}
    return tuple(dataclasses.replace(spec, menu=menu) for menu, specs in menus.items() for spec in specs)
