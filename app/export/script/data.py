"""The data of a script: how they are read, or what is public about them."""

from __future__ import annotations

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import call, written
from app.export.script.subject import Subject
from app.model.kinds.scripts import looked_lines
from app.model.state import SessionState


def data(subject: Subject) -> ScriptCell:
    """Return the lines that make `data`, `bounds` and `n`: the latter two are public."""
    state, source = subject.state, subject.setup.source
    kind, choice = state.kind, state.read_data
    if not subject.curator:
        public = [
            f"bounds = {written(source.domain)}",
            *looked_lines(choice),
            f"n = {written(source.n)}",
            said(kind.counted, "n", private=False),
        ]
        return ScriptCell.of("What is public about the data", public)
    lines = [
        _table(state),
        *kind.script(choice, source, written),
        "n = data.n",
        said(kind.counted, "n", private=state.size_problem is not None),
        said("records that the bounds move", "data.outside") * kind.clamps,
    ]
    return ScriptCell.of(
        "The data", lines, "Bounds are public: they must be known without looking at the data."
    )


def _table(state: SessionState) -> str:
    dataset = state.dataset
    assert dataset is not None
    if dataset.example is not None:
        return f"table = {call('load_example', dataset.example)}"
    read = "stored_table" if dataset.stays_in_file else "read_table"
    return f"table = {call(read, str(dataset.path or dataset.title), **dataset.reading.keywords)}"
