"""Stages side by side: clicked, reached with the keyboard, read aloud, drawn in both themes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

from app.model.theme import DARK, LIGHT
from app.widgets.pipeline import GAP, Fact, Pipeline

STAGES = {"one": ("One", "the first"), "two": ("Two", "the second"), "three": ("Three", "the third")}


@pytest.fixture
def pipeline(qtbot):
    made = Pipeline("Stages", STAGES)
    qtbot.addWidget(made)
    made.show_choice("one")
    made.resize(420, 80)
    made.show()
    return made


def test_a_click_opens_a_stage(pipeline, qtbot):
    heard = []
    pipeline.chosen.connect(heard.append)
    qtbot.mouseClick(pipeline.stages["three"], Qt.MouseButton.LeftButton)
    assert heard == ["three"]
    assert [stage.isChecked() for stage in pipeline.stages.values()] == [False, False, True]


def test_arrows_and_space_open_stages(pipeline, qtbot):
    heard = []
    pipeline.chosen.connect(heard.append)
    pipeline.stages["one"].setFocus()
    qtbot.keyClick(pipeline.stages["one"], Qt.Key.Key_Right)
    assert heard == ["two"]
    qtbot.keyClick(pipeline.stages["two"], Qt.Key.Key_Space)
    assert pipeline.stages["two"].isChecked()


def test_facts_are_read_aloud_with_what_is_private(pipeline):
    pipeline.show_facts({"one": (Fact("n = 3"), Fact("2 fell back", private=True))})
    assert pipeline.stages["one"].accessibleDescription() == "n = 3; 2 fell back (confidential)"
    assert pipeline.stages["two"].accessibleDescription() == ""
    pipeline.show_facts({})
    assert pipeline.stages["one"].accessibleDescription() == ""


def test_stages_that_do_not_apply_are_left_out(pipeline):
    pipeline.show_only(("one", "three"))
    assert pipeline.shown == ["one", "three"]
    assert not pipeline.stages["two"].isVisible()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_mark_of_private_facts_is_drawn(pipeline, palette):
    pipeline.set_palette(palette)

    def amber():
        image = pipeline.stages["one"].grab().toImage()
        return sum(
            image.pixelColor(x, y).name().upper() == palette.private.upper()
            for x in range(image.width())
            for y in range(image.height())
        )

    pipeline.show_facts({"one": (Fact("n = 3"),)})
    assert amber() == 0
    pipeline.show_facts({"one": (Fact("n = 3", private=True),)})
    assert amber() >= 9


def test_long_facts_do_not_push_the_window_wider(pipeline):
    before = pipeline.minimumSizeHint().width()
    pipeline.show_facts({"one": (Fact("a fact that is much longer than there is room for"),)})
    assert pipeline.minimumSizeHint().width() == before
    assert pipeline.stages["one"].sizeHint().width() > 200


def test_facts_are_whole_or_left_to_the_tip(pipeline):
    stage = pipeline.stages[next(iter(pipeline.stages))]
    short, long = Fact("n = 9"), Fact("a fact that is far too long for its box")
    stage.show_facts([short, long])
    assert stage.fitting(90) == [short]
    assert stage.fitting(2000) == [short, long]
    assert long.text in stage.toolTip()


def test_long_arrows_give_way_before_names_do(qtbot):
    many = Pipeline("Many", {f"stage{place}": (f"A long name {place}", "") for place in range(8)})
    outside = QWidget()  # a window would be kept as wide as its layout is now
    many.setParent(outside)
    qtbot.addWidget(outside)
    many.setFont(QFont(many.font().family(), 20))  # so that names have a least width
    outside.show()
    least = many.minimumSizeHint().width()
    for width, roomy in ((least + 400, True), (least, False), (least + 400, True)):
        many.resize(width, 80)
        QApplication.processEvents()
        assert (many.layout().spacing() == GAP) == roomy
        assert many.minimumSizeHint().width() == least
        assert all(stage.width() >= stage.minimumSizeHint().width() for stage in many.stages.values())
