"""The window fits where users show it, and can be used without a mouse."""

import re
from collections import Counter

import pytest
from fitting import misfits
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from seen import PRESENTATION, SIZES, TABS, clipped, tabbed

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("presentation", PRESENTATION)
def test_nothing_is_clipped_at_usual_sizes(first_window, size, presentation):
    window = first_window
    window.resize(*size)
    assert window.wait_until_idle()
    window.controllers.appearance.set_presentation(presentation)
    assert window.wait_until_idle()
    least = window.minimumSizeHint()
    assert least.width() <= size[0]
    assert least.height() <= size[1]
    assert (window.width(), window.height()) == size
    for view in ("curator", "release", "curator"):
        window.session.show_view(view)
        for tab in TABS if view == "curator" else ("noise",):
            window.body.pages["median"].show_tab(tab)
            assert window.wait_until_idle()
            assert clipped(window) == [], (view, tab)
    window.controllers.appearance.set_presentation(False)
    assert window.wait_until_idle()
    assert (window.width(), window.height()) == size
    assert not window.body.column.verticalScrollBar().isVisible()
    window.resize(1280, 800)


def test_a_narrow_window_folds_the_controls_and_keeps_words(window):
    body, controls = window.body, window.actions_by_name["controls"]
    window.resize(1024, 768)
    assert window.wait_until_idle()
    assert body.navigation.pages.item(2).text() == "Median & quantiles"
    assert body.navigation.view.button("release").text() == "Release"
    assert not body.column.isVisible()
    assert not controls.isChecked()
    assert body.strip.isVisible()
    assert body.run.isVisible()
    body.unfold.click()  # then the list of pages has icons
    assert window.wait_until_idle()
    assert body.column.isVisible()
    assert not body.run.isVisible()
    assert body.navigation.pages.item(2).text() == ""
    assert "Median & quantiles" in body.navigation.pages.item(2).toolTip()
    assert body.navigation.view.button("release").accessibleName() == "Release"
    assert misfits(window) == []
    window.resize(1280, 800)
    assert window.wait_until_idle()
    assert body.column.isVisible()
    assert not body.unfold.isVisible()
    assert body.navigation.pages.item(2).text() == "Median & quantiles"
    controls.trigger()  # F9
    assert window.wait_until_idle()
    assert not body.column.isVisible()
    window.resize(1024, 768)
    assert window.wait_until_idle()
    assert body.column.isVisible()  # as it was chosen for narrow windows
    controls.trigger()
    assert not body.column.isVisible()
    window.resize(1280, 800)
    controls.trigger()
    assert body.column.isVisible()


def test_run_is_at_hand_while_the_controls_are_folded(window):
    window.resize(1024, 768)
    assert window.wait_until_idle()
    window.body.run.click()
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 1
    assert window.body.history.isVisible()
    window.resize(1280, 800)


def test_tabs_come_back_with_the_curator(window):
    before = [window.body.pages["median"].card.tabs.tabText(i) for i in range(5)]
    window.session.show_view("release")
    assert window.wait_until_idle()
    window.session.show_view("curator")
    assert window.wait_until_idle()
    assert [window.body.pages["median"].card.tabs.tabText(i) for i in range(5)] == before
    assert clipped(window) == []


