"""A kind of data from outside, registered with one call: read, asked, saved and written about."""

import dataclasses
from typing import Any, ClassVar

import pytest
from PySide6.QtWidgets import QWidget

from app.commands.main import main
from app.documents.last_session import last_session, pages_of
from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.saving import save
from app.documents.session_snapshot import SessionSnapshot
from app.export.report.data_section import data_section
from app.export.script.data import data as data_cell
from app.export.script.names import imports
from app.export.script.subject import Subject
from app.model.kinds.base import FOUND
from app.model.kinds.column import BOUNDS_HELP, ColumnBuilder
from app.model.kinds.fields import MISSING, SOURCE, BoundsField, ColumnField
from app.model.kinds.interval import IntervalChoice, refused
from app.model.kinds.kind import DataKind
from app.model.kinds.options import LOWER, UPPER, DataOption, bounds_of
from app.model.kinds.page_data import PageData
from app.model.kinds.registry import KINDS, register
from app.model.loading import read_file
from app.model.pages import registry as pages
from app.model.pages.sensitivity import MEDIAN
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.panels.data_panel import DataPanel
from app.panels.import_dialog import ImportDialog
from app.session import Session
from app.theme import LIGHT
from engine.components import register as register_query
from engine.domain import Interval
from engine.errors import ParameterError
from engine.ledger import Ledger
from engine.mechanisms.problem import Problem
from engine.progress import silent
from engine.queries import QUERIES, Median

TABLE = "start,end\n" + "".join(f"{i % 5},{i % 5 + 1 + i % 7}\n" for i in range(60))
DECLARED = {"begin": "start", "finish": "end", "missing": "refuse", "lower": 0.0, "upper": 10.0}


@dataclasses.dataclass(frozen=True)
class MedianDuration(Median):
    """How long most things take."""

    name: ClassVar[str] = "median-duration"
    reads: ClassVar[str] = "durations"


@dataclasses.dataclass(frozen=True, eq=False)
class DurationChoice(IntervalChoice):
    """Two columns, the difference of which is a duration."""

    begin: str = ""
    finish: str = ""
    durations: Any = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self):
        return None if self.durations is None else len(self.durations)


class DurationKind(DataKind[DurationChoice]):
    """Durations between two columns of times."""

    name = "durations"
    words = "durations between two columns"
    holds = "holds durations"
    examples = ("durations",)
    choice = DurationChoice
    unnamed = ("begin", "is empty; it must name a column")
    options = (
        DataOption("begin", "column of the begin"),
        DataOption("finish", "column of the end"),
        LOWER,
        UPPER,
    )
    fields = (
        ColumnField("F&rom – to", boxes={"begin": "Begin", "finish": "End"}, problems=("begin", "finish")),
        MISSING,
        BoundsField("&Bounds", BOUNDS_HELP),
        SOURCE,
    )

    def from_example(self, card):
        return {}

    def with_columns(self, declared, columns, card):
        return declared

    def columns_of(self, choice):
        return tuple(name for name in (choice.begin, choice.finish) if name)

    def is_read(self, choice):
        return choice.durations is not None

    def read(self, dataset, fields, progress):
        begin, finish = (dataset.table.numbers(fields[name]).values for name in ("begin", "finish"))
        return {**fields, "durations": finish - begin}

    def builder(self, choice, dataset):
        if choice.durations is None:
            raise ParameterError("begin", "choose two columns")
        return ColumnBuilder(choice.durations, choice.modified_values, choice.domain())

    def undecided(self, choice):
        if len(self.columns_of(choice)) < 2:
            return Problem("begin", "choose two columns")
        return (
            refused(Interval, choice.lower, choice.upper)
            if choice.upper is not None
            else Problem("upper", "?")
        )

    def report(self, choice, dataset):
        return choice.report_bounds("")

    def script(self, choice, source, write):
        begin, finish = (f"table.numbers({write(name)}).values" for name in (choice.begin, choice.finish))
        return [
            f"values = {finish} - {begin}",
            f"bounds = {write(source.domain)}",
            "data = Sample(values, bounds)",
        ]

    def locate(self, options, card, read_table):
        domain = bounds_of(options, {})
        return read_table(), {"begin": options.begin, "finish": options.finish, **domain.facts}


