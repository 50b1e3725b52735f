"""Layers of pictures: each can be drawn alone, and what is hidden is neither named nor read aloud."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

import engine
from app.model.pages.registry import layers_of
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.noise_densities import NoiseDensities


@pytest.fixture
def axes():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def test_every_layer_can_be_hidden_and_comes_back(result):
    picture_class, shown, unit = result
    picture = picture_class(Figure().subplots(), unit=unit)
    picture.update(shown)
    whole = picture.alt_text(), picture.labels.texts(), visible(picture)
    alone = []
    for layer in picture.layers():
        picture.choose_layers(frozenset({layer}))
        picture.update(shown)
        if picture.layer_fields:
            others = set(picture.layer_fields) - {layer}
            hidden = [getattr(picture.result, name) for one in others for name in picture.layer_fields[one]]
            assert all(part is None or part == () for part in hidden), layer
        alone += picture.labels.texts()
        for name, artists in picture.layered.items():
            if name != layer and not picture.layer_fields:
                assert not any(artist.get_visible() for artist in artists), (layer, name)
        picture.choose_layers(frozenset())
        picture.update(shown)
        assert (picture.alt_text(), picture.labels.texts(), visible(picture)) == whole, layer
    if isinstance(picture, NoiseDensities):  # its series have the colours of other meanings
        assert sorted(alone) == sorted(whole[1])


def visible(picture):
    return [artist.get_visible() for artist in picture.artists]


def test_layers_have_the_names_of_meanings():
    assert set(layers_of("median", "k")) == {"local", "at-distance", "discounted", "smooth", "global"}
    assert set(layers_of("median", "path")) == {"answer", "local", "smooth", "global"}
    assert set(layers_of("median", "distribution")) == {"truth", "noise", "released"}
    assert {"laplace", "gaussian"} <= set(layers_of("median", "noise"))
    assert set(layers_of("one-cluster", "ball")) == {"records", "boxes", "truth", "released"}
    assert set(layers_of("median", "audit", "outcomes")) == {"outcomes", "event"}
    assert layers_of("median", "audit", "guess-who") == ()


def test_what_is_hidden_is_not_said(axes):
    data = engine.Sample([0, 0, 0, 10, 10], engine.Interval(0, 10))
    profile = engine.sensitivity_against_k(
        engine.SmoothRelease(query=engine.Median()), data, engine.Privacy(1)
    )
    picture = AgainstK(axes)
    picture.update(profile)
    assert len(picture.labels.texts()) == 5
    assert "global" in picture.alt_text()
    assert picture.tooltip(1.0)
    picture.choose_layers(frozenset({"local"}))
    picture.update(profile)
    assert [text.split()[0] for text in picture.labels.texts()] == ["local"]
    assert picture.alt_text() == picture.labels.texts()[0]
    assert picture.tooltip(1.0) == ""
