"""Text is legible and meanings differ, in all themes."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from app.model.theme import LEGIBLE, PALETTES, SERIES_STROKES, STROKES, Palette, contrast, luminance, mix

both = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#FFFFFF", "#FFFFFF") == 1
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert luminance("#FF0000") == pytest.approx(0.2126)


def test_mix_goes_from_one_colour_to_the_other():
    assert mix("#102030", "#F0E0D0", 0) == "#102030"
    assert mix("#102030", "#F0E0D0", 1) == "#F0E0D0"
    assert mix("#000000", "#FFFFFF", 0.5) == "#808080"


@both
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("on_private", "private"),
        ("ink", "background"),
        ("ink", "card"),
        ("ink", "field"),
        ("muted", "background"),
        ("muted", "card"),
        ("muted", "field"),
        ("error", "card"),
    ],
)
def test_text_is_legible(palette: Palette, text: str, ground: str):
    assert contrast(getattr(palette, text), getattr(palette, ground)) >= LEGIBLE


@both
def test_line_labels_are_legible(palette: Palette):
    for role in STROKES:
        assert contrast(palette.text(getattr(palette, role)), palette.card) >= LEGIBLE
    for colour in (*palette.series, *palette.contenders):
        assert contrast(palette.text(colour), palette.card) >= LEGIBLE
        assert not palette.dark or colour in palette.series or contrast(colour, palette.card) >= LEGIBLE


@both
def test_lines_stand_out_from_the_card(palette: Palette):
    for colour in [getattr(palette, role) for role in STROKES] + list(palette.series):
        assert contrast(colour, palette.card) >= 3
    assert contrast(palette.grid, palette.card) < 1.6


@both
def test_every_colour_is_written_alike(palette: Palette):
    for field in dataclasses.fields(palette):
        value = getattr(palette, field.name)
        for colour in value if isinstance(value, tuple) else (value,):
            if field.name not in ("name", "faintest"):
                assert colour == mix(colour, colour, 0)


@both
def test_meanings_differ_by_colour_and_by_stroke(palette: Palette):
    for one, other in itertools.combinations(STROKES, 2):
        assert getattr(palette, one) != getattr(palette, other)
        assert STROKES[one] != STROKES[other]
    assert len(set(SERIES_STROKES)) == len(SERIES_STROKES) == len(palette.series)
    assert STROKES["smooth"] not in SERIES_STROKES


@pytest.mark.parametrize("stroke", [*STROKES.values(), *SERIES_STROKES])
def test_samples_end_with_a_whole_dash(stroke):
    length, style = stroke.sample(18.0)
    assert 0 < length <= 18.1
    if stroke.dashes:
        (_, dashes) = style
        ends = np.cumsum(stroke.width * np.array(8 * dashes))[::2]
        index = int(np.argmin(np.abs(ends - length)))
        assert ends[index] == pytest.approx(length)
        assert index >= 1
        assert np.array(dashes) * stroke.dashes[0] == pytest.approx(np.array(stroke.dashes) * dashes[0])


def test_dark_themes_are_dark():
    assert {name for name, palette in PALETTES.items() if palette.dark} == {"dark", "contrast-dark"}


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_high_contrast_is_that_of_the_stricter_level(name: str):
    """WCAG 2.2, success criteria 1.4.6 (text, 7:1) and 1.4.11 (edges, 3:1)."""
    palette = PALETTES[name]
    for text in ("ink", "muted", "accent", "error", *STROKES):
        assert contrast(getattr(palette, text), palette.card) >= 7, text
    assert contrast(palette.border, palette.card) >= 3


# What is left of colours (linear light) without the long or the middle cones: Machado, Oliveira and
# Fernandes 2009, table 1, severity 1.
CONES = (
    np.eye(3),
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
)
XYZ = np.array([[0.4339, 0.3763, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8729]])
"""From linear light to what is seen, of white (D65)."""


def _seen(colour, cones):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(XYZ @ np.clip(np.asarray(cones) @ linear, 1e-4, 1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@both
@pytest.mark.parametrize("cones", CONES)
def test_six_contenders_are_told_apart_by_everybody(palette: Palette, cones):
    """At least 14 units of CIELAB apart; where there are more, dashes and marks tell them apart."""
    for one, other in itertools.combinations(palette.contenders[:6], 2):
        assert np.linalg.norm(_seen(one, cones) - _seen(other, cones)) > 14, (one, other)


@both
@pytest.mark.parametrize("cones", CONES)
def test_further_contenders_differ_from_all_others(palette: Palette, cones):
    """Twelve: only the colours of released and local values may look like one of the first six."""
    assert len(palette.contenders) == 12
    for one, other in itertools.product(palette.contenders[8:], palette.contenders):
        assert one == other or np.linalg.norm(_seen(one, cones) - _seen(other, cones)) > 14, (one, other)
    for colour in palette.contenders:
        assert contrast(colour, palette.card) >= 3
