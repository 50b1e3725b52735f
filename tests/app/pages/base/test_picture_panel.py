"""The card of pictures: its tools stand in the order that the pictures declare."""

from graphlib import CycleError

import pytest

from app.model.pages.clustering import BlocksOptions, EnlargeOptions
from app.model.picture_spec import PictureSpec, Seeded, TabTitle
from app.model.references import Analysis
from app.pages.base.picture_panel import groups_of
from app.window.layout import PAGES


def spec(*groups):
    return PictureSpec("one", TabTitle("One", "", ""), None, Analysis(lambda: max), groups)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_tools_stand_in_the_order_of_each_picture(page):
    order = groups_of(page.pictures)
    assert len(set(order)) == len(order)
    for picture in page.pictures:
        assert [group for group in order if group in picture.options] == list(picture.options)


def test_pictures_may_not_contradict_each_other():
    pictures = spec(BlocksOptions, Seeded), spec(EnlargeOptions, Seeded)
    assert groups_of(pictures)[-1] is Seeded
    with pytest.raises(CycleError):
        groups_of([*pictures, spec(Seeded, BlocksOptions)])
