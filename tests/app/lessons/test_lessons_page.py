"""The list of lessons: thumbnails fit both themes."""

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from app.lessons.lessons_page import darkened
from app.lessons.reading import lessons
from app.model.theme import DARK, LIGHT
from app.widgets.style import THEME


def test_a_dark_thumbnail_goes_from_card_to_ink_and_keeps_its_hues(qapp):
    picture = QImage(5, 2, QImage.Format.Format_RGB32)  # 15 bytes a row, padded
    colours = ("#FFFFFF", "#000000", LIGHT.smooth, LIGHT.local, "#FFFFFF")
    for x, colour in enumerate(colours):
        for y in range(2):
            picture.setPixelColor(x, y, QColor(colour))
    result = darkened(picture, DARK)
    assert result.size() == picture.size()
    for y in range(2):
        pixels = [result.pixelColor(x, y) for x in range(5)]
        assert pixels[0] == pixels[4] == QColor(DARK.card)
        assert pixels[1] == QColor(DARK.ink)
        for pixel, colour in zip(pixels[2:4], colours[2:4], strict=True):
            assert abs(pixel.hue() - QColor(colour).hue()) < 12
            assert pixel.lightness() > QColor(colour).lightness()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)
def test_thumbnails_have_the_background_of_their_card(stage, palette):
    stage.session.show_page("lessons")
    stage.wait_until_idle()
    page = stage.body.pages["lessons"]
    THEME.choose(palette)
    assert len(page.cards) == len(lessons()[0])
    for card in page.cards:
        corner = card._thumbnail.pixmap().toImage().pixelColor(0, 0)
        assert abs(corner.lightness() - QColor(palette.card).lightness()) < 8, card.lesson.name


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1440, 900), (1920, 1080)])
@pytest.mark.parametrize(
    ("percent", "presents", "fits"),
    [("100", False, 1280), ("125", False, 1280), ("150", False, 1440), ("100", True, 1280)],
)
def test_cards_are_equally_wide_and_nothing_is_cut_off(stage, size, percent, presents, fits):
    stage.session.show_page("lessons")
    stage.settings.change(size=percent)
    stage.controllers.appearance.set_presentation(presents)
    stage.resize(*size)
    stage.wait_until_idle()
    page = stage.body.pages["lessons"]
    view = page._scroll.viewport()
    assert page._scroll.widget().width() <= view.width()
    widths = {card.width() for card in page.cards}
    assert max(widths) - min(widths) <= 1
    assert view.width() // min(widths) == (2 if size[0] >= fits else 1)  # side by side from that width on
    if presents and size == (1280, 720):
        seen = [card for card in page.cards if view.rect().contains(card.visibleRegion().boundingRect())]
        assert len([card for card in seen if card.visibleRegion().boundingRect() == card.rect()]) >= 6
    assert all(card.height() >= card.heightForWidth(card.width()) for card in page.cards)
    labels = [label for card in page.cards for label in card.findChildren(QLabel) if label.isVisible()]
    assert not [label.text() for label in labels if label.height() < label.heightForWidth(label.width())]
    assert not [label.text() for label in labels if label.width() < label.minimumSizeHint().width()]
    stage.controllers.appearance.set_presentation(False)


def test_lessons_stand_under_the_heading_of_their_topic_in_their_order(stage):
    stage.session.show_page("lessons")
    stage.wait_until_idle()
    page = stage.body.pages["lessons"]
    topics = list(dict.fromkeys(card.lesson.topic for card in page.cards))
    headings = {label.text(): label.y() for label in page.findChildren(QLabel) if label.text() in topics}
    assert sorted(headings, key=headings.__getitem__) == topics
    for card in page.cards:
        below = [topic for topic in topics if headings[topic] < card.y()]
        assert below[-1] == card.lesson.topic
