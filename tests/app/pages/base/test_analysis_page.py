"""A page opens what may be seen in its view, and nothing else."""

from PySide6.QtWidgets import QWidget

from app.releases.text import asked_words, value_words


def test_a_private_picture_is_not_opened_by_its_name_in_the_release_view(shared):
    page = shared.body.pages["median"]
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    there = page.card.tab
    assert "k" not in page.card.shown
    page.show_tab("k")
    assert page.card.tab == there
    shared.session.show_view("curator")
    page.show_tab("k")
    assert page.card.tab == "k"


def test_a_picture_that_was_looked_at_keeps_no_room_once_another_one_is_open(shared):
    assert shared.wait_until_idle()
    card = shared.body.pages["median"].card
    for pictures in (card.pictures, card.split.second.pictures):
        high = QWidget()
        high.setMinimumSize(40, 5000)
        pictures.addWidget(high)
        assert pictures.currentWidget() is not high
        assert pictures.minimumSizeHint().height() < 5000
        high.setParent(None)
        high.deleteLater()


def test_the_noise_is_certified_after_the_picture_is_drawn(shared):
    page, events = shared.body.pages["median"], []
    page.card.pictures.finished.connect(lambda: events.append("drawn"))
    page.requester.ended.connect(lambda: events.append("computed"))
    page.certified.connect(lambda _: events.append("certified"))
    shared.session.edit("change epsilon", epsilon=0.7)
    assert shared.wait_until_idle()
    assert events.count("certified") == 2  # the chosen pair, then those of the papers
    before = events[: events.index("certified")]
    assert {"drawn", "computed"} <= set(before)


def test_the_release_view_says_first_that_nothing_is_released_and_then_the_newest_answer(shared):
    headline = shared.page.card.headline
    assert not headline.isVisible()
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    assert headline.isVisible()
    assert headline.text() == "No release to show here yet. Run makes one and spends ε = 1"
    place = headline.geometry()
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    (record,) = shared.session.state.releases
    assert headline.text() == f"{asked_words(record)}, released: {value_words(record)}"
    assert headline.geometry() == place
    shared.page.show_tab("audit")
    assert not headline.isVisible()
