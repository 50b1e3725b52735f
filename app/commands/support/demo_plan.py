"""What the demo goes through: examples, queries, methods and noises, and their figures."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.data import add_data_options
from app.commands.support.options import Parser
from app.commands.support.reading import load
from app.model.dataset import Dataset
from app.model.kinds.graph import GraphKind
from app.model.kinds.registry import KINDS
from app.model.loaded import LoadedRecords
from engine import catalog
from engine.data import EXAMPLES
from engine.mechanisms import SmoothRelease
from engine.noise import PowerLaplace, noises_of_numbers
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import QUERIES
from engine.queries.profile import sensitivity_profile

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from engine.data import Example
    from engine.mechanisms import ScalarMechanism
    from engine.queries import Query

EPSILON, DELTA = 1.0, 1e-6
STARS = ("salaries", "karate")
"""Examples on which every picture is drawn, and every query; the others get one page each."""

PROPOSED = {"column": 0.01, "weighted-graph": 0.75, "simple-graph": 0.75}
"""The bound that is proposed for propose-test-release, as a share of the worst case."""


def queries(card: Example) -> tuple[Query[Any], ...]:
    """Return every query that an example is made for, with its default parameters."""
    return tuple(cls() for cls in QUERIES.values() if card.kind == KINDS[cls.reads].examples[0])


def read(card: Example, query: Query[Any]) -> LoadedRecords[Any]:
    """Return what `query` reads of an example; records without a value are left out."""
    return _read(card.name, query.reads)


@functools.cache
def _read(name: str, reads: str) -> LoadedRecords[Any]:
    parser = Parser()
    add_data_options(parser)
    query = next(cls() for cls in QUERIES.values() if cls.reads == reads)
    return load(parser.parse(["--example", name, "--missing", "drop"]), query, silent)


def methods(query: Query[Any], data: LoadedRecords[Any]) -> Iterator[tuple[ScalarMechanism, Privacy]]:
    """Yield every method that applies, with a delta only where it needs one."""
    domain, n = data.database.domain, data.database.n
    proposed = {"bound": PROPOSED[query.reads] * query.global_sensitivity(domain, n)}
    for cls in catalog.methods().values():
        if not cls.facts.is_offered(query, n):
            continue
        declared = {parameter.name for parameter in cls.parameters()}
        own: dict[str, Any] = {name: value for name, value in proposed.items() if name in declared}
        mechanism = cls(query, **own)
        for privacy in (Privacy(EPSILON), Privacy(EPSILON, DELTA)):
            if not mechanism.problems(privacy, domain, n):
                yield mechanism, privacy
                break


def noises(query: Query[Any]) -> Iterator[tuple[SmoothRelease, Privacy]]:
    """Yield smooth release with every family of noise but the default one."""
    for cls in noises_of_numbers():
        if cls is not PowerLaplace:
            yield SmoothRelease(query, noise=cls()), Privacy(EPSILON, DELTA if cls.needs_delta else 0.0)


def drawings(seed: int) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Return the panels to draw of queries, by the names of the files."""
    plan: dict[str, Callable[[], list[FigurePanel]]] = {}
    for card in EXAMPLES.values():
        if not queries(card):
            continue
        first, *others = queries(card)
        if card.name not in STARS:
            plan[f"{card.name}-{first.name}.png"] = functools.partial(_page, first, card, seed)
            plan |= _graphs(card, [first])
            continue
        start = f"{card.name}-{first.name}"
        for name, draw in SINGLE.items():
            plan[f"{start}-{name}.png"] = functools.partial(_alone, draw, first, card)
        plan[f"{start}-against-k.svg"] = plan[f"{start}-against-k.png"]
        plan[f"{start}-methods.png"] = functools.partial(releases, first, card, seed)
        for query in others:
            plan[f"{card.name}-{query.name}.png"] = functools.partial(_pair, query, card, seed)
        plan |= _graphs(card, [first, *others])
    return plan


