"""Whatever users can point at says what it is: the real window, its pages, rooms and dialogs."""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QDialog, QTabBar, QWidget

from app.help.controls import ACTIONS, control_texts, controls, explain, name_of
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.texts.pages import names
from app.model.wording.components import LINK, parameter_words
from app.panels.guess_scene import GuessScene
from engine.mechanisms.release import Private, Release
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.questions.words import read_question

pytestmark = pytest.mark.usefixtures("undrawn")

PAGES = (
    *("median", "spanning-tree", "clustering", "one-cluster", "histogram", "compare", "lessons"),
    *("data", "questions", "released"),
)
LEAST = 32
"""Letters of the shortest text that says what a control is and what it does."""


def _import_dialogs(window: Any) -> Iterator[QDialog]:
    from app.panels.reading_preview import ReadingPreviewDialog

    yield ReadingPreviewDialog(window.session.state.at("spanning-tree").dataset, window)


def _asking_dialogs(window: Any) -> Iterator[QDialog]:
    from app.extras.sandbox.dialog import BlackBoxDialog
    from app.model.budget import COMPOSITIONS, Budget, BudgetCurves
    from app.panels.budget_dialog import BudgetDialog
    from app.panels.data_table_dialog import DataTableDialog
    from app.panels.release_questions import ConsentDialog, SetAsideDialog
    from app.panels.report_dialog import ReportDialog
    from app.panels.settings_dialog import SettingsDialog
    from app.panels.suggest_bounds_dialog import SuggestBoundsDialog
    from app.panels.undo_dialog import UndoDialog
    from app.widgets.asking import ChoiceDialog
    from app.widgets.dialogs import TextDialog
    from app.widgets.plot_table import TableDialog

    state = window.session.state.at("median")
    yield ConsentDialog(state, window)
    yield SuggestBoundsDialog(state, window)
    yield BlackBoxDialog(Path("mine.py"), {"mine.py": b"def f(block):\n    return 0\n"}, None, window)
    budget = BudgetDialog(window)
    spent = dict.fromkeys(COMPOSITIONS, np.arange(3.0))
    budget.show_budget(Budget("data", curves=BudgetCurves(np.arange(3), spent)))
    yield budget
    yield ChoiceDialog(
        "Keep it?",
        "data",
        ("Not kept.",),
        {"save": ("&Save", "Keep it"), "drop": ("&Drop", "Forget it")},
        window,
        safe="save",
    )
    yield ReportDialog("Report", [("Curves", True)], True, window)
    yield SetAsideDialog("it is damaged", window)
    yield SettingsDialog(window.settings, None, window)
    yield TableDialog(window, "Keyboard", ["Keys"], [["F1"]])
    yield TextDialog("About", "Words", window)
    yield UndoDialog(window.session, window)
    yield DataTableDialog(window.jobs.channel("data table"), window)


def _result_card() -> QWidget:
    from app.panels.result_card import ResultCard

    noise = {"family": "laplace", "scale": 1.0}
    release = Release(
        "laplace", "median", 1.0, Privacy(1.0, 0.0), noise, {}, 3.0, False, Private({}), exact=True
    )
    return ResultCard(ReleaseRecord(release, "", "data", "x", "", "", datetime.now(), False, False))


@pytest.fixture(scope="module")
def roots(qapp: Any) -> Iterator[list[QWidget]]:
    """Return a window that has been on all pages, and all that can stand beside it; all explained."""
    from app.session import Session
    from app.window.main_window import MainWindow

    window = MainWindow(Session())
    window.resize(1280, 800)
    window.show()
    assert window.wait_until_idle(60_000)
    for page in PAGES:
        window.session.show_page(page)
        assert window.wait_until_idle(60_000)
        if page == "clustering":  # of all mechanisms, those with blocks have the most controls
            window.session.edit("ask", query="clusters")
            assert window.wait_until_idle(60_000)
        if page == "data":
            window.controllers.data.open_table_example("penguins")
            assert window.wait_until_idle(60_000)
        if page == "questions":
            texts = ("count by species", "mean of body_mass_g where body_mass_g > 4000")
            window.session.edit("ask", questions=tuple(AskedQuestion(read_question(text)) for text in texts))
            assert window.wait_until_idle(60_000)
    dialogs = [*_import_dialogs(window), *_asking_dialogs(window)]
    scene = GuessScene(QWidget())
    explained = [window, window.controllers.help.viewer, *dialogs, _result_card(), scene]
    explain(explained)
    window.controllers.help.explain()
    yield explained
    for dialog in dialogs:
        dialog.close()
        dialog.deleteLater()
    window.close()
    window.deleteLater()


