"""The numbers of the page about clusters, and of what else is computed on blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import written
from app.export.script.page_script import NOT_WRITTEN, PageScript, PictureWriter
from app.export.script.subject import Subject
from engine.analysis.block_sweeps import DRAWS, swept_blocks
from engine.analysis.error_comparisons import RUNS
from engine.analysis.shared.alternatives import alternatives_of
from engine.analysis.typical_errors import RUNS as JUDGED
from engine.mechanisms import BlockMechanism
from engine.mechanisms.aggregators import CenterOfAttention


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the page."""
    if not subject.curator:
        return _plan(subject)
    return [*_plan(subject), _answer(subject), _expected(subject), _data(subject)]


def _plan(subject: Subject) -> list[ScriptCell]:
    if not subject.is_planned:
        return []
    lines = [
        said("error that the plan expects of blocks", "plan.block_error", private=False),
        said("error that the plan expects of noise", "plan.noise_error", private=False),
    ]
    return [ScriptCell.of("What the plan expects", lines, "From public facts and a guess alone.")]


def _answer(subject: Subject) -> ScriptCell:
    blocks = isinstance(subject.setup.mechanism, BlockMechanism)
    noise = getattr(subject.setup.mechanism, "aggregator", None)
    return ScriptCell.of(
        "The answer, and what it is made of",
        [
            "ready = mechanism.prepare(data, privacy)",
            "facts = ready.diagnostics",
            "truth = mechanism.true_value(ready, data)",
            "space = mechanism.space(bounds)",
            said("answer from all records", "mechanism.true_answer(truth, bounds)"),
            said("noise", "dict(ready.noise)", private=False),
            'print("outputs of blocks (private):", facts["outputs"].shape)\n'
            + said("aggregate without noise", 'mechanism.true_answer(facts["center"], bounds)')
            if blocks
            else "",
            said("smooth sensitivity bound S", 'facts["smooth"]')
            if isinstance(noise, CenterOfAttention)
            else "",
        ],
        "A function is run on blocks of the data; a person is in few of them, and so moves the aggregate "
        "of their outputs only a little.",
    )


def _expected(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "Expected error",
        [
            "# A simulation: the same seed gives the same values, and no budget is spent.",
            f"drawn = ready.draw(reproducible({subject.seed}), ready.most_runs({JUDGED}))",
            "errors = mechanism.errors(drawn, truth, bounds)",
            "typical, most = np.quantile(errors, [0.5, 0.95])",
            said("typical error", "typical"),
            said("95 % of all errors within", "most"),
            said("largest possible error", "space.diameter", private=False),
        ],
    )


def _blocks(subject: Subject) -> ScriptCell:
    setup = subject.setup
    # the numbers of blocks follow from public facts
    values = swept_blocks(setup.mechanism, setup.source.domain, setup.source.n)
    return ScriptCell.of(
        "Against the number of blocks",
        [
            "sweep = {}",
            f"for m in {written(values.tolist())}:",
            "    other = with_blocks(mechanism, m)",
            "    if other.problems(privacy, bounds, n):",
            "        continue",
            "    prepared = other.prepare(data, privacy)",
            '    center = prepared.diagnostics["center"][None]',
            f"    noise = space.distances(prepared.draw(reproducible(0), {DRAWS}), center)",
            "    off = space.distances(center, np.atleast_2d(truth))[0, 0]",
            "    sweep[m] = (off, np.median(noise))",
            '    print(f"{m} blocks: error of the aggregate, noise (private):", *sweep[m])',
        ],
        "More blocks mean less noise, and outputs that are worse.",
    )


def _outputs(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "Outputs of the blocks",
        [
            'outputs = facts["outputs"]',
            said("outputs", "outputs"),
            said("blocks that gave none in time", 'np.count_nonzero(facts["fell_back"])'),
        ],
    )


def _radii(subject: Subject) -> ScriptCell:
    if not isinstance(subject.setup.mechanism.aggregator, CenterOfAttention):
        return _outputs(subject)
    return ScriptCell.of(
        "The center of attention",
        [
            'outputs = facts["outputs"]',
            "s, _ = mechanism.sampling.overlap(n)",
            "radii = Radii.of(space.distances(outputs, outputs), space.diameter, s)",
            'bound = radii.smooth_bound(ready.noise["beta"])',
            said("smooth sensitivity bound S", "bound.value"),
            said("the k that decides it", "bound.argmax_k"),
        ],
        "The center of attention is the output around which the smallest ball holds a majority of all.",
    )


def _alternatives(subject: Subject) -> ScriptCell:
    setup = subject.setup
    chosen = setup.mechanism
    others = [
        _beside(chosen, other)
        for other in alternatives_of(chosen, setup.source, setup.privacy).values()
        if other != chosen
    ]
    lines = [
        f"alternatives = [{', '.join(['mechanism', *others])}]",
        "errors_of = {}",
        "for alternative in alternatives:",
        "    label = getattr(alternative, 'aggregator', alternative).label".replace("'", '"'),
        "    if alternative.problems(privacy, bounds, n):",
        "        continue",
        "    prepared = alternative.prepare(data, privacy)",
        f"    drawn = prepared.draw(reproducible({subject.seed}), prepared.most_runs({RUNS}))",
        "    errors_of[label] = mechanism.errors(drawn, truth, bounds)",
        '    print(f"median error, {label.lower()} (private):", np.median(errors_of[label]))',
    ]
    return ScriptCell.of("Other mechanisms for the same task", lines)


def _beside(chosen: Any, other: Any) -> str:
    """Write an alternative: most differ from the chosen mechanism in the aggregator alone."""
    if isinstance(other, BlockMechanism) and other.function == chosen.function:
        return f"replace(mechanism, aggregator={written(other.aggregator)})"
    return written(other)


def _release(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "One simulated release",
        [
            f"simulated = ready.draw(reproducible({subject.seed}), 1)[0]",
            said("one simulated release", "mechanism.released(simulated, bounds)"),
        ],
    )


def _data(subject: Subject) -> ScriptCell:
    if subject.setup.source.domain.dimension == 1:
        code = 'plt.hist(data.values[:, 0], bins=50)\nplt.xlabel("data")'
    else:
        code = 'plt.scatter(*data.values[:, :2].T, s=2, alpha=0.3)\nplt.xlabel("data")'
    return ScriptCell("The data (private)", code, picture=True)


def _if_blocks(write: Callable[[Subject], ScriptCell]) -> PictureWriter:
    """Let a picture of blocks be written of what has blocks alone."""

    def written_of(subject: Subject) -> list[ScriptCell]:
        has_blocks = isinstance(subject.setup.mechanism, BlockMechanism)
        return [write(subject) if has_blocks else NOT_WRITTEN]

    return written_of


SCRIPT = PageScript(
    cells,
    {
        "data": lambda subject: [_release(subject)],
        "blocks": _if_blocks(_blocks),
        "outputs": _if_blocks(_outputs),
        "aggregate": _if_blocks(_radii),
        "noise": lambda subject: [_alternatives(subject)],
        "release": lambda subject: [_release(subject)],
    },
    default="data",
)
