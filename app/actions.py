"""All actions of the window, in one table.

Menus, shortcuts, the keyboard help and the tooltips are made from it.
"""

from __future__ import annotations

from app.model.action_spec import ActionSpec
from app.model.pages.registry import places
from app.model.view_actions import VIEW_ACTIONS

MENUS = ("&File", "&Edit", "&View", "P&ages", "Re&lease", "&Help")

_ACTIONS = (
    ActionSpec(
        "open",
        "&File",
        "&Open…",
        "open_file",
        "Ctrl+O",
        "Open a file: text, workbook, database, Parquet, SPSS, Stata, JSON, GraphML and others; or a session",
    ),
    ActionSpec(
        "paste",
        "&File",
        "Pas&te data…",
        "paste_data",
        "Ctrl+Shift+V",
        "Open what was copied from a spreadsheet or a page: it is saved in a file first",
        keywords="clipboard table",
    ),
    ActionSpec(
        "save_session",
        "&File",
        "&Save session",
        "save_session",
        "Ctrl+S",
        "Save all choices and releases, and where the data are, but no data",
        separator=True,
    ),
    ActionSpec(
        "save_session_as",
        "&File",
        "Save session &as…",
        "save_session_as",
        "Ctrl+Shift+S",
        "Save the session in another file",
    ),
    ActionSpec(
        "save_figure",
        "&File",
        "Save &figure…",
        "save_figure",
        "Ctrl+E",
        "Save the picture: its format, width, font and what stands around it",
        keywords="export image chart plot png svg pdf pgf tikz latex",
        separator=True,
    ),
    ActionSpec(
        "save_numbers",
        "&File",
        "Export &data…",
        "save_numbers",
        "Ctrl+Shift+E",
        "Export the data behind the picture as CSV",
        keywords="csv table numbers spreadsheet",
    ),
    ActionSpec(
        "save_both",
        "&File",
        "Sa&ve figure and numbers…",
        "save_both",
        tip="Save the picture, and the numbers behind it as CSV beside it",
        keywords="export csv",
    ),
    ActionSpec(
        "copy_figure",
        "&File",
        "&Copy figure",
        "copy_figure",
        "Ctrl+Shift+C",
        "Copy the picture to the clipboard",
    ),
    ActionSpec(
        "show_numbers",
        "&File",
        "S&how data",
        "show_numbers",
        "Ctrl+T",
        "Show the data behind the picture as a table",
        keywords="numbers values csv",
    ),
    ActionSpec(
        "report",
        "&File",
        "Re&port…",
        "save_report",
        "Ctrl+P",
        "Write down what was released and how, as a page of HTML or as a PDF",
        keywords="export html pdf print",
        separator=True,
    ),
    ActionSpec(
        "copy_python",
        "&File",
        "Copy as P&ython",
        "copy_python",
        "Ctrl+Shift+P",
        "Copy a script that finds the numbers of this page again",
    ),
    ActionSpec(
        "save_python",
        "&File",
        "Save as Pytho&n script…",
        "save_python",
        tip="Save a script that finds the numbers of this page again",
    ),
    ActionSpec(
        "save_notebook",
        "&File",
        "Save as note&book…",
        "save_notebook",
        "Ctrl+Shift+N",
        "Save a notebook that finds the numbers of this page again",
    ),
    ActionSpec(
        "settings",
        "&File",
        "Sett&ings…",
        "show_settings",
        "Ctrl+,",
        "Colours, size of type, what to open on startup, limits",
        separator=True,
    ),
    ActionSpec("quit", "&File", "&Quit", "close", "Ctrl+Q", separator=True),
    ActionSpec("undo", "&Edit", "&Undo", "undo", "Ctrl+Z"),
    ActionSpec("redo", "&Edit", "&Redo", "redo", "Ctrl+Shift+Z"),
    ActionSpec(
        "undo_history",
        "&Edit",
        "Undo &history…",
        "show_undo_history",
        "Ctrl+Shift+H",
        "Every step that can be undone, in words; a click goes back to it",
        keywords="list steps back",
    ),
    ActionSpec(
        "put_back",
        "&Edit",
        "Reset &manual changes",
        "put_back",
        "Ctrl+0",
        "Undo every change made by hand in the data",
        separator=True,
    ),
    *VIEW_ACTIONS,
    ActionSpec("run", "Re&lease", "&Run", "run", "Ctrl+R", "Make one release"),
    ActionSpec(
        "budget",
        "Re&lease",
        "&Budget…",
        "show_budget",
        "Ctrl+B",
        "What was ever spent on this dataset, and how much may be",
    ),
    ActionSpec(
        "suggest_bounds",
        "Re&lease",
        "&Suggest bounds…",
        "suggest_bounds",
        tip="Where no bounds are known: choose them privately in a wide range, for a share of epsilon",
        keywords="quantile range clamp lower upper",
    ),
    ActionSpec(
        "public_data",
        "Re&lease",
        "Data are &public or synthetic…",
        "call_public",
        tip="Say that these data may be seen by everyone: then nothing is stamped as confidential",
        keywords="publish open confidential stamp",
        checkable=True,
    ),
    ActionSpec("cancel", "Re&lease", "&Cancel", "cancel", "Esc", "Stop what is running; close what is open"),
    ActionSpec("lessons", "&Help", "&Lessons", "show_lessons", tip="Learn on the real pages, step by step"),
    ActionSpec(
        "handout",
        "&Help",
        "Lesson handou&t…",
        "save_handout",
        tip="Save the lesson for printing: texts, pictures, questions, and the answers at the end",
        keywords="print paper html pdf",
        enabled=False,
    ),
    ActionSpec(
        "scene",
        "&Help",
        "&Opening scene",
        "show_scene",
        tip="What the first start shows",
        keywords="animation gif welcome leap",
    ),
    ActionSpec(
        "help",
        "&Help",
        "&Help on what is chosen",
        "show_help",
        "F1",
        "Formula, guarantee, errors in print and source of what is chosen now",
        separator=True,
    ),
    ActionSpec(
        "what_is_this",
        "&Help",
        "&What is this?",
        "what_is_this",
        "Shift+F1",
        "Point at anything in the window and read what it is; twice: about what the keyboard is on",
    ),
    ActionSpec(
        "keyboard",
        "&Help",
        "&Keyboard",
        "show_keyboard",
        "Ctrl+F1",
        "All keys, and what they do",
        separator=True,
    ),
    ActionSpec(
        "about", "&Help", "&About Sensiscope", "show_about", tip="What this program is, and its licence"
    ),
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
        ActionSpec(f"page_{name}", "P&ages", title, "show_page", f"Ctrl+{i}", group="page", data=name)
        for i, (name, title) in enumerate(page_titles().items(), 1)
    )
    return tuple(sorted((*_ACTIONS, *pages), key=lambda spec: MENUS.index(spec.menu)))
