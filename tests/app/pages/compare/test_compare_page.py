"""The view "Compare": who enters, what is chosen, and what is found."""

import csv
import dataclasses
import time

import numpy as np
import pytest
from compare_windows import FEW, LABELS, compared, labels
from PySide6.QtCore import Qt
from seen import choose, words

from app.export.report.building import build_report
from app.model.report_document import ReportOptions
from app.model.wording.numbers import number
from app.pages.compare import results as compare_seen
from app.plots.compare.contender_rows import duration, time_unit
from app.plots.compare.view import CONFIDENTIAL, saved_table
from engine.extras.libraries.library import INSTALL, Library
from engine.mechanisms import ExponentialRelease, LaplaceRelease

pytestmark = pytest.mark.usefixtures("roughly_drawn")

NOT_POSSIBLE = "Not possible: “Global sensitivity, Gaussian”, “Propose, test, release” (need δ > 0)."
WRONG = [
    ("epsilon", "runs", "0", "enter a whole number from 1"),
    ("epsilon", "steps", "2.5", "enter a whole number from 1"),
    ("epsilon", "steps", "2000000", "at most 1\u202f000\u202f000"),
    ("epsilon", "start", "-1", "epsilon = -1 is not possible"),
    ("epsilon", "start", "50", "smaller value first"),
    ("n", "stop", "200000", "records cannot be drawn from 101"),
]


def test_who_enters_brings_the_data_and_all_that_answer_the_question(room):
    assert room.body.stack.currentWidget() is room.body.pages["compare"]
    assert labels(room) == LABELS
    assert room.body.column.data.isVisible()
    panel = room.body.pages["compare"].contenders
    assert panel.needy.text().startswith("Need δ > 0: Global sensitivity, Gaussian; ")
    panel.delta_button.click()
    assert room.session.state.delta == 1e-6
    assert panel.needy.text() == ""
    assert not panel.delta_button.isVisible()
    room.session.undo_stack.undo()
    assert panel.delta_button.isVisible()
    assert not room.body.column.release.run.isEnabled()  # its mechanism is already compared
    assert room.actions_by_name["run"].text() == "Co&mpare"
    room.session.show_page("median")
    assert room.body.column.release.run.text().startswith("&Run")
    assert room.actions_by_name["run"].text() == "&Run"


def test_a_comparison_fills_every_tab_and_says_who_wins(room):
    found = compared(room)
    assert found.complete
    assert (found.runs, len(found.sweep.values), len(found.outcomes)) == (200, 3, 21)
    page = room.page
    # what was compared leaves the room to what was found
    assert not page.contenders.chips[0].isVisible()
    assert page.contenders.title == "5 of 7 mechanisms"
    page.contenders.fold_button.click()
    assert page.contenders.chips[0].isVisible()
    for tab in ("errors", "frontier", "time", "table"):
        page.show_tab(tab)
        assert room.wait_until_idle()
        assert page.card.badge.isVisible()
        if tab != "table":
            assert page.canvas.private
            assert page.canvas.picture.alt_text()
    assert page.card.advice.text().startswith("At ε = 1 (shaded): ")
    assert page.card.advice.text().endswith("(need δ > 0).")  # no row says so
    table = page.card.table.model
    assert table.rowCount() == 15
    names = [table.index(row, 0).data() for row in range(15)]
    assert all(names)
    assert all(table.index(row, 1).data() for row in range(15))
    marks = [table.index(row, 0).data(Qt.ItemDataRole.DecorationRole) for row in (0, 1, 3)]
    assert marks[0].toImage() != marks[2].toImage()
    grounds = [table.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) for row in (0, 4, 5, 9, 10)]
    assert [ground is not None for ground in grounds] == [False, False, True, True, False]
    assert not room.body.messages.texts()
    for view, count in (("curator", 1), ("release", 0)):
        report = build_report(
            room.controllers.exports.reports.request(ReportOptions("What was compared", view=view))
        )
        sections = [section for section in report.sections if section.title == "Compared"]
        assert len(sections) == count
        for section in sections:
            numbers = section.blocks[1]
            assert section.private
            assert numbers.private
            assert len(numbers.rows) == 21
            assert numbers.rows[0][numbers.header.index("Median error")] == found.outcomes[0].quantile(0.5)
    assert room.session.undo_stack.count() == 0
    assert not room.session.state.releases


