"""How what is asked goes through each door of the program, whatever it is: one function for each door."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from outside_cases import Case, file_in
from PySide6.QtWidgets import QTabBar, QWidget
from scripts import found
from seen import choose
from tiny_lesson import HEAD, STEP

from app.model.pages.audit import TAB as AUDIT
from app.model.pages.registry import tabs_of
from app.model.view_states import AuditChoice

PATIENCE = 60_000
"""Milliseconds; on a busy machine."""

RUNS = 1000
"""Of an audit: the fewest."""

ASKED = ("--epsilon", "1")
"""What commands are asked to promise."""


def idle(window: Any) -> None:
    """Wait until everything is done, and nothing has gone wrong."""
    assert window.wait_until_idle(PATIENCE)
    assert window.body.messages.texts() == []


def drive_form(window: Any, case: Case, folder: Path) -> None:
    """Go to the page, open the data, choose in the form, and open the picture."""
    window.actions_by_name[f"page_{case.page}"].trigger()
    idle(window)
    if case.example:
        window.controllers.data.open_example(case.example)
    else:
        drive_dialog(window, case, folder)
    idle(window)
    form = window.body.column.release.form
    for field, name in case.chosen.items():
        choose(form.chooser(field).box, name)
    for name, value in case.values.items():
        form.row(name).box.type_in(f"{value:g}")
    window.page.show_tab(case.tab or tabs_of(case.page)[0])
    idle(window)


def drive_dialog(window: Any, case: Case, folder: Path) -> None:
    """Open a file, and declare what its kind of data asks."""
    window.controllers.data.open_file(str(file_in(folder)))
    idle(window)
    for name, value in case.declared.items():
        box = window.body.column.data.form.box(name)
        if isinstance(value, str):
            choose(box, value)
        else:
            box.type_in(f"{value:g}")
        idle(window)


def drive_run(window: Any) -> tuple[Any, list[str]]:
    """Release once; return the record, and its line in the history."""
    window.controllers.run.start()
    idle(window)
    model = window.body.history.model
    line = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    return window.session.state.releases[-1], line


def drive_tabs(window: Any, tabs: Collection[str] | None = None) -> dict[str, bool]:
    """Open one picture after the other, all of a page or some; return which are shown."""
    shown, page = {}, window.page
    for tab in tabs_of(page.name) if tabs is None else tabs:
        if tab == AUDIT:
            continue
        page.show_tab(tab)
        idle(window)
        canvases = [one for one in page.canvases if one is not None and one.isVisible()]
        shown[tab] = bool(canvases) and all(one.has_result for one in canvases)
    return shown


def drive_release_view(window: Any) -> dict[str, bool]:
    """Look at what is public; return which pictures are shown."""
    page = window.page
    before = page.card.tab
    window.session.show_view("release")
    idle(window)
    shown = drive_tabs(window, page.card.shown)
    window.session.show_view("curator")
    page.show_tab(before)
    idle(window)
    return shown


def drive_audit(window: Any) -> Any:
    """Audit on the first pair; return what was found."""
    before = window.page.card.tab
    window.page.show_audit(AuditChoice(runs=RUNS))
    idle(window)
    window.page.show_tab(before)
    idle(window)
    return window.page.audit.result


def drive_comparison(window: Any) -> Any:
    """Compare with all that fits, at one value; return what was found."""
    page, session = window.session.state.page, window.session
    chosen = dataclasses.replace(session.state.comparison, steps=1, runs=20, mechanisms=None)
    session.edit("choose", comparison=chosen)
    window.actions_by_name["page_compare"].trigger()
    idle(window)
    window.controllers.run.start()
    idle(window)
    compared = window.page.seen.result.comparison
    session.show_page(page)
    idle(window)
    return compared


def drive_file(window: Any, folder: Path) -> None:
    """Save the session, do something else, and open the file."""
    path = folder / "work.sensiscope"
    window.controllers.session_files.write(path)
    idle(window)
    window.session.edit("change epsilon", epsilon=2.0)
    idle(window)
    window.controllers.session_files.write(folder / "other.sensiscope")
    idle(window)
    window.controllers.files.open_path(path)
    idle(window)


def drive_script(window: Any, folder: Path) -> dict[str, Any]:
    """Save a script, and run it; return what it leaves behind."""
    path = folder / "script.py"
    window.controllers.exports.scripts.write(path)
    idle(window)
    return {**found(path.read_text("utf-8")), "text": path.read_text("utf-8")}


def drive_notebook(window: Any, folder: Path) -> str:
    """Save a notebook; return its code."""
    import nbformat

    path = folder / "notebook.ipynb"
    window.controllers.exports.scripts.write(path)
    idle(window)
    notebook = nbformat.reads(path.read_text("utf-8"), as_version=4)
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


def drive_report(window: Any, folder: Path) -> str:
    """Save a report with the picture in sight; return its words."""
    from reported import text_of

    from app.model.report_document import ReportOptions

    reports, path = window.controllers.exports.reports, folder / "report.html"
    drawn = tuple(one.drawn for one in window.page.canvases if one is not None and one.isVisible())
    options = ReportOptions("A report", view="curator", pictures=tuple(range(len(drawn))))
    reports.write(reports.request(options, drawn), path)
    idle(window)
    return text_of(path.read_text("utf-8"))


def drive_help(window: Any) -> str:
    """Return all that is said of what is chosen, and of the pictures."""
    from app.help.index import chosen_pages

    pages = [title for _, title in chosen_pages(window.session.state)]
    actions = [action.text() + action.whatsThis() for action in window.actions_by_name.values()]
    seen = [one for one in window.findChildren(QWidget) if one.isVisible()]
    tabs = [bar.tabWhatsThis(at) for bar in seen if isinstance(bar, QTabBar) for at in range(bar.count())]
    return "\n".join([*pages, *actions, *tabs, *(widget.whatsThis() for widget in seen)])


def drive_lesson(window: Any, case: Case, folder: Path) -> Any:
    """Play a lesson that names it; return the state that its scene makes."""
    from app.lessons.reading import read_lesson

    lines = [f'{name} = "{one}"' for name, one in case.chosen.items()]
    tab = case.tab or tabs_of(case.page)[0]
    scene = [f'example = "{case.example}"', f'tab = "{tab}"', *lines]
    path = folder / "lesson.toml"
    step = STEP.format(title="One", page=case.page, scene="\n".join(scene))
    path.write_text(HEAD + step, "utf-8")
    player = window.controllers.lessons.player
    player.start(read_lesson(path))
    idle(window)
    state, shown = window.session.state, window.page.card.tab
    player.leave()
    idle(window)
    assert shown == tab
    return state


def drive_command(*words: str) -> Any:
    """Run a command; return what it wrote, read where it is JSON."""
    from app.commands.main import main

    said, mistakes = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(mistakes):
        status = main(list(words))
    assert status == 0, mistakes.getvalue()
    return json.loads(said.getvalue()) if "--json" in words else said.getvalue()
