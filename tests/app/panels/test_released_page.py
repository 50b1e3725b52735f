"""The page of the releases: what it lists, promises and copies, and how the Release view opens it."""

import dataclasses
from datetime import datetime

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication, QTextDocument

from app.export.report.building import build_report
from app.model.budget import Budget
from app.model.dataset import Dataset
from app.model.release_record import ReleaseRecord, with_stored
from app.model.report_document import ReportOptions
from app.model.state import LessonPosition
from app.model.theme import DARK, LIGHT
from app.panels import released_page
from app.panels.released_page import NOTHING, SLIDE, TYPE, Handout, fill, fill_room, handout_of, slide
from app.releases.text import asked_words, value_words
from app.session import Session
from app.settings import Settings
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy
from engine.questions.declarations import Declarations

pytestmark = pytest.mark.usefixtures("undrawn")


def release(window, **changes):
    """Release with other settings."""
    window.session.edit("settings", **changes)
    window.controllers.run.start()
    assert window.wait_until_idle()
    return window.session.state.releases[-1]


def opened(window):
    """Switch to the Release view as the user does, and return its page."""
    window.actions_by_name["release"].trigger()
    assert window.wait_until_idle()
    return window.page


def test_the_release_view_opens_its_page_and_the_curator_view_leaves_it(window):
    page = opened(window)
    assert window.session.state.visible_view == "released"
    assert page.opening.isVisible()  # no table is open, so that there is nothing to ask about
    assert not page.empty.isVisible()
    assert not page.page.isVisible()
    assert not window.body.history.isVisible()
    assert not window.body.column.isVisible()
    assert page.opening.text.text() == NOTHING
    assert page.budget.isEnabled()  # these data can have a limit
    assert not page.copy_text.isEnabled()
    window.actions_by_name["curator"].trigger()
    assert window.wait_until_idle()
    assert window.session.state.visible_view == "median"
    opened(window)
    window.session.show_page("median")  # its public pictures stay within reach
    assert window.session.state.view == "release"
    window.actions_by_name["curator"].trigger()
    assert window.session.state.visible_view == "median"


def test_values_have_intervals_a_promise_and_a_budget(window):
    first, second = release(window, method="smooth"), release(window, method="laplace")
    text = opened(window).page.toPlainText()
    assert text.index("95 % interval 0 to 100") < text.index("No error bar")  # newest first
    assert text.count("Median of x") == 2
    assert "All releases together: if one row of the file is replaced, the odds" in text
    assert "× 7.39" in text  # twice ε = 1
    assert "Budget: spent ε = 2 · no limit." in text
    page = window.page
    page.copy_text.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split(":")[0] for line in lines[2:4]] == [asked_words(one) for one in (second, first)]
    assert "; ε = 1; " in lines[2]
    assert lines[-1] == "Budget: spent ε = 2 · no limit."
    assert page.table[1] == ["question", "value", "facts"]
    assert len(page.table[2]) == 2


def test_a_report_has_the_releases_of_the_ledger(window, window_of):
    record = release(window)
    later = Session(ledger=window.session.ledger)
    later.open_dataset(window.session.state.dataset, "open", column="x", lower=0.0, upper=100.0)
    another = window_of(later, patience=30_000)
    page = opened(another)
    assert another.session.state.releases == ()
    assert page.report.isEnabled()
    report = build_report(another.controllers.exports.reports.request(ReportOptions("Title")))
    data, _, listed = report.sections[:3]
    assert (data.title, listed.title) == ("The data", "1. Median of x")
    assert [name for name, _ in data.blocks[0].rows] == ["Dataset"]
    assert ("Released value", value_words(record)) in listed.blocks[0].rows


def test_a_slide_is_a_picture_and_text(window):
    release(window)
    opened(window).copy_slide.click()
    content = QGuiApplication.clipboard().mimeData()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == SLIDE
    assert image.pixelColor(0, 0).name().upper() == LIGHT.card
    assert "Median of x" in content.text()
    assert "Median of x" in content.html()


