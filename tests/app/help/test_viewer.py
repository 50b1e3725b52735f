"""The window of help pages: F1, links, search, back and forward, and links in "What is this?"."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextBlockFormat, QWhatsThisClickedEvent
from PySide6.QtWidgets import QApplication, QWhatsThis

from app.help.viewer import HelpWindow
from app.model.texts.pages import page
from engine import BlackBox

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def helped(shared: Any) -> Iterator[Any]:
    """Return a window whose help is closed again after the test."""
    yield shared
    shared.controllers.help.viewer.close()


def opened(window: Any) -> HelpWindow:
    """Return the help, with its page drawn."""
    assert window.wait_until_idle()
    viewer = window.controllers.help.viewer
    assert viewer.isVisible()
    assert viewer.view.page is not None
    assert viewer.view.page.key == viewer.key
    return viewer


@pytest.mark.slow
def test_help_opens_what_is_chosen_on_each_page(helped: Any) -> None:
    action = helped.actions_by_name["help"]
    assert action.shortcut().toString() == "F1"
    for shown, key, link in (
        ("median", "queries/median", "noises/auto"),
        ("spanning-tree", "queries/mst", "methods/smooth"),
        ("lessons", "topics/start", ""),
    ):
        helped.session.show_page(shown)
        action.trigger()
        viewer = opened(helped)
        assert viewer.key == key
        assert viewer.windowTitle().startswith(page(*key.split("/")).title)
        assert f'href="help:{link}"' in viewer.chosen.text() or not link
    helped.session.show_page("median")
    helped.session.edit("change the method", method="exponential")
    assert "methods/exponential" in helped.controllers.help.viewer.chosen.text()
    assert "noises/" not in helped.controllers.help.viewer.chosen.text()


def test_links_go_on_and_back(helped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    helped.controllers.help.show_page("queries/median")
    viewer = opened(helped)
    assert not viewer.forward.isEnabled()
    viewer.view.anchorClicked.emit(QUrl("help:methods/smooth"))
    assert opened(helped).key == "methods/smooth"
    assert viewer.tree.currentItem().text(0) == viewer.view.page.title
    viewer.back.click()
    assert opened(helped).key == "queries/median"
    viewer.forward.click()
    assert opened(helped).key == "methods/smooth"
    viewer.go_home()
    assert opened(helped).key == "topics/start"
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toString()))
    viewer.view.anchorClicked.emit(QUrl("https://example.org/paper"))
    assert asked == ["https://example.org/paper"]
    assert viewer.key == "topics/start"


@pytest.mark.slow
def test_search_lists_pages_and_opens_the_first(helped: Any, qtbot: Any) -> None:
    helped.controllers.help.show_page("queries/median")
    viewer = opened(helped)
    everything = len(viewer._items())
    qtbot.keyClicks(viewer.sought, "pareto tail")
    assert 0 < len(viewer._items()) < everything
    assert viewer.tree.topLevelItem(0).text(0).endswith("found")
    qtbot.keyClick(viewer.sought, Qt.Key.Key_Return)
    assert opened(helped).key == "noises/lcp"
    viewer.sought.setText("xyzzy")
    assert viewer.tree.topLevelItem(0).text(0) == "No match"
    qtbot.keyClick(viewer, Qt.Key.Key_Escape)
    assert viewer.sought.text() == ""
    assert viewer.isVisible()
    assert len(viewer._items()) == everything


@pytest.mark.slow
def test_formulas_are_pictures_in_ink_that_can_be_copied(helped: Any) -> None:
    helped.controllers.help.show_page("noises/lcp")
    viewer = opened(helped)
    view = viewer.view
    assert set(view._drawn) == set(view.page.formulas)
    sharp = [picture.devicePixelRatio() for picture in view._pictures.values()]
    assert set(sharp) == {view.devicePixelRatioF()}
    layout, size = view.document().documentLayout(), view.document().size()
    spots = ((x, y) for y in range(0, int(size.height()), 6) for x in range(0, int(size.width()), 6))
    assert next(filter(None, (view.formula_at(QPointF(x, y)) for x, y in spots))) in view.page.formulas
    assert layout.imageAt(QPointF(1, 1)) == ""
    blocks = [view.document().findBlockByNumber(i) for i in range(view.document().blockCount())]
    alone = [block for block in blocks if block.text() == "\ufffc"]
    assert len(alone) >= 3
    for block in alone:  # no formula reaches into the lines around it
        assert block.layout().boundingRect().height() >= 20
        kind = QTextBlockFormat.LineHeightTypes(block.blockFormat().lineHeightType())
        assert kind != QTextBlockFormat.LineHeightTypes.FixedHeight
    light = next(iter(view._pictures.values())).copy()
    helped.controllers.appearance.set_theme("dark")
    opened(helped)
    assert next(iter(view._pictures.values())) != light
    helped.controllers.appearance.set_theme("light")
    assert "h(z) ∝ e^(-|z|)" in view.accessibleDescription()


def test_small_buttons_and_links_in_popups_open_pages(helped: Any) -> None:
    form = helped.body.column.release
    form.form.chooser("method").help_button.click()
    assert opened(helped).key == f"methods/{helped.session.state.mechanism.name}"
    QCoreApplication.sendEvent(form.form.chooser("noise").box, QWhatsThisClickedEvent("help:noises/lcp"))
    assert opened(helped).key == "noises/lcp"
    helped.controllers.help.show_page(f"functions/{BlackBox.name}")
    assert opened(helped).key == "topics/functions-from-a-file"
    assert not helped.controllers.help.follow_link("#details")


def test_asking_twice_tells_about_what_has_the_keyboard(helped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    box, ask = helped.body.column.release.form.chooser("method").box, helped.actions_by_name["what_is_this"]
    monkeypatch.setattr(QWhatsThis, "showText", lambda place, text, widget: told.append(text))
    monkeypatch.setattr(QApplication, "focusWidget", lambda: box)
    ask.trigger()
    assert QWhatsThis.inWhatsThisMode()
    assert told == []
    ask.trigger()
    assert not QWhatsThis.inWhatsThisMode()
    assert told == [box.whatsThis()]
    assert "How it is protected" in told[0]


def test_place_of_the_help_is_remembered(helped: Any) -> None:
    viewer = helped.controllers.help.viewer
    viewer.resize(612, 534)
    kept = helped.controllers.help.geometry
    other = HelpWindow(helped, helped.jobs.channel("another help"))
    other.restoreGeometry(kept)
    assert (other.width(), other.height()) == (612, 534)
    other.deleteLater()
