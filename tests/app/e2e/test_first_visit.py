"""A first visit, from a file to a notebook: what the user sees is what the notebook computes.

In this process; that notebooks run in kernels of their own is tested where they are written.
"""

import csv
import json
import re

import pypdf
import pytest
from PySide6.QtWidgets import QFileDialog
from scripts import found

from app.session import Session
from app.window.main_window import MainWindow
from engine.ledger import Ledger
from engine.randomness import reproducible

pytestmark = pytest.mark.usefixtures("roughly_drawn", "one_process")

PATIENCE = 60_000  # milliseconds; on a busy machine
SECRET = 41_237.59375
"""The median, which nothing that leaves the room may hold."""


@pytest.fixture
def file(tmp_path):
    """A table of people and what they earn."""
    values = [
        *reproducible(1).uniform(8_000, 41_000, 200),
        SECRET,
        *reproducible(2).uniform(42_000, 90_000, 200),
    ]
    path = tmp_path / "people.csv"
    rows = "".join(f"p{place},{value!r}\n" for place, value in enumerate(map(float, values)))
    path.write_text("name,income\n" + rows, "utf-8")
    return path


@pytest.fixture
def window(qtbot, file, tmp_path):
    """The window that the user starts on the file, with a ledger in the same folder."""
    made = MainWindow(Session(ledger=Ledger(tmp_path / "ledger.sqlite")), str(file))
    made.show()
    assert made.wait_until_idle(PATIENCE)
    yield made
    made.close()
    made.deleteLater()


@pytest.mark.slow
def test_from_a_file_to_a_notebook(window, tmp_path):
    declare_bounds(window)
    curve = numbers(window, "k", tmp_path)
    assert len(curve) > 10

    window.body.column.release.run.click()
    assert window.wait_until_idle(PATIENCE)
    (record,) = window.session.state.releases
    assert not record.release.simulated
    (entry,) = Ledger(tmp_path / "ledger.sqlite").accounts()[0].entries()
    assert (entry.state, entry.value, entry.cost.privacy.epsilon) == ("spent", record.release.value, 1.0)

    save(window, "save_notebook", tmp_path / "median.ipynb")
    printed = printed_by(tmp_path / "median.ipynb")
    assert said(printed, "true value (confidential)") == SECRET
    assert f"'value': {record.release.value!r}" in printed
    at_distance = re.search(r"A\^\(0\), A\^\(1\), \.\.\. \(confidential\): \[(.*?)\]", printed, re.DOTALL)
    found = [float(word) for word in at_distance[1].split()]
    assert found[: len(curve)] == pytest.approx([row[1] for row in curve], rel=1e-7)  # printed in 8 digits

    report_holds_what_may_leave(window, record, tmp_path)
    comparison_comes_back(window, tmp_path)


def declare_bounds(window):
    """Say what is possible, and open the page about the column."""
    income = window.page.rows["income"].facts
    income.lower_box.type_in("0")
    income.upper_box.type_in("100 000")
    window.actions_by_name["page_median"].trigger()
    assert window.wait_until_idle(PATIENCE)


def report_holds_what_may_leave(window, record, folder):
    """Save the report as users do; it says what was released, and nothing that is private."""
    for name in ("report.html", "report.pdf"):
        window.actions_by_name["report"].trigger()
        window.controllers.exports.reports.dialog.save_button.click()
        choose_file(window, folder / name)
    page = (folder / "report.html").read_text("utf-8")
    text = "".join(one.extract_text() for one in pypdf.PdfReader(folder / "report.pdf").pages)
    for content in (page, text):
        digits = re.sub(r"[^\d.]", "", content)  # whatever stands between thousands
        assert "41237.59" not in digits
        assert str(record.release.value)[:7] in digits
        assert "people.csv" in content
        assert str(folder) not in content


def comparison_comes_back(window, folder):
    """Compare with the exponential mechanism; a notebook finds the same errors."""
    window.actions_by_name["page_compare"].trigger()
    assert window.wait_until_idle(PATIENCE)
    window.actions_by_name["run"].trigger()
    assert window.wait_until_idle(PATIENCE)
    results = window.body.pages["compare"].seen.result.comparison
    save(window, "save_notebook", folder / "compare.ipynb")
    printed = printed_by(folder / "compare.ipynb")
    labels = [one.label for one in results.contenders]
    assert "Exponential mechanism" in labels
    for place, value in enumerate(results.sweep.values):
        for outcome in results.at(place):
            if outcome.problem is None:
                label = f"epsilon = {value:g}, {labels[outcome.trial.contender]}: median error (confidential)"
                assert said(printed, label) == outcome.quantile(0.5), label


def save(window, action, path):
    """Choose an action that asks for a file, and the file."""
    window.actions_by_name[action].trigger()
    choose_file(window, path)
    assert path.is_file()


def choose_file(window, path):
    (dialog,) = window.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.close()
    assert window.wait_until_idle(PATIENCE)


def numbers(window, tab, folder):
    """Return the numbers behind a picture, as they are saved."""
    window.page.show_tab(tab)
    assert window.wait_until_idle(PATIENCE)
    window.controllers.exports.figures.write(window.page.canvas, folder / "numbers.csv")
    assert window.wait_until_idle(PATIENCE)
    with (folder / "numbers.csv").open(encoding="utf-8", newline="") as stream:
        _, *rows = csv.reader(stream)
    return [[float(cell) for cell in row] for row in rows]


def printed_by(path):
    """Run the cells of a notebook one after the other; return what they print."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return found(code)["printed"]


def said(printed, label):
    """Return the number that was printed behind a label."""
    return float(re.search(rf"^{re.escape(label)}: (\S+)$", printed, re.MULTILINE)[1])