DURATIONS = DurationKind()


@pytest.fixture(autouse=True)
def registered():
    """Register the kind, a query of it and a page that shows it, for the time of a test."""
    register(DURATIONS)
    register_query(MedianDuration)
    data = PageData({DURATIONS: "median-duration"}, "")
    pages.register(dataclasses.replace(MEDIAN, name="durations", title="Durations", data=data))
    yield
    for registry, name in (
        (KINDS, "durations"),
        (QUERIES, "median-duration"),
        (pages.PAGES, "durations"),
        (pages.PAGE_KINDS, "durations"),
    ):
        registry.pop(name, None)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "times.csv"
    file.write_text(TABLE, "utf-8")
    return file


@pytest.fixture
def session(path):
    """Return a session on durations."""
    dataset = read_file("durations", path, silent).dataset
    made = Session()
    made.show_page("durations")
    page = pages.PAGE_KINDS["durations"]
    read = page.read(dataset, DECLARED, silent)
    made.open_dataset(dataset, "open", **page.after_read(made.state, dataset, read))
    return made


def test_the_command_line_reads_it_and_refuses_options_of_others(path, capsys):
    words = ["run", "median-duration", "--data", str(path), "--begin", "start", "--finish", "end"]
    bounds = ["--lower", "0", "--upper", "10", "--epsilon", "10"]
    assert main([*words, *bounds]) == 0
    assert "start, end (times.csv)" in capsys.readouterr().out
    assert main([*words, *bounds, "--vertices", "3"]) == 2
    assert "reads durations between two columns" in capsys.readouterr().err


def test_side_panel_and_dialog_ask_what_it_declares(session, qtbot):
    panel = DataPanel(session, "durations", DURATIONS)
    qtbot.addWidget(panel)
    assert panel.form.box("finish").currentData() == "end"
    assert panel.facts.text() == "n = 60"
    panel.form.box("upper").type_in("8")
    assert session.state.data.upper == 8.0
    assert session.undo_stack.undoText() == "change the upper bound"

    dataset, page = session.state.dataset, pages.PAGE_KINDS["durations"]
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ImportDialog(dataset, page, "durations", {}, LIGHT, parent)
    decided: list[Any] = []
    dialog.chosen.connect(lambda _, fields: decided.append(fields))
    dialog.decide()
    assert dialog.form.row("begin").problem == "Choose two columns"
    for name, column in (("begin", "start"), ("finish", "end")):
        box = dialog.form.box(name)
        box.setCurrentIndex(box.findData(column))
    dialog.form.box("lower").type_in("0")
    dialog.form.box("upper").type_in("10")
    dialog.form.box("known").click()
    dialog.decide()
    assert decided == [{**DECLARED, "bounds_source": "known", "resolution": None}]


def test_session_files_and_the_last_session_keep_it(session, tmp_path):
    ledger = Ledger(None)
    path = save(SessionSnapshot(session.state, {}), tmp_path / "work.sensiscope", ledger)
    kept = read_session(path, ledger)
    again = load_session(kept, {"durations": session.state.dataset.path}, ledger).work.state
    assert (again.page, again.data.finish, again.builder().n) == ("durations", "end", 60)
    assert pages_of(last_session(session.state, ""))["durations"].fields["begin"] == "start"


def test_script_and_report_say_it(session):
    state: SessionState = session.state
    code = data_cell(Subject.of(state, ViewState())).code
    names: dict[str, Any] = {}
    exec(f"{imports(code)}\n{code}", names)
    assert names["data"].values.tolist() == state.builder().build().values.tolist()
    rows = dict(data_section(state).blocks[0].rows)
    assert rows["Read from"] == "columns start, end"
    assert rows["Declared bounds"] == "0 to 10"