def test_no_two_fields_answer_to_the_same_letter(window):
    window.body.column.release.tuning_button.setChecked(True)
    for tab in TABS:
        window.body.pages["median"].show_tab(tab)
        assert window.wait_until_idle()
        texts = [action.text() for action in window.menuBar().actions()]
        texts += [
            widget.text()
            for widget in [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
            if widget.isVisibleTo(window)
        ]
        letters = [re.search(r"&(\w)", text.replace("&&", "")) for text in texts if "<a" not in text]
        counts = Counter(letter[1].lower() for letter in letters if letter)
        assert max(counts.values()) == 1, counts


def test_tab_reaches_everything_in_the_order_of_the_eye(window):
    window.body.column.release.tuning_button.setChecked(True)
    window.body.pages["median"].show_tab("distribution")
    assert window.wait_until_idle()
    names = tabbed(window)
    assert all(names)
    expected = [
        "Pages",
        "Pictures",
        "The data as a strip of dots",
        "Possible releases: theory and simulation",
        "Column of the data",
        "Lower bound",
        "Epsilon",
        "Delta",
        "Query",
        "Even n",
        "How it is protected",
        "Family of the noise",
        "Constants",
        "Verified: ε ≤ 1",
        "Run: make one release",
    ]
    assert [name for name in names if name in expected] == expected


def test_the_certificate_tells_about_the_pairs_in_print(window):
    window.body.column.release.form.chooser("noise").box.setCurrentIndex(
        window.body.column.release.form.chooser("noise").box.findData("generalized-cauchy")
    )
    window.body.column.release.form.chooser("noise").box.activated.emit(
        window.body.column.release.form.chooser("noise").box.currentIndex()
    )
    assert window.wait_until_idle()
    assert "Verified: ε ≤ " in window.body.column.release.certificate.text()
    dialog = window.body.column.release.show_details()
    words = dialog.findChild(QLabel).text()
    assert "Example 2: α = 0.0625, β = 0.25 is DP" in words
    assert "Definition 2.4 is violated" in words
    assert "Definition 2.4 holds" in words
    dialog.close()


def test_a_method_without_noise_has_no_certificate(window):
    window.body.column.release.form.chooser("method").box.setCurrentIndex(
        window.body.column.release.form.chooser("method").box.findData("exponential")
    )
    window.body.column.release.form.chooser("method").box.activated.emit(
        window.body.column.release.form.chooser("method").box.currentIndex()
    )
    assert window.wait_until_idle()
    assert not window.body.column.release.certificate.isVisible()


def test_the_noise_is_chosen_in_sight(window):
    """Also while How is closed, and the noise is the usual one."""
    release = window.body.column.release
    assert not release.tuning_button.isChecked()
    assert release.form.chooser("noise").box.isVisible()
    assert "Noise" not in release.tuning_button.toolTip()


def test_families_that_need_delta_are_named(window):
    window.body.pages["median"].show_tab("noise")
    assert window.wait_until_idle()
    families = window.body.pages["median"].card.note
    assert families.isVisible()
    assert families.text().startswith("Possible with δ > 0: ")
    assert "Gaussian" in families.text()
    window.body.column.privacy.delta.type_in("1e-6")
    assert window.wait_until_idle()
    assert not families.isVisible()


def test_hidden_pictures_describe_nothing_in_release_view(window):
    for tab in TABS:
        window.body.pages["median"].show_tab(tab)
        assert window.wait_until_idle()
    window.session.show_view("release")
    assert window.wait_until_idle()
    for widget in window.findChildren(QWidget):
        assert "31.25" not in widget.accessibleDescription()
        assert widget.isVisibleTo(window) or "sensitivity" not in widget.accessibleDescription()


def test_nothing_is_computed_after_the_window_was_closed(window_on):
    window = window_on([1.0, 2.0, 3.0])
    window.body.column.privacy.epsilon.type_in("2")
    window.close()
    window.body.pages["median"].refresh(frozenset({"epsilon"}))
    assert window.wait_until_idle()
    assert not window.jobs.busy


def test_a_column_with_missing_values_leaves_them_out(first_window):
    window = first_window
    window.controllers.data.open_example("penguins")
    assert window.wait_until_idle()
    assert "2 rows left out" in window.body.column.data.facts.text()
    window.controllers.data.choose(column="bill_length_mm")
    assert window.wait_until_idle()
    assert window.controllers.imports.dialog is None
    assert (window.session.state.data.column, window.session.state.data.missing) == ("bill_length_mm", "drop")


def test_an_epsilon_beyond_the_sweep_is_in_the_picture(window):
    window.body.pages["median"].show_tab("epsilon")
    window.body.column.privacy.epsilon.type_in("0.0001")
    assert window.wait_until_idle()
    result = window.body.pages["median"].canvas.picture.result
    assert result.epsilons[0] <= 0.0001
    assert result.current_smooth > 0


@pytest.mark.slow
def test_a_refusal_is_told_with_its_price(window):
    window.body.column.privacy.delta.type_in("1e-6")
    window.body.column.release.form.chooser("method").box.setCurrentIndex(
        window.body.column.release.form.chooser("method").box.findData("propose-test-release")
    )
    window.body.column.release.form.chooser("method").box.activated.emit(
        window.body.column.release.form.chooser("method").box.currentIndex()
    )
    window.session.set_parameter(1e-6, "bound")
    assert window.wait_until_idle()
    window.controllers.run.start()
    assert window.wait_until_idle()
    assert window.session.state.releases[-1].release.value is None
    assert "refused to answer; ε = 1 is spent anyway" in window.controllers.status.text()


def test_run_is_seen_wherever_the_forms_are_scrolled_to(window, qtbot):
    """And stands at the lower end, so that no form moves it; where more of them lies below, they fade out."""
    column = window.body.column
    for height in (500, 1400):
        window.resize(1280, height)
        assert window.wait_until_idle()
        bar, run = column.verticalScrollBar(), column.release.run
        assert (bar.maximum() > 0) == (height == 500)
        for place in (0, bar.maximum()):
            bar.setValue(place)
            top = run.mapTo(window, run.rect().topLeft()).y()
            lower_end = column.mapTo(window, column.rect().bottomLeft()).y()
            assert run.visibleRegion().boundingRect() == run.rect()
            assert abs(top + run.height() - lower_end) <= 1
            assert column.fade.isVisible() == (place < bar.maximum())
    qtbot.mouseClick(column.release.run, Qt.MouseButton.LeftButton)
    assert window.wait_until_idle()
    assert window.session.state.releases
