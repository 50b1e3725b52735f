"""The grid of releases in the window: stated before and after Run, and a resolution in its place."""

import dataclasses

import pytest
from payments import pay
from PySide6.QtCore import QSettings, Qt
from seen import choose
from tables import ask_on, declare, open_table

from app.model.selection import selection
from app.panels.history_panel import details

pytestmark = pytest.mark.usefixtures("undrawn")

INEXACT = "not verified to the last bit: the distance to a larger sensitivity"


@pytest.fixture
def row(shared):
    return shared.body.column.data.form.row("resolution")


def hint(row):
    return row.box.lineEdit().placeholderText()


def released(window):
    assert window.wait_until_idle()
    window.controllers.run.start()
    assert window.wait_until_idle()
    return window.session.state.releases[-1]


def plain(text):
    return text.replace("\u202f", " ")


def test_an_empty_field_shows_the_automatic_step_and_follows_the_bounds(shared, row):
    # 101 values between 0 and 100: 2^-40 of 64, the power of two below the sensitivity
    assert row.box.text() == ""
    assert hint(row) == "automatic: 5.8e-11"
    assert plain(shared.body.column.release.grid.text()) == "Multiples of 2⁻³⁴ = 5.8×10⁻¹¹, clamped."
    shared.body.column.data.form.box("upper").type_in("1e6")
    assert hint(row) == "automatic: 4.8e-7"
    choose(shared.body.column.release.form.chooser("query").box, "mean")  # a hundredth of the range
    assert hint(row) == "automatic: 7.5e-9"
    shared.body.column.data.form.box("upper").type_in("-1")
    assert hint(row) == "automatic"
    assert not shared.body.column.release.grid.isVisible()


def test_a_declared_resolution_is_the_step_of_what_is_released_and_can_be_undone(shared, row):
    row.box.type_in("2.5")
    assert plain(shared.body.column.release.grid.text()) == "Multiples of 2.5, clamped."
    record = released(shared)
    assert (record.release.step, record.release.exact) == (2.5, True)
    assert record.release.value % 2.5 == 0
    assert "Rounded to multiples of 2.5, clamped to the range of results" in details(record)
    shared.session.undo_stack.undo()
    assert shared.session.state.data.resolution is None
    assert (row.box.text(), hint(row)) == ("", "automatic: 5.8e-11")
    assert released(shared).release.step == 2.0**-34


def test_pictures_follow_a_resolution_and_what_was_clamped_stays_said(shared, row):
    assert shared.wait_until_idle()
    assert "none clamped" in shared.body.column.data.facts.text()
    shared.page.card.show_tab("distribution")
    assert shared.wait_until_idle()
    row.box.type_in("200")
    assert shared.wait_until_idle()
    assert "last valid choices" in shared.page.card.advice.text()
    row.box.type_in("2.5")
    assert shared.wait_until_idle()
    assert "last choices" not in shared.page.card.advice.text()
    assert "none clamped" in shared.body.column.data.facts.text()
    view = shared.page.canvas.picture.result
    assert view.resolution == 2.5
    assert (view.answered % 2.5 == 0).all()


def test_an_emptied_field_is_automatic_again(shared, row):
    row.box.type_in("2.5")
    row.box.type_in("")
    assert shared.session.state.data.resolution is None
    shared.session.undo_stack.undo()
    assert (shared.session.state.data.resolution, row.box.text()) == (2.5, "2.5")


def test_a_finer_resolution_changes_nothing(shared, row):
    row.box.type_in("1e-15")
    assert row.problem == ""
    assert released(shared).release.step == 2.0**-34
    assert "Multiples of 2⁻³⁴" in shared.body.column.release.grid.text()


@pytest.mark.parametrize("text", ["0", "-1", "100.5"])
def test_what_is_no_resolution_is_explained_beside_the_field(shared, row, text):
    row.box.type_in(text)
    assert "above 0 and at most 100" in row.problem
    assert not shared.body.column.release.run.isEnabled()
    shared.session.undo_stack.undo()
    assert row.problem == ""
    assert shared.body.column.release.run.isEnabled()


def test_a_resolution_beyond_the_range_of_what_is_asked_is_explained_beside_the_field(shared, row):
    form = shared.body.column.release
    row.box.type_in("2.5")
    choose(form.form.chooser("query").box, "count")
    assert row.problem == ""
    choose(form.form.row("give").box, "share")
    assert "2.5 is not possible" in row.problem
    assert "above 0 and at most 1" in row.problem
    assert not form.run.isEnabled()
    row.box.type_in("")
    assert row.problem == ""
    assert form.run.isEnabled()


def test_text_is_refused_and_stays_in_its_field(shared, row):
    row.box.type_in("2.5")
    row.box.type_in("fine")
    assert "'fine' is not a number" in row.problem
    assert "or leave the field empty" in row.problem
    assert (shared.session.state.data.resolution, row.box.text()) == (2.5, "fine")


def test_another_dataset_has_a_grid_of_its_own(shared, row):
    row.box.type_in("2.5")
    shared.controllers.data.open_example("salaries")
    assert shared.wait_until_idle()
    assert shared.session.state.data.resolution is None
    assert hint(row) == "automatic: 2.4e-7"


def test_releases_are_clamped_unless_the_form_says_otherwise(shared):
    form = shared.body.column.release
    assert not any("clamp" in row.fields for row in form.rows)
    form.tuning_button.setChecked(True)
    clamp = form.form.row("clamp").box
    assert clamp.currentData() == "bounds"
    choose(clamp, "none")
    assert "not clamped" in form.grid.text()
    record = released(shared)
    assert record.release.parameters["clamp"] == "none"
    assert "not clamped" in details(record)
    form.tuning_button.setChecked(False)


