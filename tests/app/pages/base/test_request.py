"""What was worked out for a picture is remembered beside the data: coming back works out nothing again."""

import pytest

from app.model.picture_spec import PictureSpec

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def asked(monkeypatch):
    """The names of all pictures that were worked out."""
    names, compute = [], PictureSpec.compute

    def listen(spec, known, *, public):
        names.append(spec.name)
        return compute(spec, known, public=public)

    monkeypatch.setattr(PictureSpec, "compute", listen)
    return names


def open_page(window, page):
    window.session.show_page(page)
    assert window.wait_until_idle()


@pytest.mark.slow
def test_who_comes_back_finds_what_is_known(shared, asked):
    page, said = shared.body.pages["median"], []
    page.judged.connect(said.append)
    shared.session.edit("change epsilon", epsilon=0.7)
    assert shared.wait_until_idle()
    assert asked == ["k"]
    told, result = said[-1], page.canvas.picture.result
    open_page(shared, "lessons")
    open_page(shared, "median")
    assert asked == ["k"]
    assert page.canvas.picture.result is result
    assert said[-1] == told
    for tab in ("epsilon", "k"):
        page.show_tab(tab)
        assert shared.wait_until_idle()
    assert asked == ["k", "epsilon"]
    page.judged.disconnect(said.append)


def test_other_choices_are_worked_out_anew(shared, asked):
    shared.session.edit("change epsilon", epsilon=0.9)
    assert shared.wait_until_idle()
    open_page(shared, "lessons")
    shared.session.edit("change epsilon", epsilon=0.8)
    open_page(shared, "median")
    assert asked == ["k"] * 2
    page = shared.body.pages["median"]
    before = page.canvas.picture.result
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    assert page.canvas is None or page.canvas.picture.result is not before
    shared.session.show_view("curator")
    page.show_tab("k")
    assert shared.wait_until_idle()
    assert page.canvas.picture.result is before
    assert asked.count("k") == 2


def test_what_was_stopped_halfway_is_worked_out_when_one_comes_back(shared, asked):
    shared.session.edit("change epsilon", epsilon=1.1)
    shared.session.show_page("lessons")
    assert shared.wait_until_idle()
    asked.clear()
    open_page(shared, "median")
    assert asked == ["k"]
