"""The pages about the sensitivity of one number, declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import engine
from app.model import lazy
from app.model.kinds.page_data import PageData
from app.model.kinds.registry import COLUMN, KINDS, SIMPLE, WEIGHTED
from app.model.page_spec import PageSpec
from app.model.picture_spec import Offered, OptionGroup, PictureSpec, TabTitle, options
from app.model.references import Analysis, Function
from engine import analysis as scenes
from engine.parameters import parameter


@options
class PathOptions(OptionGroup):
    """The end of a path of databases."""

    listed: ClassVar[tuple[str, ...]] = ("target",)

    target: str = parameter(
        default="",
        label="One b&y one,",
        spoken="Where the path leads, one by one",
        help="Where the path leads: a database at the bounds.",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        mechanism, source = selection.mechanism, selection.source
        return {"target": KINDS[mechanism.reads].far_ends(source.n)}


PICTURES = (
    PictureSpec(
        "k",
        TabTitle(
            "By distance k",
            "Sensitivity when k {records} may change",
            "A⁽ᵏ⁾ is the largest local sensitivity of any {database} that differs in k {records}. Smooth "
            "sensitivity S* is the peak of e⁻ᵝᵏ A⁽ᵏ⁾; the rate β follows from ε, δ and the noise.",
        ),
        drawn_by=lambda: lazy.AgainstK,
        analysis=Analysis(lambda: engine.sensitivity_against_k),
        makes_offers=True,
    ),
    PictureSpec(
        "epsilon",
        TabTitle(
            "By epsilon",
            "Sensitivity over a sweep of epsilon",
            "A smaller ε makes S* larger: it has to look at {database}s farther away.",
        ),
        drawn_by=lambda: lazy.AgainstEpsilon,
        analysis=Analysis(lambda: engine.sensitivity_against_epsilon),
        makes_offers=True,
    ),
    PictureSpec(
        "path",
        TabTitle(
            "Path",
            "Sensitivity while the data become others",
            "Local sensitivity may jump at one {record}, and its noise would tell; S* cannot.",
        ),
        drawn_by=lambda: lazy.AlongPath,
        analysis=Analysis(lambda: engine.sensitivity_along_path),
        options=(PathOptions,),
    ),
    PictureSpec(
        "noise",
        TabTitle(
            "Noise",
            "Densities of all noise families",
            "The noise is S*/α times a draw from the family; ε and δ limit α.",
        ),
        drawn_by=lambda: lazy.NoiseDensities,
        analysis=Analysis(lambda: engine.noise_families),
        public_analysis=Analysis(lambda: scenes.public_noise_families),
        note=lambda: lazy.name_absent_noises,
    ),
    PictureSpec(
        "distribution",
        TabTitle(
            "Distribution",
            "Possible releases: theory and simulation",
            "The true value with its noise, as a curve and as a thousand draws.",
        ),
        drawn_by=lambda: lazy.ReleaseDistribution,
        analysis=Analysis(lambda: engine.simulate_releases),
        makes_offers=True,
        runs=True,
    ),
)

AGAINST_N = PictureSpec(
    "size",
    TabTitle(
        "By sample size",
        "When noise does not matter: its error beside that of sampling",
        "As n grows, noise falls faster than the error of sampling, and soon does not matter. It varies "
        "between samples: your data may be off the curve.",
    ),
    drawn_by=lambda: lazy.AgainstSize,
    analysis=Analysis(lambda: engine.error_against_size),
    is_slow=True,
)


def script_analyses(selection: Any) -> tuple[Function, ...]:
    """Return the analyses of a script, whichever picture is open."""
    mechanism, source = selection.mechanism, selection.source
    fits = not mechanism.problems(selection.privacy, source.domain, source.n)
    return (
        *([engine.certify_noise] if fits and hasattr(mechanism, "noise") else []),
        engine.sensitivity_against_k,
        *([engine.pivotal_records] if hasattr(mechanism.query, "deciding") else []),
        *([engine.estimate_scalar_error] if fits else []),
    )


MEDIAN: PageSpec = PageSpec(
    "median",
    "Median && quantiles",
    "Median and quantiles",
    # there smooth sensitivity clearly wins; with the usual 1 it is level with the exponential mechanism
    PageData({COLUMN: "median"}, "salaries", epsilon=2.0),
    (*PICTURES, AGAINST_N),
    widget=lambda: lazy.MedianPage,
    estimate=Analysis(lambda: engine.estimate_scalar_error),
    advice=lambda: lazy.advise_on_number,
    suggestion=lambda: lazy.offer_method,
    script_analyses=lambda: script_analyses,
)

SPANNING_TREE: PageSpec = PageSpec(
    "spanning-tree",
    "Spanning tree",
    "Spanning trees and triangles",
    PageData({WEIGHTED: "mst", SIMPLE: "triangles"}, "karate"),
    PICTURES,
    widget=lambda: lazy.SpanningTreePage,
    estimate=Analysis(lambda: engine.estimate_scalar_error),
    advice=lambda: lazy.advise_on_number,
    suggestion=lambda: lazy.offer_method,
    script_analyses=lambda: script_analyses,
)

FORMER_NAMES = {"told": script_analyses}
"""Functions by their former names, which plug-ins still use."""


if not TYPE_CHECKING:  # so that type checkers report unknown names

    def __getattr__(name: str) -> Any:
        if name not in FORMER_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return FORMER_NAMES[name]
