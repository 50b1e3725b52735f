"""The dialog that asks how a figure looks: format, width, part; with a preview."""

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog

pytestmark = pytest.mark.usefixtures("roughly_drawn")


def test_one_dialog_asks_how_a_figure_looks(shared, tmp_path):
    canvas = shared.body.pages["median"].canvas
    canvas.picture.zoom.show_shares({"x": (0.0, 0.5)})
    shared.actions_by_name["save_figure"].trigger()
    dialog = shared.controllers.exports.figures.dialog
    assert dialog.rows["part"].isVisible()
    assert shared.wait_until_idle()
    zoomed = dialog.preview.pixmap().toImage()
    assert not zoomed.isNull()
    dialog.part.setCurrentIndex(1)
    dialog.part.activated.emit(1)
    row = dialog.rows["figure_width"]
    row.box.setCurrentIndex(row.box.findData("single"))
    row.box.activated.emit(row.box.currentIndex())
    assert shared.settings.figure_style.width == "single"
    assert shared.wait_until_idle()
    assert dialog.preview.pixmap().toImage() != zoomed
    resolution = dialog.rows["figure_dpi"]
    assert resolution.isEnabled()
    assert "300" in resolution.box.lineEdit().placeholderText()
    assert shared.settings.figure_style.resolution == 300
    resolution.box.type_in("10")
    assert "50" in resolution.problem
    resolution.box.type_in("600")
    assert (resolution.problem, shared.settings.figure_style.resolution) == ("", 600)
    resolution.box.type_in("")
    assert shared.settings.figure_style.dpi is None
    dialog.format.setCurrentIndex(dialog.format.findData("pgf"))
    dialog.format.activated.emit(dialog.format.currentIndex())
    assert not resolution.isEnabled()
    assert resolution.box.lineEdit().placeholderText() == "PNG only"
    dialog.save_button.click()
    files = shared.findChild(QFileDialog)
    assert files.defaultSuffix() == "pgf"
    files.fileSelected.emit(str(tmp_path / "a.pgf"))
    files.close()
    assert shared.wait_until_idle()
    content = (tmp_path / "a.pgf").read_text("utf-8")
    assert content.count("{") - content.count(r"\{") == content.count("}") - content.count(r"\}")
    assert r"\begin{pgfpicture}" in content
    assert r"{\pgfqpoint{3.5000" in content
    shared.settings.change(figure_width="screen")
    canvas.reset_view()
    for each in shared.findChildren(QDialog):
        each.close()


def test_what_is_saved_with_its_numbers_is_as_zoomed_as_it_is_seen(shared, tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr(
        "app.window.figure_controller.save_both",
        lambda drawn, *_: saved.append(drawn.seen) or "Saved",
    )
    canvas, figures = shared.body.pages["median"].canvas, shared.controllers.exports.figures
    canvas.picture.zoom.show_shares({"x": (0.0, 0.5)})
    assert canvas.zoomed
    figures.ask_figure(canvas, "png", whole=True)
    shared.findChild(QFileDialog).reject()  # the whole of it was wanted then, not now
    figures.write_both(canvas, tmp_path / "a.png")
    assert shared.wait_until_idle()
    canvas.reset_view()
    assert saved[0]
