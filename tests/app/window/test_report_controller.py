"""Reports in the window: asked for, written by a worker, cancelled, refused."""

from __future__ import annotations

import threading

import pytest
import reported
import tables
from lateness import Turns
from PySide6.QtWidgets import QFileDialog

from app.plots.figures import CONFIDENTIAL
from app.window import report_controller as reporting
from app.window.report_controller import CANCELLED, write_report
from engine.errors import SensiscopeError
from engine.progress import Cancelled

pytestmark = pytest.mark.usefixtures("undrawn")


def open_dialog(window):
    """Ask for a report as a user does."""
    window.actions_by_name["report"].trigger()
    dialog = window.controllers.exports.reports.dialog
    assert dialog is not None
    return dialog


def save_as(window, path):
    """Choose a file in the dialog that is open."""
    (files,) = window.findChildren(QFileDialog)
    suggested = [name.rsplit("/", 1)[-1] for name in files.selectedFiles()]
    files.fileSelected.emit(str(path))
    files.close()
    assert window.wait_until_idle(30_000)
    return suggested


def test_the_release_view_is_what_one_gets_without_a_choice(shared, tmp_path):
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    dialog = open_dialog(shared)
    assert dialog.view == "release"
    assert [box.text() for box, private in dialog.pictures if private and box.isEnabled()] == []
    dialog.title.setText("What came out")
    dialog.save_button.click()
    assert save_as(shared, tmp_path / "out.html") == ["median-report.html"]
    assert "Saved" in shared.controllers.status.text()
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<h1>What came out</h1>" in page
    assert "31.25" not in reported.readable(page)
    assert page.count("<figure") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["out.html"]


@pytest.mark.parametrize("view", ["data", "released"])
def test_of_a_table_beside_the_data_of_the_page_there_is_only_what_can_be_shared(shared, tmp_path, view):
    """All that is private is about the data of the page."""
    file = tmp_path / "staff.csv"
    file.write_text("age\n31\n45\n62\n", "utf-8")
    tables.open_table(shared, file)
    shared.session.show_page(view)
    assert shared.wait_until_idle()
    assert shared.session.state.view == "curator"
    open_dialog(shared)
    save_as(shared, tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<h1>Releases about staff.csv</h1>" in page
    assert CONFIDENTIAL not in page
    assert shared.session.state.dataset.title not in page


def test_the_curator_view_is_chosen_by_name_and_holds_the_pictures_in_sight(shared, tmp_path):
    dialog = open_dialog(shared)
    dialog.views["curator"].setChecked(True)
    assert len([box for box, _ in dialog.pictures if box.isEnabled()]) == 2
    dialog.save_button.click()
    assert save_as(shared, tmp_path / "out.html") == ["median-report-confidential.html"]
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "31.25" in page
    assert page.count("<figure") == page.count("<details>") == 2
    assert "Confidential" in page


def test_in_the_release_view_of_the_window_no_curator_report_is_offered(shared):
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    dialog = open_dialog(shared)
    assert not dialog.views["curator"].isEnabled()
    assert "Ctrl+Shift+U" in dialog.views["curator"].toolTip()
    assert [(box.isEnabled(), private) for box, private in dialog.pictures] == [(True, False)]
    public = shared.controllers.exports.reports.request(
        dialog.options, shared.controllers.exports.reports._request.drawn
    )
    report, page, _ = reported.both_of(public)
    assert "Pictures" in [section.title for section in report.sections]
    assert "Densities of all noise families" in page
    assert "Confidential" not in page
    shared.session.show_view("curator")
    assert shared.controllers.exports.reports.dialog is None


def test_a_private_picture_is_in_no_release_report_whoever_asks(shared):
    drawn = tuple(canvas.drawn for canvas in shared.page.canvases if canvas is not None)
    assert all(one.private for one in drawn)
    report, _, _ = reported.both_of(reported.request_of(shared.session, drawn))
    assert not any(section.title in {one.title for one in drawn} for section in report.sections)


@pytest.mark.slow
def test_the_window_stays_prompt_while_a_pdf_is_written(shared, tmp_path):
    dialog = open_dialog(shared)
    dialog.views["curator"].setChecked(True)
    asked = shared.controllers.exports.reports.request(
        dialog.options, shared.controllers.exports.reports._request.drawn
    )
    dialog.close()
    shared.controllers.exports.reports.write(asked, tmp_path / "first.pdf")
    assert shared.wait_until_idle(30_000)
    turns = Turns()
    shared.controllers.exports.reports.write(asked, tmp_path / "out.pdf")
    turns.until(lambda: not shared.controllers.exports.reports.channel.busy)
    assert max(turns.busy) < 50, str(turns)
    assert len(reported.pdf_pages((tmp_path / "out.pdf").read_bytes())) >= 2


def test_escape_cancels_and_leaves_the_old_file(shared, tmp_path, monkeypatch):
    target = tmp_path / "out.html"
    target.write_text("old")
    begun = threading.Event()

    def endless(asked, path, task):
        begun.set()
        while True:
            task(0.5, "drawing")

    monkeypatch.setattr(reporting, "write_report", endless)
    shared.controllers.exports.reports.write(
        shared.controllers.exports.reports.request(reported.request_of(shared.session).options), target
    )
    assert begun.wait(60)
    shared.handlers.cancel()
    assert shared.wait_until_idle()
    assert shared.controllers.status.text() == CANCELLED
    assert target.read_text() == "old"


def test_what_is_cancelled_last_is_not_written(qapp, tmp_path):
    class Late:
        def __call__(self, fraction, message=""):
            if fraction == 1.0:
                raise Cancelled

    with pytest.raises(Cancelled):
        write_report(reported.request_of(reported.on_column()), tmp_path / "out.html", Late())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [("out.doc", "must end in .html or .pdf"), ("no/out.pdf", "there is no folder"), ("", "must end in")],
)
def test_a_file_that_cannot_be_written_is_one_line(qapp, tmp_path, name, words):
    with pytest.raises(SensiscopeError, match=words) as error:
        write_report(reported.request_of(reported.on_column()), tmp_path / name, reported.Quiet())
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_file_is_a_message(shared, tmp_path):
    shared.controllers.exports.reports.write(
        shared.controllers.exports.reports.request(reported.request_of(shared.session).options),
        tmp_path / "x.doc",
    )
    assert shared.wait_until_idle()
    assert "must end in .html or .pdf" in shared.body.messages.texts()[0]
