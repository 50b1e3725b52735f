"""Titles of cards, in little room."""

from app.widgets.card import Title


def test_a_file_gives_up_its_ending_before_its_name(qtbot):
    title = Title("three-clusters.csv")
    qtbot.addWidget(title)
    title.show()
    whole = title.sizeHint().width()
    title.resize(whole, 20)
    assert title.text() == "three-clusters.csv"
    title.resize(whole - 8, 20)
    assert (title.text(), title.toolTip()) == ("three-clusters", "three-clusters.csv")
    title.set_text("Typical error at 0.25")
    assert not title.text().endswith("at 0")
