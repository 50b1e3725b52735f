"""Declarations of pages: their options stand in the order that the pictures declare."""

import pytest

from app.model.page_spec import PageSpec
from app.model.pages.clustering import BlocksOptions, EnlargeOptions
from app.model.pages.registry import PAGES
from app.model.picture_spec import PictureSpec, Seeded, TabTitle
from app.model.references import Analysis


def page(*pictures):
    title, analysis = TabTitle("One", "", ""), Analysis(lambda: max)
    specs = tuple(PictureSpec(str(at), title, None, analysis, one) for at, one in enumerate(pictures))
    return PageSpec("one", "One", "ones", pictures=specs)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_options_stand_in_the_order_of_each_picture(page):
    assert len(set(page.groups)) == len(page.groups)
    for picture in page.pictures:
        assert [group for group in page.groups if group in picture.options] == list(picture.options)


def test_pictures_may_not_contradict_each_other():
    pictures = (BlocksOptions, Seeded), (EnlargeOptions, Seeded)
    assert page(*pictures).groups[-1] is Seeded
    with pytest.raises(ValueError, match="pictures of the page 'one' order their options in different ways"):
        page(*pictures, (Seeded, BlocksOptions))
