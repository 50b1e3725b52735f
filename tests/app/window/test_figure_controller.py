"""What leaves the window as a picture: saved, copied, read as a table, from menu and context menu."""

import csv
import threading

import pytest
from lateness import Turns
from matplotlib.image import imread
from PySide6.QtCore import QEvent, QPoint, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from app.export import rendering
from app.model.theme import DARK, LIGHT
from app.widgets.plot_table import TableDialog

pytestmark = pytest.mark.usefixtures("roughly_drawn")


@pytest.fixture
def window(shared, qtbot):
    """Borrow a window, and leave no dialog in it."""
    yield shared
    for dialog in shared.findChildren(QDialog):
        dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def open_menu(window, canvas):
    """Ask for the context menu in the middle of a picture, as a right click does."""
    place = canvas.mapToGlobal(canvas.rect().center())
    at = window.mapFromGlobal(place)
    QApplication.sendEvent(window, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    return {action.text().replace("&", ""): action for action in menu.actions()}, menu


def dialog_of(window):
    (dialog,) = window.findChildren(QFileDialog)
    return dialog


def ask_where(window):
    """Ask where to save the open picture, as it looks now."""
    window.actions_by_name["save_figure"].trigger()
    window.controllers.exports.figures.dialog.save_button.click()


def test_the_context_menu_offers_what_the_file_menu_does(window):
    actions, menu = open_menu(window, window.body.pages["median"].canvas)
    assert list(actions) == [
        "Save figure…",
        "Export data…",
        "Save figure and numbers…",
        "Copy figure",
        "Show data",
        "Reset view",
    ]
    assert [name for name, action in actions.items() if not action.isEnabled()] == ["Reset view"]
    actions["Show data"].trigger()
    menu.close()
    assert len(window.findChildren(TableDialog)) == 1


def test_the_menu_saves_the_picture_that_was_clicked(window, tmp_path):
    actions, menu = open_menu(window, window.body.pages["median"].strip.canvas)
    actions["Export data…"].trigger()
    menu.close()
    dialog = dialog_of(window)
    assert dialog.defaultSuffix() == "csv"
    dialog.fileSelected.emit(str(tmp_path / "dots.csv"))
    dialog.close()
    assert window.wait_until_idle()
    with open(tmp_path / "dots.csv", newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == ["record", "value", "clamped"]
    assert "Saved" in window.controllers.status.text()


def test_the_suggested_name_says_what_must_be_said(window):
    ask_where(window)
    dialog = dialog_of(window)
    # the files of the folder are read after the name was set
    (name,) = [path.rsplit("/", 1)[-1] for path in dialog.selectedFiles()]
    assert name == "median-sensitivity-against-distance-confidential.png"
    dialog.close()


def test_the_suffix_follows_the_chosen_format(window):
    ask_where(window)
    dialog = dialog_of(window)
    for form, suffix in (("SVG drawing (*.svg)", "svg"), ("PDF document (*.pdf)", "pdf")):
        dialog.filterSelected.emit(form)
        assert dialog.defaultSuffix() == suffix
        assert [name.rpartition(".")[2] for name in dialog.selectedFiles()] == [suffix]
    dialog.close()


def test_a_picture_is_saved_with_its_numbers_beside_it(window, tmp_path):
    window.actions_by_name["save_both"].trigger()
    dialog = dialog_of(window)
    dialog.fileSelected.emit(str(tmp_path / "a.png"))
    dialog.close()
    assert window.wait_until_idle()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.csv", "a.png"]
    assert "a.png and a.csv" in window.controllers.status.text()
    (tmp_path / "b.csv").write_text("kept")
    window.controllers.exports.figures.write_both(window.body.pages["median"].canvas, tmp_path / "b.png")
    assert window.wait_until_idle()
    assert (tmp_path / "b.csv").read_text() == "kept"
    assert not (tmp_path / "b.png").exists()
    assert "already exists" in window.body.messages.texts()[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/a.png", "there is no folder"),
        ("no/a.csv", "there is no folder"),
        ("figure.doc", "the name must end in .png or .svg or .pdf or .pgf or .csv"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_line(window, tmp_path, name, words):
    window.controllers.exports.figures.write(window.body.pages["median"].canvas, tmp_path / name)
    assert window.wait_until_idle()
    [message] = window.body.messages.messages()
    assert message.text.startswith(f"{tmp_path / name}: {words}")
    assert "\n" not in message.text
    assert "Traceback" in message.details
    assert list(tmp_path.iterdir()) == []


def test_nothing_private_leaves_in_release_view(window, tmp_path):
    private = window.body.pages["median"].strip.canvas
    window.session.show_view("release")
    assert window.wait_until_idle()
    window.controllers.exports.figures.write(private, tmp_path / "dots.csv")
    assert window.wait_until_idle()
    assert list(tmp_path.iterdir()) == []
    assert "can be shared" in window.body.messages.texts()[0]
    QApplication.clipboard().clear()
    window.controllers.exports.figures.copy(private)
    assert window.wait_until_idle()
    assert QApplication.clipboard().image().isNull()
    window.controllers.exports.figures.ask_figure(private)
    window.controllers.exports.figures.show_table(private)
    assert not window.findChildren(QFileDialog)
    assert not window.findChildren(TableDialog)


def test_a_private_picture_cannot_be_saved_by_a_dialog_that_is_older_than_the_view(window, tmp_path):
    ask_where(window)
    dialog = dialog_of(window)
    window.session.show_view("release")
    dialog.fileSelected.emit(str(tmp_path / "late.png"))
    dialog.close()
    assert window.wait_until_idle()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("view", ["curator", "release"])
def test_a_copied_picture_says_whether_it_is_private(window, view):
    window.session.show_view(view)
    assert window.wait_until_idle()
    window.controllers.exports.copy_figure()
    assert window.wait_until_idle()
    assert ("confidential" in window.controllers.status.text()) == (view == "curator")
    assert not QApplication.clipboard().image().isNull()


@pytest.fixture
def held(monkeypatch):
    """Keep the worker waiting before it draws; return what says that it waits, and what lets it go."""
    begun, free = threading.Event(), threading.Event()
    again = rendering._again

    def waiting(drawn, palette, style):
        begun.set()
        assert free.wait(60)
        return again(drawn, palette, style)

    monkeypatch.setattr(rendering, "_again", waiting)
    yield begun, free
    free.set()


def test_a_view_that_changes_meanwhile_keeps_what_is_private(window, tmp_path, held):
    begun, free = held
    canvas = window.body.pages["median"].canvas
    (tmp_path / "a.png").write_text("old")
    QApplication.clipboard().clear()
    window.controllers.exports.figures.write(
        canvas, tmp_path / "a.png"
    )  # this one is being drawn, the others wait
    window.controllers.exports.figures.write_both(canvas, tmp_path / "b.svg")
    window.controllers.exports.figures.copy(canvas)
    assert begun.wait(60)
    window.session.show_view("release")
    free.set()
    assert window.wait_until_idle()
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]
    assert (tmp_path / "a.png").read_text() == "old"
    assert QApplication.clipboard().image().isNull()
    told = window.body.messages.texts()
    assert len(told) == 3
    assert all("can be shared" in words for words in told)


def test_an_image_that_was_being_drawn_is_not_copied_in_the_release_view(window, held):
    begun, free = held
    QApplication.clipboard().clear()
    window.controllers.exports.figures.copy(window.body.pages["median"].canvas)
    assert begun.wait(60)
    window.session.show_view("release")
    free.set()
    assert window.wait_until_idle()
    assert QApplication.clipboard().image().isNull()
    assert window.body.messages.texts() == [
        "The picture was not copied: no picture can be shared yet; it may still be drawing"
    ]


@pytest.mark.slow
def test_all_that_was_asked_for_is_saved_as_large_and_as_dark_as_it_is_seen(window, tmp_path):
    canvas = window.body.pages["median"].canvas
    canvas.set_palette(DARK)
    for name in ("a.png", "a.svg", "b.csv"):
        window.controllers.exports.figures.write(canvas, tmp_path / name)
    window.controllers.exports.figures.copy(canvas)
    canvas.set_palette(LIGHT)  # too late
    assert window.wait_until_idle()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.png", "a.svg", "b.csv"]
    pixels = imread(tmp_path / "a.png", format="png")
    height, width = pixels.shape[:2]
    assert width == 2340
    assert 1260 <= height <= 1.25 * 1260  # higher where labels leave too little for the plot
    assert pixels[0, 0, :3] == pytest.approx([int(DARK.card[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    image = QApplication.clipboard().image()
    assert (image.width(), image.height()) == (width, height)
    assert image.pixelColor(0, 0).name() == DARK.card.lower()


@pytest.mark.slow
def test_the_window_stays_prompt_while_a_picture_is_saved_and_copied(window, tmp_path):
    saver, canvas = window.controllers.exports.figures, window.body.pages["median"].canvas
    for name in ("first.png", "first.pdf"):  # what matplotlib imports for a format
        saver.write(canvas, tmp_path / name)
    assert window.wait_until_idle()
    for ask in (
        lambda: saver.write(canvas, tmp_path / "a.png"),
        lambda: saver.write_both(canvas, tmp_path / "b.pdf"),
        lambda: saver.copy(canvas),
    ):
        turns, before = Turns(), window.controllers.status.text()
        QTimer.singleShot(0, ask)
        turns.until(lambda before=before: window.controllers.status.text() != before)
        assert max(turns.busy) < 50, str(turns)
    assert not window.body.messages.texts()


def test_outside_of_pictures_there_is_no_menu(window):
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), window.mapToGlobal(QPoint(5, 5)))
    window.contextMenuEvent(event)
    assert QApplication.activePopupWidget() is None


def test_what_belongs_to_older_choices_is_not_taken_away(window):
    figures, canvas = window.controllers.exports.figures, window.body.pages["median"].canvas
    assert window.wait_until_idle()
    assert figures.allows(canvas)
    window.session.edit("epsilon", epsilon=0.123)
    assert not figures.allows(canvas)
    assert window.wait_until_idle()
    assert figures.allows(canvas)
