"""Layers of pictures: declared with the picture, drawn alone or together."""

import matplotlib.pyplot as plt
import pytest

import engine
from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES
from app.plots.sensitivity.against_k import AgainstK

PICTURES = {spec.name: spec for page in (*PAGES.values(), AUDIT) for spec in page.pictures if spec.layers}


@pytest.fixture
def axes():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


@pytest.mark.parametrize("spec", PICTURES.values(), ids=PICTURES)
def test_the_declared_layers_are_those_of_the_picture(spec, axes):
    assert set(spec.drawn_by()(axes).layered) == set(spec.layers)


def test_only_chosen_layers_are_drawn_and_named(axes):
    data = engine.Sample([0, 0, 0, 10, 10], engine.Interval(0, 10))
    profile = engine.sensitivity_against_k(
        engine.SmoothRelease(query=engine.Median()), data, engine.Privacy(1)
    )
    picture = AgainstK(axes)
    whole = {}
    for layers in ((), ("local",), ()):
        picture.choose_layers(frozenset(layers))
        picture.update(profile)
        for layer, artists in picture.layered.items():
            assert all(one.get_visible() == (not layers or layer in layers) for one in artists)
        whole.setdefault(bool(layers), picture.labels.texts())
        assert picture.labels.texts() == whole[bool(layers)]
    assert [text.split()[0] for text in whole[True]] == ["local"]
    assert len(whole[False]) == 5
