"""The page about small balls, declared: what is released, and each step that leads to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import engine
from app.model import lazy
from app.model.kinds.histogram import POINTS
from app.model.kinds.page_data import PageData
from app.model.page_spec import PageSpec
from app.model.pages.points import Directions, position
from app.model.picture_spec import Offered, OptionGroup, PictureSpec, Seeded, TabTitle, options
from app.model.references import Analysis, Function
from engine import analysis as scenes
from engine.mechanisms.purposes import PURPOSES
from engine.parameters import parameter


@options
class BallOptions(OptionGroup):
    """Selection of one of several balls."""

    listed: ClassVar[tuple[str, ...]] = ("ball",)

    ball: int = position(
        0,
        label="&Ball",
        spoken="Which ball",
        help="Which of several balls: the first one found, or one of those found later among the points "
        "that were left",
    )

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        return {"ball": {index: f"ball {index + 1}" for index in range(selection.mechanism.search.k)}}


@options
class RadiusOptions(OptionGroup):
    """Selection of one radius."""

    offered_by_result: ClassVar[tuple[str, ...]] = ("step",)

    step: str = parameter(
        default="first",
        choices=("first", "last"),
        choice_labels=(PURPOSES["GoodRadius"], PURPOSES["Radius"]),
        label="&Step",
        spoken="Which choice of a radius",
        help="Which choice of a radius: how large the ball is, or how far around its center it reaches",
    )

    @classmethod
    def offered_by(cls, result: Any) -> Offered:
        from engine.mechanisms.one_cluster import SearchResult

        if not isinstance(result, SearchResult):
            return {}
        (step,) = cls.parameters()
        made = step.choices if result.reach is not None else step.choices[:1]
        return {"step": {choice: step.words_of(choice) for choice in made}}


@options
class BoxesOptions(OptionGroup):
    """Selection of one partition."""

    offered_by_result: ClassVar[tuple[str, ...]] = ("tried",)

    tried: int | None = position(
        label="&Try",
        spoken="Which random partition",
        help="Which of the random partitions into boxes that were drawn, blind to the data",
    )

    @classmethod
    def offered_by(cls, result: Any) -> Offered:
        """Return the partitions that a run has drawn; None stands for the last one."""
        from engine.mechanisms.one_cluster import SearchResult

        if not isinstance(result, SearchResult):
            return {}
        last = len(result.tries) - 1
        return {"tried": {None if index == last else index: f"try {index + 1}" for index in range(last + 1)}}


@options
class CloseUp(OptionGroup):
    """Whether only what lies around the ball is in view."""

    near: bool | None = parameter(
        default=None,
        kind="bool",
        optional=True,
        label="Close &up",
        help="Look at what lies around the ball, which may be small",
    )

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        from engine.analysis.ball_scenes import BallCloud

        return {"near": result.is_closeup} if isinstance(result, BallCloud) else {}


def without_ball(selection: Any) -> str:
    """Return a note that a mechanism finds no ball; "" if it does."""
    mechanism = selection.mechanism
    return "" if mechanism.facts.shape == "balls" else f"“{mechanism.label}” releases no ball."


def without_number(selection: Any) -> str:
    """Return a note that a mechanism releases no number; "" if it does."""
    mechanism = selection.mechanism
    is_number = mechanism.facts.shape != "balls" and not mechanism.facts.is_one_choice
    return "" if is_number else f"“{mechanism.label}” releases no number between others."


def script_analyses(selection: Any) -> tuple[Function, ...]:
    """Return the analyses of a script, whichever picture is open."""
    if selection.mechanism.facts.shape == "balls":
        return scenes.promise_ball, scenes.judge_balls
    return (engine.estimate_points_error,)


PICTURES = (
    PictureSpec(
        "ball",
        TabTitle(
            "Ball",
            "The data, the ball, and the smallest one",
            "A ball about as small as one can be that holds t points; the true one is a 2-approximation.",
        ),
        drawn_by=lambda: lazy.BallMap,
        analysis=Analysis(lambda: scenes.ball_scene),
        is_public=True,
        options=(Directions, CloseUp, Seeded),
        absent=lambda: without_ball,
        runs=True,
    ),
    PictureSpec(
        "number",
        TabTitle(
            "Number",
            "The data, the number, and the median",
            "Any number with records on both sides of it is right.",
        ),
        drawn_by=lambda: lazy.PointCloud,
        analysis=Analysis(lambda: scenes.number_scene),
        is_public=True,
        options=(Seeded,),
        absent=lambda: without_number,
        runs=True,
    ),
    PictureSpec(
        "radius",
        TabTitle(
            "Radius",
            "How the radius is chosen",
            "The smallest radius that is good for about t records is chosen, with noise.",
        ),
        drawn_by=lambda: lazy.RadiusChoice,
        analysis=Analysis(lambda: scenes.choose_radius),
        options=(BallOptions, RadiusOptions, Seeded),
        absent=lambda: without_ball,
        runs=True,
    ),
    PictureSpec(
        "boxes",
        TabTitle(
            "Cells",
            "The cells that hold records, and the one that won",
            "One cell is chosen among all, so that the mean of what is in it needs little noise.",
        ),
        drawn_by=lambda: lazy.BallMap,
        analysis=Analysis(lambda: scenes.boxes_scene),
        options=(Directions, BallOptions, BoxesOptions, CloseUp, Seeded),
        absent=lambda: without_ball,
        runs=True,
    ),
    PictureSpec(
        "runs",
        TabTitle(
            "Runs",
            "Many simulated balls: what they hold, and how large they are",
            "Each dot is a ball that could be released; good ones are at the upper left.",
        ),
        drawn_by=lambda: lazy.BallQuality,
        analysis=Analysis(lambda: scenes.simulate_balls),
        options=(BallOptions, Seeded),
        absent=lambda: without_ball,
        runs=True,
    ),
    PictureSpec(
        "axes",
        TabTitle(
            "Axis by axis",
            "Why not axis by axis? The fullest interval of each axis",
            "Where the fullest intervals of all axes meet, there may be no points.",
        ),
        drawn_by=lambda: lazy.AxisByAxisPicture,
        analysis=Analysis(lambda: scenes.attempt_axis_by_axis),
        is_public=True,
    ),
    PictureSpec(
        "sides",
        TabTitle(
            "One big box",
            "Why not one big box? Boxes that a ball fits into",
            "At a random place, a box holds the ball only if its sides grow with the dimensions; its "
            "diagonal grows faster.",
        ),
        drawn_by=lambda: lazy.BoxesOfAllDimensions,
        analysis=Analysis(lambda: scenes.attempt_all_dimensions),
        is_public=True,
    ),
)

ONE_CLUSTER: PageSpec = PageSpec(
    "one-cluster",
    "1-cluster",
    "Small balls",
    # no ball can be found with a delta of 0, and a first visit should show one
    PageData({POINTS: "one-cluster"}, "planted-disc", "balls", delta=1e-6, least_columns=2),
    PICTURES,
    widget=lambda: lazy.OneClusterPage,
    estimate=Analysis(lambda: lazy.estimate_balls),
    advice=lambda: lazy.advise_on_balls,
    error_words=lambda: lazy.expect_balls,
    script_analyses=lambda: script_analyses,
)