def place(widget: QWidget) -> str:
    """Say where a control stands."""
    there, parent = [], widget.parentWidget()
    while parent is not None:
        there.append(type(parent).__name__)
        parent = parent.parentWidget()
    return f"{name_of(widget)!r} ({type(widget).__name__} in {' in '.join(there[:4])})"


def plain(text: str) -> str:
    return re.sub(r"<[^>]+>", " ", text)


def test_every_control_says_what_it_is(roots: list[QWidget]) -> None:
    found = [widget for root in roots for widget in controls(root)]
    assert len(found) > 350
    silent = {place(widget) for widget in found if not widget.whatsThis()}
    assert not silent, "no words in resources/help/controls.toml for:\n" + "\n".join(sorted(silent))
    short = {
        place(widget) for widget in found if len(plain(widget.whatsThis())) < LEAST + len(name_of(widget))
    }
    assert not short, "hardly anything is said about:\n" + "\n".join(sorted(short))


def test_no_two_controls_say_the_same_by_accident(roots: list[QWidget]) -> None:
    """What is said twice is about controls of one name; or is meant for many, by a pattern or a class."""
    named = defaultdict(set)
    for root in roots:
        for widget in controls(root):
            named[re.sub(r"^<p><b>.*?</b></p>", "", widget.whatsThis())].add(name_of(widget))
    classes = {type(widget).__name__ for root in roots for widget in controls(root)}
    meant = [
        text
        for table in control_texts().values()
        for name, text in table.items()
        if "*" in name or name in classes
    ]
    for text, who in named.items():
        if not plain(text).strip().startswith(tuple(meant)):
            assert len(who) == 1, f"{sorted(who)} say the same: {plain(text)[:80]}"


def test_texts_are_words_with_links_that_lead_somewhere() -> None:
    for part, table in control_texts().items():
        assert len(set(table.values())) == len(table), f"[{part}] says the same twice"
        for name, text in table.items():
            assert text.strip() == text
            assert text.endswith((".", "!", "?")), f"[{part}] {name}: ends without a stop"
            assert LEAST <= len(text) <= 330, f"[{part}] {name}: {len(text)} letters"
            for target in re.findall(rf"\]\({LINK}([^)]*)\)", text):
                assert target in names(), f"[{part}] {name}: {target}"


def test_tabs_say_what_their_pictures_show(roots: list[QWidget]) -> None:
    bars = list(roots[0].findChildren(QTabBar))
    assert bars
    assert all(len(plain(bar.tabWhatsThis(i))) > LEAST for bar in bars for i in range(bar.count()))


def test_every_action_says_what_it_does(roots: list[QWidget]) -> None:
    silent = [name for name, action in roots[0].actions_by_name.items() if len(action.whatsThis()) < 20]
    assert not silent
    assert set(control_texts()[ACTIONS]) <= set(roots[0].actions_by_name), "texts without an action"


def test_declared_parameters_say_unit_bounds_and_where_to_read_more() -> None:
    declared = next(one for one in NOISES["lcp"].parameters() if one.name == "g")
    text = parameter_words(declared, "noises/lcp")
    assert "at least 0.1 and at most 100; 4 unless you change it" in text
    assert declared.help in text
    assert f'href="{LINK}noises/lcp"' in text
    assert "Public" in text


def test_choosers_lead_to_the_page_of_what_is_chosen(roots: list[QWidget]) -> None:
    boxes = [box for box in roots[0].findChildren(QComboBox) if box.property("help")]
    assert len(boxes) >= 7  # pages share those of one kind
    for box in boxes:
        if box.currentData():
            key = f"{box.property('help')}/{box.currentData()}"
            assert key in names()
            assert f'href="{LINK}{key}"' in box.whatsThis()
