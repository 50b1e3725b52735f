"""What the demo goes through: examples, queries, methods and noises, and their figures."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data import EXAMPLES, load_example
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import MECHANISMS, SmoothRelease
from engine.noise import NOISES, LaplacePareto
from engine.privacy import Privacy
from engine.queries import QUERIES, Median
from engine.queries.profile import sensitivity_profile

if TYPE_CHECKING:
    from app.verbs.shared.figures import Panel
    from engine.data import Example
    from engine.mechanisms.base import Mechanism
    from engine.queries.base import Query

EPSILON, DELTA = 1.0, 1e-6
STAR = "salaries"
"""The example on which every picture is drawn; the others get one page each."""


@functools.cache
def sample_of(name: str) -> Sample:
    """Return an example within the public bounds of its card; records without a value are left out."""
    card = EXAMPLES[name]
    values = load_example(name).numbers(card.column, missing="drop").values
    return Sample(values, Interval(card.lower, card.upper))


def queries() -> tuple[Query[Sample], ...]:
    """Return every query, with its default parameters."""
    return tuple(cls() for cls in QUERIES.values())


def methods(query: Query[Sample], sample: Sample) -> Iterator[tuple[Mechanism[Any], Privacy]]:
    """Yield every method that applies, with a delta only where it needs one."""
    # a public proposal for propose-test-release: a share of the worst case
    proposed = {"bound": query.global_sensitivity(sample.domain, sample.n) / 100}
    for cls in MECHANISMS.values():
        declared = {parameter.name for parameter in cls.parameters()}
        mechanism = cls(query, **{name: value for name, value in proposed.items() if name in declared})
        for asked in (Privacy(EPSILON), Privacy(EPSILON, DELTA)):
            if not mechanism.problems(asked, sample.domain, sample.n):
                yield mechanism, asked
                break


def noises(query: Query[Sample]) -> Iterator[tuple[SmoothRelease, Privacy]]:
    """Yield smooth release with every family of noise but the default one."""
    for cls in NOISES.values():
        if cls is not LaplacePareto:
            yield SmoothRelease(query, noise=cls()), Privacy(EPSILON, DELTA if cls.needs_delta else 0.0)


def drawings(seed: int) -> dict[str, Callable[[], list[Panel]]]:
    """Return the panels to draw, by the names of the files."""
    median, star = Median(), EXAMPLES[STAR]
    plan: dict[str, Callable[[], list[Panel]]] = {
        f"{STAR}-median-against-k.png": lambda: [against_k(median, star)],
        f"{STAR}-median-against-k.svg": lambda: [against_k(median, star)],
        f"{STAR}-median-against-epsilon.png": lambda: [against_epsilon(median, star)],
        f"{STAR}-median-along-a-path.png": lambda: [along_path(median, star)],
        f"{STAR}-median-noises.png": lambda: [densities(median, star)],
        f"{STAR}-median-methods.png": lambda: releases(median, star, seed),
    }
    for query in queries():
        if query != median:
            plan[f"{STAR}-{query.name}.png"] = functools.partial(_pair, query, star, seed)
    for card in EXAMPLES.values():
        if card.name != STAR:
            plan[f"{card.name}-median.png"] = functools.partial(_page, median, card, seed)
    return plan


def _pair(query: Query[Sample], card: Example, seed: int) -> list[Panel]:
    return [against_k(query, card), releases(query, card, seed)[0]]


def _page(query: Query[Sample], card: Example, seed: int) -> list[Panel]:
    first, second = against_k(query, card), against_epsilon(query, card)
    return [first, second, along_path(query, card), releases(query, card, seed)[0]]


def _beta() -> float:
    return LaplacePareto().admissible(Privacy(EPSILON)).beta


def against_k(query: Query[Sample], card: Example) -> Panel:
    """Show sensitivity against k at the beta of the default noise."""
    from app.verbs.shared.figures import against_k_panel

    profile = sensitivity_profile(query, sample_of(card.name), _beta())
    return against_k_panel(profile, query.label.lower(), card.unit)


def against_epsilon(query: Query[Sample], card: Example) -> Panel:
    """Show sensitivity against epsilon with the default noise."""
    from app.verbs.shared.figures import against_epsilon_panel

    sample = sample_of(card.name)
    return against_epsilon_panel(query, sample, LaplacePareto(), Privacy(EPSILON), card.unit)


def along_path(query: Query[Sample], card: Example) -> Panel:
    """Show the way from the example to everybody at the upper bound."""
    from app.verbs.shared.figures import along_path_panel

    start = sample_of(card.name)
    end = Sample(np.full(start.n, start.domain.upper), start.domain)
    return along_path_panel(query, start, end, _beta(), card.unit)


def densities(query: Query[Sample], card: Example) -> Panel:
    """Show every family of noise at the scale that it needs."""
    from app.verbs.shared.figures import densities_panel

    sample = sample_of(card.name)
    chosen = (SmoothRelease(query), Privacy(EPSILON))
    scales = [
        (mechanism.noise, float(mechanism.prepare(sample, asked).diagnostics["scale"]))
        for mechanism, asked in (chosen, *noises(query))
    ]
    return densities_panel(scales, card.unit, private=True)


def releases(query: Query[Sample], card: Example, seed: int) -> list[Panel]:
    """Show what every method would release; smooth sensitivity first."""
    from app.verbs.shared.figures import release_panel

    sample = sample_of(card.name)
    return [
        release_panel(mechanism, sample, asked, card.unit, None, seed)
        for mechanism, asked in methods(query, sample)
    ]
