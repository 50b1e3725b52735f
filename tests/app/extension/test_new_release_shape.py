"""A shape of released value from outside: told, tabled and drawn everywhere after one call."""

import dataclasses
import json
from typing import ClassVar

import pytest
import reported
from PySide6.QtGui import QGuiApplication
from reported import both_of, lettered, pdf_pages, release, text_of
from sessions import desk

from app.commands.main import main
from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.saving import save
from app.documents.session_snapshot import SessionSnapshot
from app.export.script.released import cells
from app.export.script.subject import Subject
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.panels.history_panel import HistoryPanel
from app.releases.geometry import recorded_coordinates
from app.releases.labels import title_words
from app.releases.registry import SHAPES
from app.releases.registry import register as register_shape
from app.releases.shape import Shape
from engine.components import register
from engine.mechanisms import MECHANISMS
from engine.mechanisms.noisy_average import NoisyAverage


@dataclasses.dataclass(frozen=True)
class MeanWithin(NoisyAverage):
    """The mean, and how far from it the true one lies with probability 95 %."""

    name: ClassVar[str] = "mean-within"
    label: ClassVar[str] = "Mean within"
    summary: ClassVar[str] = "the mean, and how far off it may be"
    shape: ClassVar[str] = "region"

    def released(self, value, domain):
        """Return the point, and half the width of its region in each coordinate."""
        return {"middle": value.tolist(), "within": (domain.width / 100).tolist()}


class RegionShape(Shape):
    """A point with a margin in each coordinate."""

    name = "region"

    def words(self, record):
        return "around " + ", ".join(f"{one:.3g}" for one in record.release.value["middle"])

    def table(self, record, most=None):
        value = record.release.value
        return ["", *record.coordinates], [["middle", *value["middle"]], ["within", *value["within"]]]

    def panel(self, record, progress=None):
        from app.releases.points_figure import cloud, cloud_panel

        coordinates, release = recorded_coordinates(record), record.release
        view = cloud(coordinates, release.value["middle"], "region", release.simulated)
        return cloud_panel(title_words(record), view)


@pytest.fixture
def known():
    """Register the mechanism and the shape, for one test."""
    register(MeanWithin)
    register_shape(RegionShape())
    yield
    del MECHANISMS[MeanWithin.name], SHAPES[RegionShape.name]


@pytest.fixture
def session(qapp, known):
    """Return a session with a release of the new shape on points in the plane."""
    session = reported.on_points(query=MeanWithin.name)
    release(session)
    return session


def test_the_history_tells_it_and_gives_it_away(session, qtbot):
    panel = HistoryPanel(session)
    qtbot.addWidget(panel)
    middle = session.state.releases[0].release.value["middle"]
    row = [panel.model.index(0, column).data() for column in range(7)]
    assert row[1].startswith("Mean within of ")
    assert row[2] == f"around {middle[0]:.3g}, {middle[1]:.3g}"
    with qtbot.waitSignal(panel.save_requested) as asked:
        panel.save_numbers.trigger()
    assert asked.args == [["", "x", "y"], [["middle", *middle], ["within", 0.01, 0.01]]]
    panel.copy_numbers.trigger()
    assert QGuiApplication.clipboard().text().startswith(",x,y\nmiddle,")


def test_the_command_line_says_it_in_words_and_in_json(qapp, known, capsys, tmp_path):
    words = ["run", MeanWithin.name, "--example", "airports", "--epsilon", "1", "--seed", "3"]
    picture = tmp_path / "region.png"
    assert main([*words, "--show-private"]) == 0
    said = capsys.readouterr().out
    assert "simulated mean-within" in said
    assert "around " in said
    assert "middle" in said
    assert "public bounds" in said
    assert "true_value" in said
    assert main([*words, "--json", "--plot", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["value"]) == {"middle", "within"}
    assert found["parameters"]["columns"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_report_tables_and_draws_it(session):
    report, page, file = both_of(reported.request_of(session))
    assert "Released value around " in text_of(page)
    for said in (text_of(page), " ".join(pdf_pages(file))):
        assert "What was released" in said
        assert "middle" in said
    assert "Mean within: released" in lettered(report)


def test_a_session_file_and_a_script_keep_it(session, tmp_path):
    state = SessionState(page="clustering", **desk("clustering"), releases=session.state.releases)
    path = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", session.ledger)
    [kept] = load_session(read_session(path, session.ledger), {}, session.ledger).work.state.releases
    [made] = session.state.releases
    assert (kept.release.value, kept.release.query) == (made.release.value, MeanWithin.name)
    assert SHAPES["region"].words(kept) == SHAPES["region"].words(made)
    [cell] = cells(Subject(state, ViewState(), None))
    assert repr(made.release.value["middle"][0]) in cell.code