def test_numbers_are_written_as_in_pictures_with_the_unit_above(room):
    compared(room)
    room.page.show_tab("table")
    assert room.wait_until_idle()
    table = room.page.card.table
    model, unit = table.model, "$"
    model.unit = unit
    table.show_comparison(room.page.compared)
    times = time_unit(room.page.compared)
    heads = [model.headerData(column, Qt.Orientation.Horizontal, 0) for column in range(2, 8)]
    assert heads == [
        *(f"{name} ({unit})" for name in ("Median\nerror", "Mean\nerror", "95 %\nwithin")),
        *("Runs", "Refused", f"Median\ntime ({times[1]})"),
    ]
    for row in range(15):
        values = [model.cell(row, column) for column in (2, 3, 4)]
        texts = [model.index(row, column).data() for column in (2, 3, 4)]
        assert texts == [number(value, strip=False) for value in values]
        assert model.index(row, 7).data() == duration(model.cell(row, 7), (times[0], ""))
    bold = [row for row in range(15) if model.index(row, 2).data(Qt.ItemDataRole.FontRole)]
    trials = [outcome.trial for outcome in room.page.compared.outcomes]
    assert len(bold) == sum(room.page.compared.winner(one.position) == one.contender for one in trials)
    assert "Bold: the clear winner." in room.page.card.advice.text()
    table.view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert all(model.index(row, 0).data() for row in range(15))


def test_the_rows_of_the_shown_value_are_tinted_and_keys_sort_them(room):
    compared(room)
    card, table = room.page.card, room.page.card.table
    room.page.show_tab("table")
    model, view = table.model, table.view
    assert card.slider.isVisible()
    # it opens at the shown value
    assert 0 <= view.rowViewportPosition(5 * card.slider.value()) < view.viewport().height() // 2
    assert not card.headline.isVisible()  # which says of demonstrations that they are some
    for position in (0, 2):
        medians = room.page.compared.order(position)[:5]
        rows = range(5 * position, 5 * position + 5)
        labels = [room.page.compared.contenders[one].label for one in medians]
        assert [model.cell(row, 0) for row in rows] == labels  # the best first
        card.slider.setValue(position)
        tinted = [row for row in range(15) if model.index(row, 1).data(Qt.ItemDataRole.BackgroundRole)]
        assert tinted == list(rows)  # all mechanisms, side by side
    by_mechanism = next(one for one in view.actions() if one.text() == "Sort by Mechanism")
    names = [[], []]
    for found in names:
        by_mechanism.trigger()
        found += [model.cell(row, 0) for row in range(15)]
    assert names[0] == sorted(names[0]) == names[1][::-1]
    assert [one.text() for one in view.actions() if one.isVisible()][1] == "Sort by ε"


def test_no_row_is_cut_through(room):
    compared(room)
    room.page.show_tab("table")
    assert room.wait_until_idle()
    table = room.page.card.table
    for height in (400, 411, 431):
        table.resize(640, height)
        assert table.view.viewport().height() % table.view.rowHeight(0) == 0
        assert table.view.height() > 0.8 * table.height()


def test_names_are_whole_and_counts_that_are_all_alike_give_way(room):
    compared(room)
    room.page.show_tab("table")
    assert room.wait_until_idle()
    table = room.page.card.table
    table.resize(640, 400)
    needed = max(
        table.view.fontMetrics().horizontalAdvance(one.label) for one in room.page.compared.contenders
    )
    assert table.view.columnWidth(0) > needed
    assert {column for column in range(9) if table.view.isColumnHidden(column)} == {5, 6, 8}


def test_the_table_is_sorted_by_numbers_and_saved_with_a_warning(room, tmp_path):
    found = compared(room)
    room.page.show_tab("table")
    view = room.page.card.table.view
    model = view.model()

    def column():
        return np.array([model.index(row, 2).data(Qt.ItemDataRole.UserRole) for row in range(15)])

    for order, sign in ((Qt.SortOrder.AscendingOrder, 1), (Qt.SortOrder.DescendingOrder, -1)):
        view.sortByColumn(2, order)
        assert (np.diff(column()) * sign >= 0).all()
    assert view.isColumnHidden(model.columnCount() - 1)  # tooltips tell remarks
    name, header, rows = room.page.table
    assert "confidential" in name
    file = tmp_path / "table.csv"
    room.controllers.exports.figures.write_table(file, header, rows)
    assert room.wait_until_idle()
    lines = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert len(lines) == 21
    assert {line["Status"] for line in lines} == {CONFIDENTIAL}
    first = found.outcomes[0]
    assert float(lines[0]["Median error"]) == first.quantile(0.5)
    assert saved_table(found)[1] == rows