@pytest.mark.slow
def test_undo_shows_the_vertices_that_there_were_and_their_grid(shared_graph):
    choose(shared_graph.body.column.release.form.chooser("query").box, "triangles")
    form = shared_graph.body.column.data.form
    before = form.box("vertices").text(), hint(form.row("resolution"))
    form.box("vertices").type_in("400")
    assert hint(form.row("resolution")) != before[1]
    shared_graph.session.undo_stack.undo()
    assert (form.box("vertices").text(), hint(form.row("resolution"))) == before


@pytest.mark.parametrize("query", ["mst", "triangles"])
def test_graphs_have_a_resolution_too(shared_graph, query):
    choose(shared_graph.body.column.release.form.chooser("query").box, query)
    row = shared_graph.body.column.data.form.row("resolution")
    assert hint(row).startswith("automatic: ")
    row.box.type_in("0.25")
    record = released(shared_graph)
    assert record.release.step == 0.25
    assert record.release.value % 0.25 == 0
    row.box.type_in("1000")
    assert "at most" in row.problem
    assert not shared_graph.body.column.release.run.isEnabled()


@pytest.mark.slow
def test_a_file_is_opened_with_a_resolution_that_comes_back(window_on, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "".join(f"{20 + i}\n" for i in range(40)), "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on([1.0, 2.0], settings=settings)
    open_table(window, path)
    declare(window, "age", lower=0, upper=120)
    ask_on(window, "median")
    row = window.body.column.data.form.row("resolution")
    row.box.type_in("200")
    assert "at most 120" in row.problem
    row.box.type_in("0.5")
    assert window.wait_until_idle()
    assert window.session.state.declarations.column("age").resolution == 0.5
    assert window.session.state.data.resolution == 0.5
    window.close()
    again = window_on(settings=settings)
    assert (
        again.session.state.data.resolution,
        again.body.column.data.form.row("resolution").box.text(),
    ) == (
        0.5,
        "0.5",
    )


def test_what_is_not_exact_is_said_before_it_runs_and_kept(shared, qtbot):
    session, form = shared.session, shared.body.column.release
    assert form.inexact.isHidden()
    session.edit("choose", query="winsorized-mean", method="propose-test-release", delta=1e-6)
    session.set_parameter(0.9, "bound")
    assert form.inexact.text().startswith(INEXACT.capitalize())
    record = released(shared)
    assert record.release.exact is False
    assert record.inexact in record.flaw
    table = shared.body.history.model
    assert "not verified to the last bit" in table.index(0, 6).data()
    assert INEXACT in table.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "not verified to the last bit" in shared.controllers.status.text() or record.release.value is None
    (entry,) = [
        one for one in session.ledger.account(session.state.dataset.digest).entries() if not one.exact
    ]
    assert entry.cost.inexact == record.inexact
    again = dataclasses.replace(record, inexact="")
    assert again.flaw == "not verified to the last bit"


def test_whoever_is_asked_before_a_release_is_told_what_is_not_exact(shared):
    from PySide6.QtWidgets import QLabel

    from app.panels.release_questions import OverspendingDialog, SpendingDialog
    from engine.ledger import Cost, Ledger, Limit, Overspent

    session = shared.session
    session.edit("choose", query="winsorized-mean", method="propose-test-release", delta=1e-6)
    session.set_parameter(0.9, "bound")
    dialog = SpendingDialog(session.state, shared)
    assert any(label.text().startswith(INEXACT.capitalize()) for label in dialog.findChildren(QLabel))
    dialog.close()
    setup = selection(session.state)
    account = Ledger(None).account("sha256:1", "data.csv")
    account.set_limit(Limit(0.5))
    with pytest.raises(Overspent) as refused:
        pay(account, Cost.of(setup.mechanism, setup.privacy), {}, lambda: None)
    over = OverspendingDialog("data.csv", refused.value, None, shared)
    assert f"This release: ε = 1, δ = 10⁻⁶; {INEXACT}" in over.sums.text()
    over.close()


def test_the_budget_dialog_says_what_is_not_exact(shared):
    from app.panels.budget_dialog import COLUMNS, saved_table, tip
    from engine.ledger import Cost, Ledger
    from engine.primitives import of_pure
    from engine.privacy import Privacy

    account = Ledger(None).account("sha256:1", "data.csv")
    for reason in ("", "sums are rounded"):
        cost = Cost(Privacy(1.0), of_pure(1.0), "replace-one", reason)
        pay(account, cost, {"release": "median"}, lambda: dataclasses.make_dataclass("R", ["value"])(1.0))
    exact, other = account.entries()
    kinds = [COLUMNS["Kind"](entry) for entry in (exact, other)]
    assert kinds == ["released", "released, not verified to the last bit"]
    assert "Not verified to the last bit: sums are rounded." in tip(other)
    assert "last bit" not in tip(exact)
    header, rows = saved_table((exact, other))
    assert [row[header.index("exact")] for row in rows] == [True, False]


def test_errors_of_clamped_releases_are_private_since_the_true_value_decides_about_them(shared):
    choose(shared.body.column.release.form.chooser("method").box, "laplace")
    shared.body.column.privacy.epsilon.type_in("0.01")
    assert shared.wait_until_idle()
    # about half of the releases lie at each end, and tell how far from it the median is
    assert plain(shared.body.column.release.error.text()).startswith("Typical error ±\N{NO-BREAK SPACE}31.2")
    assert shared.body.column.release._error_badge.isVisible()
    assert "The noise is larger than the whole range" in shared.page.card.advice.text()
    shared.session.set_parameter("none", "clamp")
    assert shared.wait_until_idle()
    assert not shared.body.column.release._error_badge.isVisible()
    assert "The noise is larger than the whole range" in shared.page.card.advice.text()