def _graphs(card: Example, chosen: Sequence[Query[Any]]) -> dict[str, Callable[[], list[FigurePanel]]]:
    """Plan a drawing of the graph, if it is one, for each query."""
    return {
        f"{card.name}-{query.name}-graph.png": functools.partial(_alone, deciding, query, card)
        for query in chosen
        if isinstance(KINDS[query.reads], GraphKind)
    }


def _alone(
    draw: Callable[[Query[Any], Example], FigurePanel], query: Query[Any], card: Example
) -> list[FigurePanel]:
    return [draw(query, card)]


def _pair(query: Query[Any], card: Example, seed: int) -> list[FigurePanel]:
    return [against_k(query, card), releases(query, card, seed)[0]]


def _page(query: Query[Any], card: Example, seed: int) -> list[FigurePanel]:
    first, second = against_k(query, card), against_epsilon(query, card)
    return [first, second, along_path(query, card), releases(query, card, seed)[0]]


def _beta() -> float:
    return PowerLaplace().admissible(Privacy(EPSILON)).beta


def against_k(query: Query[Any], card: Example) -> FigurePanel:
    """Show sensitivity against k at the beta of the default noise."""
    from app.commands.support.figures import against_k_panel

    data = read(card, query)
    profile = sensitivity_profile(query, data.database, _beta())
    return against_k_panel(profile, query.label.lower(), data.unit)


def against_epsilon(query: Query[Any], card: Example) -> FigurePanel:
    """Show sensitivity against epsilon with the default noise."""
    from app.commands.support.figures import against_epsilon_panel

    data = read(card, query)
    return against_epsilon_panel(query, data.database, PowerLaplace(), Privacy(EPSILON), data.unit)


def along_path(query: Query[Any], card: Example) -> FigurePanel:
    """Show the way from the example to every record at the upper bound, or to no edges."""
    from app.commands.support.figures import along_path_panel

    data = read(card, query)
    start = data.database
    end = start.far_end("upper" if "upper" in start.far_ends else start.far_ends[0])
    return along_path_panel(query, start, end, _beta(), data.unit)


def deciding(query: Query[Any], card: Example) -> FigurePanel:
    """Show a graph with what decides the smooth sensitivity."""
    from app.pages.sensitivity.graph_analysis import farthest, graph_view
    from app.plots.figure_panel import FigurePanel
    from app.plots.sensitivity.graph_picture import GraphPicture

    data = read(card, query)
    kind, dataset = KINDS[query.reads], Dataset.of_example(card.name)
    source: Any = kind.builder(kind.choice(**kind.read(dataset, kind.from_example(card), silent)), dataset)
    k = query.smooth_sensitivity(data.database, _beta()).argmax_k
    view = graph_view(source, data.database, silent, min(k, farthest(source)))
    return FigurePanel(f"{card.title}: {query.label.lower()}", GraphPicture, view, data.unit)


def densities(query: Query[Any], card: Example) -> FigurePanel:
    """Show every family of noise at the scale that it needs."""
    from app.commands.support.figures import densities_panel

    data = read(card, query)
    chosen = (SmoothRelease(query), Privacy(EPSILON))
    scales = [
        (
            mechanism.calibrate(privacy).noise,
            float(mechanism.prepare(data.database, privacy).diagnostics["scale"]),
        )
        for mechanism, privacy in (chosen, *noises(query))
    ]
    return densities_panel(scales, data.unit, private=True)


def releases(query: Query[Any], card: Example, seed: int) -> list[FigurePanel]:
    """Show what every method would release; smooth sensitivity first."""
    from app.releases.number_figure import distribution_panel

    data = read(card, query)
    return [
        distribution_panel(mechanism, data, privacy, None, seed)
        for mechanism, privacy in methods(query, data)
    ]


SINGLE = {
    "against-k": against_k,
    "against-epsilon": against_epsilon,
    "along-a-path": along_path,
    "noises": densities,
}
"""What gets a figure of its own, by its name in the file's."""
