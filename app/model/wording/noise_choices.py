"""What is said of noise that a rule chooses."""

from __future__ import annotations

from app.model.wording.numbers import short
from engine.noise import Noise
from engine.noise.automatic import Choice

MODELS = {
    1.0: "S* = c/β, the usual case for ranks",
    0.5: "S* = c/√β, between a rank and a sum",
    0.0: "an S* that is the same for every β",
}
"""The public models of the sensitivity, by how S* falls."""

BLOCKS = "Of outputs of blocks it is this one, whatever the budget: how S falls there is another matter."


def name_of(noise: Noise) -> str:
    """Name a family with its shape.

    >>> from engine.noise import ArsinhNormal, Laplace
    >>> name_of(ArsinhNormal(sigma=1.4)), name_of(Laplace())
    ('Arsinh-normal, σ = 1.4', 'Laplace')
    """
    shapes = (f"{one.label.split()[-1]} = {short(getattr(noise, one.name))}" for one in noise.parameters())
    return ", ".join((noise.label, *shapes))


def choice_words(choice: Choice) -> str:
    """Say what is chosen, with the share of epsilon for sliding."""
    return f"{name_of(choice.noise)}, share {short(choice.split, 2)}"


def rule_words(decline: float) -> str:
    """Say by what rule."""
    return (
        f"The least median error of a release if {MODELS[decline]}: from ε, δ and the query alone, never "
        "from the data. Bars: the median error of each family, with its best shape and sliding share, in "
        "multiples of the least."
    )
