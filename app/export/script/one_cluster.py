"""The numbers of the page about small balls."""

from __future__ import annotations

from collections.abc import Callable

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript, PictureWriter, not_written, nothing_more
from app.export.script.subject import Subject
from app.pages.one_cluster.analysis import JUDGED
from engine.analysis.ball_quality import RUNS
from engine.mechanisms import InteriorPoint, KBalls, ScreenedMean


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the page."""
    if isinstance(subject.setup.mechanism, InteriorPoint):
        return [_number(subject), _histogram()] if subject.curator else []
    if not subject.curator:
        return [_promised()]
    return [_promised(), _run(subject), _worth(subject), _ball(subject)]


def _promised() -> ScriptCell:
    return ScriptCell.of(
        "What theory promises",
        [
            "promise = mechanism.guarantee(bounds, n, privacy)",
            said("points that are promised to be in the ball", "promise.promised", private=False),
            said("the smallest t that promises any", "promise.needed", private=False),
            "for share in mechanism.shares(bounds, n, privacy):",
            '    print(f"{share.label}: epsilon =", share.privacy.epsilon)',
        ],
        r"With probability $1 - \beta$ the ball holds at least so many of the $t$ points.",
    )


def _run(subject: Subject) -> ScriptCell:
    mechanism, seed = subject.setup.mechanism, subject.seed
    run = {
        KBalls: f"every = ready.runs(reproducible({seed}))\nfound = every[{_which(subject)}]",
        ScreenedMean: f"found, mean = ready.run(reproducible({seed}))",
    }.get(type(mechanism), f"found = ready.run(reproducible({seed}))")
    extra = {
        KBalls: said("all simulated balls", "[one.ball for one in every]"),
        ScreenedMean: said("simulated mean inside", "mean"),
    }.get(type(mechanism), "")
    return ScriptCell.of(
        "One simulated run",
        [
            "ready = mechanism.prepare(data, privacy)",
            "truth = mechanism.truth(data)",
            "places = mechanism.places(data)",
            "# A simulation: the same seed gives the same ball, and no budget is spent.",
            run,
            said("true answer", "mechanism.released(truth, bounds)"),
            said("simulated ball", "found.ball"),
            extra,
            "if found.ball is not None:",
            "    held = np.count_nonzero(found.ball.contains(places))",
            "    " + said("records in the simulated ball", "held"),
        ],
    )


def _which(subject: Subject) -> int:
    return int(min(subject.view_state.ball.ball, getattr(subject.setup.mechanism, "k", 1) - 1))


def _radius(subject: Subject) -> ScriptCell:
    choice = "found.scale"
    if subject.view_state.ball.step == "last":
        choice = "found.reach or found.scale"
    return ScriptCell.of(
        "How the radius was chosen",
        [
            f"choice = {choice}",
            said("radii", "choice.radii", private=False),
            said("L(r, S), or points in reach", "choice.counts"),
            said("target", "choice.target", private=False),
            said("chosen radius", "choice.radii[choice.chosen]"),
        ],
    )


def _boxes(subject: Subject) -> ScriptCell:
    tried = -1 if subject.view_state.ball.tried is None else subject.view_state.ball.tried
    return ScriptCell.of(
        "The boxes that were drawn",
        [
            f"tried = found.tries[{written(tried)}]",
            said("records in each box", "tried.cells.counts"),
            said("side of a box", "tried.width * tried.grid.step"),
        ],
    )


def _worth(subject: Subject) -> ScriptCell:
    first = _which(subject)
    mean = isinstance(subject.setup.mechanism, ScreenedMean)
    return ScriptCell.of(
        "What releases are typically worth",
        [
            f"drawn = ready.draw(reproducible({subject.seed}), ready.most_runs({RUNS}))",
            "size = bounds.dimension + 1",
            f"first = {first} * size",
            "rows, true = drawn[:, first : first + size], truth[first : first + size]",
            "held = np.array([records_in(row, places) for row in rows])",
            "ratio = relative_radii(rows[:, -1], true[-1])",
            "coverage, size_by_smallest = typical_quality(held / mechanism.t, ratio)",
            said("typical share of t in the ball", "coverage"),
            said("typical radius by the smallest", "size_by_smallest"),
            "errors = mechanism.errors(drawn, truth, bounds)\n"
            + said("typical error of the mean", "np.nanmedian(errors)")
            if mean
            else "",
        ],
    )


def _number(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "A number among the records",
        [
            "ready = mechanism.prepare(data, privacy)",
            'truth = float(ready.diagnostics["true_value"][0])',
            said("median", "truth"),
            "# A simulation: the same seed gives the same number, and no budget is spent.",
            f"simulated = float(ready.draw(reproducible({subject.seed}), 1)[0, 0])",
            said("one simulated release", "simulated"),
            f"errors = np.abs(ready.draw(reproducible(0), {JUDGED})[:, 0] - truth)",
            "typical, most = np.quantile(errors, [0.5, 0.95])",
            said("typical error", "typical"),
            said("95 % of all errors within", "most"),
        ],
    )


def _histogram() -> ScriptCell:
    return ScriptCell("The data (private)", "plt.hist(data.values[:, 0], bins=50)", picture=True)


def _ball(subject: Subject) -> ScriptCell:
    if subject.setup.source.domain.dimension == 1:
        return _histogram()
    code = (
        "plt.scatter(*data.values[:, :2].T, s=2, alpha=0.3)\n"
        "if found.ball is not None:\n"
        "    plt.gca().add_patch(plt.Circle(found.ball.center[:2], found.ball.radius, fill=False))\n"
        'plt.axis("equal")'
    )
    return ScriptCell("The data and the ball (private)", code, picture=True)


def _if_ball(write: Callable[[Subject], ScriptCell]) -> PictureWriter:
    """Let a step on the way to a ball be written where there is a ball."""

    def written_of(subject: Subject) -> list[ScriptCell]:
        has_ball = not isinstance(subject.setup.mechanism, InteriorPoint)
        return [write(subject) if has_ball else NOT_WRITTEN]

    return written_of


SCRIPT = PageScript(
    cells,
    {
        "ball": nothing_more,
        "number": nothing_more,
        "radius": _if_ball(_radius),
        "boxes": _if_ball(_boxes),
        "runs": nothing_more,
        # demonstrations on data of their own
        "axes": not_written,
        "sides": not_written,
    },
    default="ball",
)