@pytest.mark.parametrize("wrong", [{"epsilon": -1.0}, {"delta": 2.0}, {"upper": -1.0}])
def test_results_stay_dimmed_while_the_form_is_invalid(room, wrong):
    compared(room)
    page, result = room.page, room.page.seen.result
    room.session.edit("mistype", **wrong)
    assert page.request is None
    assert not page.contenders.isEnabled()
    assert page.seen.result is result
    assert page.canvas.has_picture
    assert page.card.stale._overlay.is_drawn
    assert page.card.advice.text().startswith(f"{compare_seen.STALE} {next(iter(wrong)).capitalize()}: ")
    room.session.undo_stack.undo()
    assert page.seen.result is result
    assert not page.card.stale._overlay.is_drawn
    assert page.card.advice.text() == NOT_POSSIBLE


def test_other_records_end_results_even_while_the_form_is_invalid(room):
    compared(room)
    data = room.session.state.data
    numbers = dataclasses.replace(data.numbers, values=np.linspace(0, 1, 101))
    room.session._replace({"numbers": numbers, "upper": None})
    assert room.page.request is None
    assert room.page.seen.result is None
    assert not room.page.canvas.has_result
    room.session._replace({"data": data})
    assert room.page.request is not None
    assert room.page.seen.result is None


def test_an_invalid_form_stops_a_comparison_and_keeps_its_results(room):
    page = room.page
    room.controllers.run.start()
    room.session.edit("mistype", epsilon=-1.0)
    assert room.wait_until_idle(30_000)
    assert not page.busy
    room.session.undo_stack.undo()
    assert page.request is not None
    assert page.seen.result is None or not page.seen.result.answers(page.request)


def test_choices_are_edits_and_old_results_say_so(room):
    compared(room)
    page, stack = room.page, room.session.undo_stack
    assert page.card.advice.text() == NOT_POSSIBLE
    page.contenders.chips[2].remove.click()
    assert labels(room) == [*LABELS[:2], *LABELS[3:]]
    assert page.card.advice.text() == f"{compare_seen.STALE} {compare_seen.AGAIN}"
    stack.undo()
    assert labels(room) == LABELS
    assert page.card.advice.text() == NOT_POSSIBLE
    choose(page.tools.sweep, "n")
    assert (page.tools.start.value, page.tools.stop.value) == (10, 101)
    page.tools.start.type_in("20")
    page.tools.steps.type_in("2")
    page.tools.runs.type_in("50")
    assert compared(room).sweep.values == (20.0, 101.0)
    assert "Errors are measured from the median of the sampled records." in page.card.advice.text()
    assert {outcome.trial.n for outcome in page.seen.result.comparison.outcomes} == {20, 101}
    for _ in range(4):
        stack.undo()
    assert room.session.state.comparison == FEW
    assert page.card.advice.text().startswith(compare_seen.STALE)


def test_what_makes_no_sense_is_explained_below_its_field(room):
    tools = room.body.pages["compare"].tools
    assert not tools.wrong.isVisible()
    for sweep, box, typed, said in WRONG:
        if sweep != room.session.state.comparison.sweep:
            choose(tools.sweep, sweep)
        tools.boxes[box].type_in(typed)
        assert said in tools.wrong.text()
        assert tools.wrong.isVisible()
        assert not tools.compare.isEnabled()
        assert not room.actions_by_name["run"].isEnabled()
        room.controllers.run.start()
        assert not room.body.pages["compare"].busy
        room.session.undo_stack.undo()
        assert not tools.wrong.isVisible()
        assert tools.compare.isEnabled()
    assert not room.body.messages.texts()


