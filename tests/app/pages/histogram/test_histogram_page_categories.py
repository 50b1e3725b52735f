"""The page about histograms of categories: tables and bars, and what the release view hides."""

import pytest
from seen import choose, option

from app.model.pages.audit import TAB as AUDIT
from app.session import Session

pytestmark = pytest.mark.usefixtures("roughly_drawn")


@pytest.fixture
def window(window_of):
    session = Session()
    session.show_page("histogram")
    window = window_of(session, 30_000)
    window.controllers.data.open_example("admissions")
    assert window.wait_until_idle(30_000)
    return window


def wait(window):
    assert window.wait_until_idle(30_000)
    return window.page.canvas.picture.result


@pytest.mark.slow
def test_a_table_of_two_columns_with_the_true_counts_beside(window):
    card = window.page.card
    choose(window.body.column.release.form.chooser("query").box, "contingency-table")
    view = wait(window)
    assert card.shown == ("table", AUDIT)
    assert (view.names, view.simulated) == (("admitted", "gender"), True)
    assert view.truth.tolist() == [[1198, 557], [1493, 1278]]
    assert window.page.notice.isHidden()
    option(card, "across").setCurrentIndex(1)
    option(card, "across").activated.emit(1)
    turned = wait(window)
    assert turned.names == ("gender", "admitted")
    assert turned.counts.tolist() == view.counts.T.tolist()
    option(card, "records").click()
    assert wait(window).truth is None
    window.controllers.releases.run()
    wait(window)
    window.session.show_view("release")
    view = wait(window)
    assert (view.truth, view.simulated) == (None, False)
    assert not window.page.canvas.private
    released = window.session.state.releases[-1].release.value
    assert view.counts.sum() == pytest.approx(sum(cell["count"] for cell in released["cells"]))
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_other_mechanisms_on_categories_have_bars(window):
    for query in ("sorted-histogram", "mode"):
        choose(window.body.column.release.form.chooser("query").box, query)
        view = wait(window)
        assert window.page.card.shown == ("bars", AUDIT)
        assert view.simulated
        assert view.truth.sum() == 4526
    window.session.show_view("release")
    assert window.wait_until_idle(30_000)
    assert "Run makes one and spends ε" in window.page.card.waiting.text()
    assert not window.body.messages.texts()
