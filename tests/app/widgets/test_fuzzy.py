"""Finding lines by a few of their letters."""

import random
import time

import pytest

from app.widgets.fuzzy import line, match, terms

LINES = [
    ("Method", "Exponential mechanism"),
    ("Method", "Smooth sensitivity"),
    ("Query", "Median"),
    ("Query", "Mean"),
    ("Function", "Median"),
    ("Aggregator", "Median of each coordinate"),
    ("Noise", "Gaussian"),
    ("Noise", "Laplace core, Pareto tail"),
    ("Example", "Palmer penguins"),
    ("File", "Save figure"),
    ("File", "Export data"),
]


def found(typed):
    """Return the lines that fit, best first."""
    fits = []
    for group, text in LINES:
        hit = match(terms(typed), line(f"{group}: {text}", f"{group}: "))
        if hit is not None:
            fits.append((-hit.score, f"{group}: {text}"))
    return [name for _, name in sorted(fits)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("expo m", "Method: Exponential mechanism"),
        ("EXPONENTIAL", "Method: Exponential mechanism"),
        ("em", "Method: Exponential mechanism"),
        ("exme", "Method: Exponential mechanism"),
        ("mech exp", "Method: Exponential mechanism"),
        ("gauss", "Noise: Gaussian"),
        ("noise g", "Noise: Gaussian"),
        ("pareto", "Noise: Laplace core, Pareto tail"),
        ("fig", "File: Save figure"),
        ("sf", "File: Save figure"),
        ("function med", "Function: Median"),
        ("mean", "Query: Mean"),
    ],
)
def test_a_few_letters_find_what_is_meant(typed, first):
    assert found(typed)[0] == first


def test_all_terms_must_fit():
    assert found("median zebra") == []
    assert found("noise median") == []
    assert len(found("")) == len(LINES)


def test_the_text_counts_more_than_the_heading():
    names = found("me")
    assert names.index("Query: Mean") < names.index("Method: Smooth sensitivity")


def test_letters_that_fit_are_told():
    text = "Method: Exponential mechanism"
    hit = match(["exme"], line(text, "Method: "))
    assert "".join(text[letter] for letter in hit.letters) == "Exme"
    assert hit.letters == (8, 9, 20, 21)
    # letters whose lower case is longer keep their places
    assert match(["b"], line("İİ b", "")).letters == (3,)


def test_hostile_lines_are_searched_promptly():
    rng = random.Random(1)
    lines = [line(" ".join(rng.choice("ab") for _ in range(400))) for _ in range(50)]
    start = time.process_time()
    for one in lines:
        match(terms("a" * 60 + "c"), one)
        match(terms("ab" * 12), one)
        match(terms("a" * 23 + "c"), one)
    # without a memory of dead ends one of them would take longer than the universe has lasted
    assert time.process_time() - start < 2.0