def test_a_long_list_fits_a_slide_with_the_newest(window):
    record = release(window)
    many = Handout("Released", (record,) * 40, "promise", "budget")
    assert "Not shown: 3 earlier releases." in many.first(37).text()
    for palette in (LIGHT, DARK):
        image = slide(many, palette, {})
        assert image.pixelColor(0, 0).name().upper() == palette.card
        edges = {image.pixelColor(x, y).name().upper() for x in range(0, 1920, 7) for y in (1050, 1079)}
        assert edges == {palette.card}  # nothing is cut


def test_all_groups_are_listed_but_on_a_crowded_slide():
    groups = [{"group": f"g{index}", "value": float(index), "interval": None} for index in range(120)]
    release = Release(
        mechanism="choice-in-parts",
        query="median",
        value={"groups": groups},
        privacy=Privacy(1.0, 0.0),
        noise={},
        parameters={},
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    made = ReleaseRecord(release, "", "pay.csv", "pay", "", "", datetime(2026, 1, 1), False, False)
    handout = Handout("Released", (made,))
    text = handout.html(LIGHT)
    assert all(f"g{index} {index}" in text for index in (0, 5, 99))
    assert "g100" not in text
    assert "g99 99 …" in text
    assert "g2 " not in dataclasses.replace(handout, brief=True).html(LIGHT)
    image = slide(handout, LIGHT, {})
    assert {image.pixelColor(x, 1079).name().upper() for x in range(0, 1920, 7)} == {LIGHT.card}


def test_releases_without_a_guarantee_promise_nothing(window):
    record = release(window)
    stored = Budget("x", records=(record,))
    handout = handout_of(window.session, stored)
    assert handout.records == tuple(with_stored([record], [record]))
    assert (handout.promise, handout.budget) == ("", "")
    flawed = dataclasses.replace(record, looked=True, treatment="Rows without a value were left out.")
    text = Handout("", (flawed,)).text()
    assert "bounds taken from the data" in text
    assert "Rows without a value were left out." in text


def test_several_numbers_have_a_picture_in_the_colours_of_the_theme(shared_points):
    window = shared_points
    window.controllers.run.start()
    assert window.wait_until_idle(30_000)
    page = opened(window)
    assert window.wait_until_idle(30_000)
    drawn = len(page._pictures)
    window.controllers.appearance.set_theme("dark")
    assert window.wait_until_idle(30_000)
    assert len(page._pictures) == drawn
    window.controllers.appearance.set_theme("light")
    window.actions_by_name["curator"].trigger()


def test_an_audience_sees_the_promise_and_all_answers_that_have_room(window):
    for _ in range(3):
        release(window)
    page = opened(window)
    before = page.page.toPlainText()
    window.controllers.appearance.set_presentation(True)
    assert window.wait_until_idle()
    assert page.headline.startswith("All releases together: ")
    assert window.body.sentence.text() == page.headline
    assert not page.copy_text.isVisible()
    assert not window.body.navigation.isVisible()
    text = page.page.toPlainText()
    assert text.count("Median of x") == 3
    assert page.headline not in text
    assert "ε = 1 ·" not in text
    assert page.page.document().size().height() <= page.page.viewport().height()
    window.controllers.appearance.set_presentation(False)
    assert window.wait_until_idle()
    assert page.page.toPlainText() == before
    assert not window.body.sentence.isVisible()


def test_nothing_is_cut_at_the_right_in_large_type(window):
    release(window)
    page = opened(window)
    for scale in (1.0, 2.0):
        window.controllers.appearance.set_size(scale)
        assert window.wait_until_idle()
        assert page.page.horizontalScrollBar().maximum() == 0
    window.controllers.appearance.set_size(1.0)


def test_releases_that_have_no_room_are_counted():
    answers = [{"group": f"g{index}", "value": float(index), "interval": [0.0, 20.0]} for index in range(9)]
    release = Release(
        mechanism="sums-in-parts",
        query="mean",
        value={"groups": answers},
        privacy=Privacy(1.0, 0.0),
        noise={},
        parameters={},
        error=None,
        simulated=False,
        exact=True,
        diagnostics=Private({}),
    )
    made = ReleaseRecord(release, "", "pay.csv", "pay", "", "", datetime(2026, 1, 1), False, False)
    document, shown = QTextDocument(), {}
    for count in (1, 2, 3, 9):
        handout = Handout("", (made,) * count, making=False)
        fill_room(document, handout, LIGHT, (1.0,), {}, (900, 500))
        assert document.size().height() <= 500
        shown[count] = document.toPlainText().count("Mean of pay")
        assert ("Not shown: " in document.toPlainText()) == (shown[count] < count)
    assert (shown[1], shown[2], shown[3]) == (1, 2, 3)
    assert 3 < shown[9] < 9


def test_an_audience_sees_why_a_promise_does_not_hold(window):
    record = release(window)
    for flawed, why in (
        (dataclasses.replace(record, looked=True), "bounds taken from the data"),
        (
            dataclasses.replace(record, release=dataclasses.replace(record.release, simulated=True)),
            "simulated",
        ),
    ):
        assert why in Handout("", (flawed,), making=False).html(LIGHT)
        assert Handout("", (flawed,)).html(LIGHT).count(why) == 1
    assert "taken" not in Handout("", (record,), making=False).html(LIGHT)


def test_very_many_releases_are_laid_out_only_where_they_may_fit(window, monkeypatch):
    record, laid_out = release(window), []
    monkeypatch.setattr(released_page, "fill", lambda *given: laid_out.append(fill(*given)))
    document = QTextDocument()
    fill_room(document, Handout("", (record,) * 300, making=False), LIGHT, (1.0,), {}, (900, 300))
    assert "Not shown: " in document.toPlainText()
    assert document.size().height() <= 300
    assert len(laid_out) <= 2 * 300 // TYPE
    fill_room(document, Handout("", (record,)), LIGHT, (1.0,), {}, (900, 1))
    assert "Median of x" in document.toPlainText()
    fill_room(document, Handout(""), LIGHT, (1.0,), {}, (900, 300))
    assert document.toPlainText() == ""


def test_only_the_open_data_are_listed(window, dataset):
    release(window)
    other = dataset("other.csv", y=[1.0, 2.0, 3.0])
    window.session.open_dataset(other, "open", column="y", lower=0.0, upper=5.0)
    assert opened(window).opening.isVisible()


def test_from_data_and_questions_it_lists_the_releases_of_the_table(qtbot):
    session = Session()
    session.open_table(Dataset.of_example("engel"), Declarations())
    session.show_page("spanning-tree")  # which has data of its own
    session.show_page("questions")
    session.choose_view("release")
    state = session.state
    assert (state.view, state.visible_view) == ("release", "released")
    assert state.visible_dataset is state.table
    session.choose_view("curator")
    assert session.state.visible_view == "questions"


def test_a_window_can_start_with_it(window_of, tmp_path):
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    Settings(store).change(view="release")
    window = window_of(Session(), patience=30_000, settings=store)
    assert window.session.state.visible_view == "released"
    assert window.session.state.visible_dataset is not None
    assert window.page.title.whole == "Released"  # nobody opened the example
    assert not window.page.budget.isEnabled()
    examples = window.page.opening.examples
    examples.fill()
    next(action for action in examples.actions() if action.data() == "salaries").trigger()
    assert window.wait_until_idle(30_000)
    assert window.page.title.whole == "Released from salaries.csv"
    assert window.page.ask.isVisible()
    assert window.page.budget.isEnabled()
    window.actions_by_name["curator"].trigger()
    assert window.wait_until_idle(30_000)
    assert window.session.state.visible_view == "median"


def test_a_lesson_has_no_such_page(window):
    lesson = LessonPosition("median", 0, 1)
    window.session.begin_lesson(lesson, "median", {})
    window.actions_by_name["release"].trigger()
    assert window.session.state.visible_view == "median"
    assert window.session.state.lesson is lesson
