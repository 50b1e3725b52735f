"""Sessions without a window, the scripts that are written for them, and what these find."""

import contextlib
import dataclasses
import io
from pathlib import Path
from typing import Any

from app.export.script import script_of, to_python
from app.export.script.subject import ScriptCell
from app.model.kept_data import DatabaseCache, read_example, read_file
from app.model.page_spec import PageSpec
from app.model.pages.registry import PAGE_KINDS, PAGES
from app.model.selection import selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.pages.base.request import PictureRequest, PublishEstimate, publish_picture
from engine.data.reading_options import DETECTED
from engine.progress import silent


class Task:
    """Takes what a worker publishes."""

    cancelled = False

    def __init__(self) -> None:
        self.drawn: list[Any] = []

    def __call__(self, fraction: float, message: str = "") -> None:
        assert 0 <= fraction <= 1

    def publish(self, drawn: Any) -> None:
        self.drawn.append(drawn)

    def last(self, picture: str) -> Any:
        """Return what is in the picture in the end."""
        return [one.result for one in self.drawn if one.picture == picture][-1]


def example(page: str, name: str, **fields: Any) -> SessionState:
    """Return the state of a page on a bundled example."""
    opened = read_example(page, name, silent)
    state = SessionState().at(page)
    return state.replaced({"dataset": opened.dataset, **(opened.fields or {}), **fields})


def of_file(page: str, path: Path, columns: dict[str, Any], **fields: Any) -> SessionState:
    """Return the state of a page on a file, read with these choices."""
    dataset = read_file(page, path, DETECTED, silent).dataset
    state = SessionState().at(page)
    loaded = PAGE_KINDS[page].read(dataset, columns, silent)
    return state.replaced({"dataset": dataset, **loaded, **fields})


def choose(state: SessionState, **parameters: dict[str, Any]) -> SessionState:
    """Return the state with parameters: "kind__name" stands for "kind/name"."""
    chosen = {key.replace("__", "/").replace("_", "-"): value for key, value in parameters.items()}
    return state.replaced({"parameters": chosen})


def python(state: SessionState, look: ViewState | None = None) -> str:
    """Return the script of a page."""
    return to_python(script_of(state, look or ViewState()))


def found(text: str) -> dict[str, Any]:
    """Run a script in a namespace of its own; return what it leaves there, and all it "printed"."""
    names: dict[str, Any] = {"__name__": "script"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(text, "script.py", "exec"), names)
    return {**names, "printed": said.getvalue()}


def run(state: SessionState, look: ViewState | None = None) -> dict[str, Any]:
    """Write the script of a page and run it."""
    return found(python(state, look))


def compute(request: PictureRequest, page: PageSpec, task: Task) -> None:
    """Let a request be computed as the worker of a page does, with the expected error."""
    estimate = page.estimate and not request.public
    steps = (publish_picture, *((PublishEstimate(page.estimate),) if estimate else ()))
    dataclasses.replace(request, steps=steps).compute(DatabaseCache(), task)


def worked_out(state: SessionState, tab: str, *, public: bool = False, **options: Any) -> Task:
    """Return what a worker of the window publishes for a picture."""
    page, task = PAGES[state.page], Task()
    picture = page.picture(tab)
    arguments = picture.arguments_of(state, ViewState())
    compute(
        PictureRequest(selection(state), picture, options, public=public, arguments=arguments), page, task
    )
    return task


def notebook(state: SessionState, look: ViewState) -> dict[str, Any]:
    """Run all of a notebook; return what it leaves, with the "picture" that it draws."""
    cells = script_of(state, look)
    code = "\n".join(cell.code for cell in cells).replace("export_picture(", "picture = export_picture(")
    imported = tuple(reference for cell in cells for reference in cell.imports)
    return found(to_python([ScriptCell("Test"), ScriptCell("", code, imports=imported)]))
