"""All actions of the window, in one table.

Menus, shortcuts, the keyboard help and the tooltips are made from it.
"""

from __future__ import annotations

import dataclasses

from app.model.pages.registry import places

MENUS = ("&File", "&Edit", "&View", "P&ages", "Re&lease", "&Help")


@dataclasses.dataclass(frozen=True)
class ActionSpec:
    """One action of a menu.

    `app.window.action_handlers` has its handler, by its name. Actions of one `group` exclude each other, and
    call the handler of the group with their `data`. Of several `keys`, the first stands in the menu
    ("F11; F5"). The palette finds it by its `keywords`, too. A line is above it with `separator`.
    """

    name: str
    menu: str
    text: str
    keys: str = ""
    tip: str = ""
    group: str = ""
    data: str = ""
    keywords: str = ""
    checkable: bool = False
    separator: bool = False
    enabled: bool = True


_THEMES = {
    "light": "&Light",
    "dark": "&Dark",
    "contrast-light": "High co&ntrast, light",
    "contrast-dark": "High contrast, dar&k",
    "system": "&System default",
}
"""What the choice of colours offers."""

_ACTIONS = (
    ActionSpec(
        "open",
        "&File",
        "&Open…",
        "Ctrl+O",
        "Open a file: text, workbook, database, Parquet, SPSS, Stata, JSON, GraphML and others; or a session",
    ),
    ActionSpec(
        "paste",
        "&File",
        "Pas&te data…",
        "Ctrl+Shift+V",
        "Open what was copied from a spreadsheet or a page: it is saved in a file first",
        keywords="clipboard table",
    ),
    ActionSpec(
        "save_session",
        "&File",
        "&Save session",
        "Ctrl+S",
        "Save all choices and releases, and where the data are, but no data",
        separator=True,
    ),
    ActionSpec(
        "save_session_as", "&File", "Save session &as…", "Ctrl+Shift+S", "Save the session in another file"
    ),
    ActionSpec(
        "save_figure",
        "&File",
        "Save &figure…",
        "Ctrl+E",
        "Save the picture: its format, width, font and what stands around it",
        keywords="export image chart plot png svg pdf pgf tikz latex",
        separator=True,
    ),
    ActionSpec(
        "save_numbers",
        "&File",
        "Export &data…",
        "Ctrl+Shift+E",
        "Export the data behind the picture as CSV",
        keywords="csv table numbers spreadsheet",
    ),
    ActionSpec(
        "save_both",
        "&File",
        "Sa&ve figure and numbers…",
        tip="Save the picture, and the numbers behind it as CSV beside it",
        keywords="export csv",
    ),
    ActionSpec("copy_figure", "&File", "&Copy figure", "Ctrl+Shift+C", "Copy the picture to the clipboard"),
    ActionSpec(
        "show_numbers",
        "&File",
        "S&how data",
        "Ctrl+T",
        "Show the data behind the picture as a table",
        keywords="numbers values csv",
    ),
    ActionSpec(
        "report",
        "&File",
        "Re&port…",
        "Ctrl+P",
        "Write down what was released and how, as a page of HTML or as a PDF",
        keywords="export html pdf print",
        separator=True,
    ),
    ActionSpec(
        "copy_python",
        "&File",
        "Copy as P&ython",
        "Ctrl+Shift+P",
        "Copy a script that finds the numbers of this page again",
    ),
    ActionSpec(
        "save_python",
        "&File",
        "Save as Pytho&n script…",
        tip="Save a script that finds the numbers of this page again",
    ),
    ActionSpec(
        "save_notebook",
        "&File",
        "Save as note&book…",
        "Ctrl+Shift+N",
        "Save a notebook that finds the numbers of this page again",
    ),
    ActionSpec(
        "settings",
        "&File",
        "Sett&ings…",
        "Ctrl+,",
        "Colours, size of type, what to open on startup, limits",
        separator=True,
    ),
    ActionSpec("quit", "&File", "&Quit", "Ctrl+Q", separator=True),
    ActionSpec("undo", "&Edit", "&Undo", "Ctrl+Z"),
    ActionSpec("redo", "&Edit", "&Redo", "Ctrl+Shift+Z"),
    ActionSpec(
        "undo_history",
        "&Edit",
        "Undo &history…",
        "Ctrl+Shift+H",
        "Every step that can be undone, in words; a click goes back to it",
        keywords="list steps back",
    ),
    ActionSpec(
        "put_back",
        "&Edit",
        "Reset &manual changes",
        "Ctrl+0",
        "Undo every change made by hand in the data",
        separator=True,
    ),
    ActionSpec(
        "curator",
        "&View",
        "&Curator view",
        "Ctrl+Shift+U",
        "See everything, also what is confidential",
        group="view",
        data="curator",
    ),
    ActionSpec(
        "release",
        "&View",
        "&Release view",
        "Ctrl+Shift+R",
        "See only what can be shared",
        group="view",
        data="release",
    ),
    ActionSpec(
        "data_table",
        "&View",
        "Data &table",
        "Ctrl+D",
        "The records of the open file, to be sorted, filtered and looked at (confidential)",
        keywords="records rows columns sort filter statistics spreadsheet",
        separator=True,
    ),
    ActionSpec(
        "split",
        "&View",
        "T&wo pictures",
        "Ctrl+\\",
        "Show a second picture of the page beside the open one, linked to it; or one alone again",
        keywords="split second picture side by side beside compare",
    ),
    *(
        ActionSpec(name, "&View", text, keywords="theme", group="theme", data=name, separator=name == "light")
        for name, text in _THEMES.items()
    ),
    ActionSpec(
        "presentation",
        "&View",
        "&Presentation mode",
        "F11; F5",
        "The whole screen, larger font; menus, status line and right column folded away (Esc ends it)",
        keywords="zoom larger type full screen projector slide show",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "black_screen",
        "&View",
        "&Black screen",
        "B; .",
        "In presentation mode: nothing but black, until a key or the mouse is pressed",
        keywords="blank dark projector clicker pause",
        enabled=False,
    ),
    ActionSpec(
        "controls",
        "&View",
        "C&ontrols",
        "F9",
        "Show the controls at the right, or fold them away; in a narrow lesson, below its text",
        keywords="fold hide column panel sidebar",
        checkable=True,
    ),
    ActionSpec(
        "palette",
        "&View",
        "Find a co&mmand…",
        "Ctrl+K",
        "Everything that can be done here, found by a few letters",
        separator=True,
    ),
    ActionSpec("run", "Re&lease", "&Run", "Ctrl+R", "Make one release"),
    ActionSpec(
        "budget", "Re&lease", "&Budget…", "Ctrl+B", "What was ever spent on this dataset, and how much may be"
    ),
    ActionSpec(
        "suggest_bounds",
        "Re&lease",
        "&Suggest bounds…",
        tip="Where no bounds are known: choose them privately in a wide range, for a share of epsilon",
        keywords="quantile range clamp lower upper",
    ),
    ActionSpec(
        "public_data",
        "Re&lease",
        "Data are &public or synthetic…",
        tip="Say that these data may be seen by everyone: then nothing is stamped as confidential",
        keywords="publish open confidential stamp",
        checkable=True,
    ),
    ActionSpec("cancel", "Re&lease", "&Cancel", "Esc", "Stop what is running; close what is open"),
    ActionSpec("lessons", "&Help", "&Lessons", tip="Learn on the real pages, step by step"),
    ActionSpec(
        "scene",
        "&Help",
        "&Opening scene",
        tip="What the first start shows",
        keywords="animation gif welcome leap",
    ),
    ActionSpec(
        "help",
        "&Help",
        "&Help on what is chosen",
        "F1",
        "Formula, guarantee, errors in print and source of what is chosen now",
        separator=True,
    ),
    ActionSpec(
        "what_is_this",
        "&Help",
        "&What is this?",
        "Shift+F1",
        "Point at anything in the window and read what it is; twice: about what the keyboard is on",
    ),
    ActionSpec("keyboard", "&Help", "&Keyboard", "Ctrl+F1", "All keys, and what they do", separator=True),
    ActionSpec("about", "&Help", "&About Sensiscope", tip="What this program is, and its licence"),
)


def page_titles() -> dict[str, str]:
    """Return the titles of pages and workspaces by name, in the order of the menu."""
    return {page.name: page.title for page in places().values()}


def page_icons() -> dict[str, str]:
    """Return the names of their icons."""
    return {page.name: page.icon or page.name for page in places().values()}


def action_specs() -> tuple[ActionSpec, ...]:
    """Return everything that can be done, menu by menu."""
    pages = (
        ActionSpec(f"page_{name}", "P&ages", title, f"Ctrl+{i}", group="page", data=name)
        for i, (name, title) in enumerate(page_titles().items(), 1)
    )
    return tuple(sorted((*_ACTIONS, *pages), key=lambda spec: MENUS.index(spec.menu)))
