"""A page opens what may be seen in its view, and nothing else."""


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