def test_the_values_that_there_are_are_counted_not_those_asked_for(room):
    """A million values of epsilon, with three digits each, are no more than some thousands."""
    room.body.pages["compare"].tools.steps.type_in("1000000")
    room.controllers.run.start()
    assert room.wait_until_idle(30_000)
    dialog = room.body.pages["compare"].running.dialog
    said = words(dialog).replace("\N{NARROW NO-BREAK SPACE}", "")
    assert "7 mechanisms at 1801 values, 200 runs each: 2521400 simulated" in said
    dialog.reject()


LIBRARIES = {"OpenDP", "diffprivlib", "python-dp (Google)"}


def offered(room, *, libraries=False):
    """Open the menu, and return what can be chosen: our own mechanisms, or those of other libraries."""
    menu = room.body.pages["compare"].contenders.menu
    menu.aboutToShow.emit()
    return [
        one
        for one in menu.actions()
        if one.isEnabled() and one.text() and (one.text() in LIBRARIES) == libraries
    ]


@pytest.mark.parametrize("installed", [True, False])
def test_other_libraries_are_offered_or_the_line_that_installs_them(room, monkeypatch, installed):
    monkeypatch.setattr(Library, "is_installed", installed)
    assert {one.text() for one in offered(room, libraries=True)} == (LIBRARIES if installed else set())
    texts = [one.text() for one in room.body.pages["compare"].contenders.menu.actions()]
    assert any(INSTALL in text and "OpenDP" in text for text in texts) != installed


def test_at_most_twelve_are_compared(room):
    mechanisms = tuple(ExponentialRelease(error_share=step / 20) for step in range(12))
    room.session.edit("many", comparison=dataclasses.replace(FEW, mechanisms=mechanisms))
    assert len({chip.label.whole for chip in room.page.contenders.chips}) == 12
    assert not offered(room)
    room.page.choosing.add(LaplaceRelease())
    assert len(labels(room)) == 12
    assert "at most 12" in "".join(room.body.messages.texts())
    room.body.messages.clear()


def test_the_form_adds_what_it_describes(room):
    choose(room.body.column.release.form.chooser("noise").box, "student-t")
    form = room.body.column.release
    assert form.title == form.run.text() == "Add to comparison"
    room.body.column.release.run.click()
    assert len(labels(room)) == 8
    assert len(set(labels(room))) == 8
    assert "Student" in labels(room)[-1]
    assert not room.body.column.release.run.isEnabled()
    assert not offered(room)
    room.body.pages["compare"].contenders.chips[1].remove.click()
    [action] = offered(room)
    assert action.text() == LABELS[1]
    action.trigger()
    assert LABELS[1] in labels(room)
    choose(room.body.column.release.form.chooser("query").box, "maximum")
    assert room.body.column.release.run.text() == "Compare this instead"
    room.body.column.release.run.click()
    assert len(labels(room)) == 7
    assert room.session.state.comparison.mechanisms is None


def test_cancel_keeps_what_was_found(room):
    room.body.pages["compare"].tools.runs.type_in("400000")
    room.controllers.run.start()
    room.body.pages["compare"].running.dialog.accept()
    deadline = time.monotonic() + 120  # hangs
    while not (
        room.body.pages["compare"].seen.result
        and room.body.pages["compare"].seen.result.comparison.runs == 400_000
    ):
        assert time.monotonic() < deadline
        room.wait_until_idle(20)
    assert room.body.pages["compare"].tools.compare.text().startswith("Cancel")
    assert not room.body.pages["compare"].is_ready(form=True)
    asked = time.process_time()
    room.handlers.cancel()
    while room.body.pages["compare"].work.busy:
        room.wait_until_idle(10)
    assert time.process_time() - asked < 2.0
    found = room.body.pages["compare"].seen.result.comparison
    assert not found.complete
    tried = [outcome.trial.position for outcome in found.outcomes if outcome.runs]
    assert room.page.card.slider.value() in tried  # what has begun is in sight
    assert room.body.pages["compare"].tools.compare.text().startswith("Compare")
    room.page.show_tab("table")
    assert room.wait_until_idle()
    assert "Preliminary" in room.page.card.advice.text()
    assert not room.body.messages.texts()


def test_another_unit_stands_behind_the_errors(room):
    page = room.page
    page.seen.ask(dataclasses.replace(page.request, unit="€"))
    assert page.card.pictures.open("errors", private=True)._unit == "€"
    page.refresh()
    assert page.card.pictures.open("errors", private=True)._unit == page.request.unit
