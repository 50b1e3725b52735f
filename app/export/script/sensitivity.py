"""The numbers of a page about the sensitivity of a query."""

from __future__ import annotations

import math
from typing import Any

from app.export.script.cell import ScriptCell, said
from app.export.script.expressions import written
from app.export.script.mechanism import pair_of, settings_of
from app.export.script.page_script import NOT_WRITTEN, PageScript
from app.export.script.subject import Subject
from app.pages.sensitivity.analysis import DRAWN, RUNS, steps_of, sweep_around
from app.pages.sensitivity.graph_analysis import farthest
from engine.errors import ParameterError
from engine.noise import NOISES, Noise
from engine.privacy import Privacy


def cells(subject: Subject) -> list[ScriptCell]:
    """Return the sections of the page."""
    if not subject.curator:
        return [_public(subject), _families(subject)]
    found = [_sensitivity(subject), *_decides(subject)]
    return [*found, _expected(subject)] if subject.fits else found


def _public(subject: Subject) -> ScriptCell:
    setup = subject.setup
    lines = [
        f"pair = {pair_of(setup)}",
        said("global sensitivity", "query.global_sensitivity(bounds, n)", private=False),
        *_certificate(subject),
    ]
    return ScriptCell.of("What is public about the sensitivity", lines)


def _certificate(subject: Subject) -> list[str]:
    """Return the pair, and what it was found to give where the mechanism uses it."""
    pair = [said("alpha", "pair.alpha", private=False), said("beta", "pair.beta", private=False)]
    if not (subject.state.uses_noise and subject.fits):
        return pair
    return [
        *pair,
        "certificate = certify(noise, pair.alpha, pair.beta, privacy)",
        said("epsilon, as certified numerically", "certificate.joint_epsilon", private=False),
        said("delta, as certified numerically", "certificate.joint_delta", private=False)
        * (subject.setup.privacy.delta > 0),
    ]


def _sensitivity(subject: Subject) -> ScriptCell:
    query = "query, data, pair.beta"
    return ScriptCell.of(
        "Sensitivity",
        [
            f"pair = {pair_of(subject.setup)}",
            *_certificate(subject),
            f"profile = sensitivity_profile({query}, k_within={written(DRAWN)})",
            said("true value", "profile.value"),
            said("local sensitivity", "profile.local"),
            said("smooth sensitivity S*", "profile.smooth"),
            said("global sensitivity", "profile.global_", private=False),
            said("the k that decides S*", "profile.argmax_k"),
            said("A^(0), A^(1), ...", "profile.at_distance"),
        ],
        "$A^{(k)}(x)$ is the largest local sensitivity of any database that differs from $x$ in at "
        r"most $k$ records, and $S^*(x) = \max_k e^{-\beta k} A^{(k)}(x)$.",
    )


def _decides(subject: Subject) -> list[ScriptCell]:
    """Return what decides A^(k) in a graph."""
    state = subject.state
    if state.reads == "column":
        return []
    k = min(subject.view_state.k, farthest(subject.setup.source))
    if state.reads == "simple-graph":
        lines = [
            f"pair_of_vertices = query.deciding_pair(data, {k})",
            said(f"vertices that decide A^({k})", "pair_of_vertices"),
        ]
    else:
        lines = [
            f"cut = query.deciding_cuts(data, {k})[{k}]",
            said(f"edges across the cut that decides A^({k})", "cut.edges"),
        ]
    return [ScriptCell.of("What decides", lines)]


def _expected(subject: Subject) -> ScriptCell:
    setup = subject.setup
    lines = [
        "ready = mechanism.prepare(data, privacy)",
        "typical, most = ready.error_quantiles([0.5, 0.95])",
        said("noise", "dict(ready.noise)", private=False),
        said("scale of the noise", 'ready.diagnostics["scale"]') * (setup.mechanism.name == "smooth"),
        'answers = ready.diagnostics["answer_probability"]\n'
        + said("probability that the test lets an answer out", "answers")
        if setup.mechanism.name == "propose-test-release"
        else "",
        said("typical error", "typical", private=_is_private(subject)),
        said("95 % of all errors within", "most", private=_is_private(subject)),
    ]
    if setup.mechanism.name == "smooth":
        lines += [
            "for alternative in (LaplaceRelease(query=query), ExponentialRelease(query=query)):",
            "    if not alternative.problems(privacy, bounds, n):",
            "        error = alternative.prepare(data, privacy).error_quantiles(0.5)",
            '        print(f"typical error, {alternative.label.lower()} (private):", error)',
        ]
    return ScriptCell.of("Expected error", lines, "Half of all releases err by less than the typical error.")


def _is_private(subject: Subject) -> bool:
    """Tell whether errors depend on the data: those of global noise that is not clamped do not."""
    mechanism = subject.setup.mechanism
    return mechanism.name in ("smooth", "exponential") or mechanism.clamp == "bounds"


def _sweep(subject: Subject) -> ScriptCell:
    setup = subject.setup
    epsilons = sweep_around(setup.privacy.epsilon)
    first, last = (round(math.log10(epsilon)) for epsilon in (epsilons[0], epsilons[-1]))
    delta = f", {written(setup.privacy.delta)}" if setup.privacy.delta else ""
    pair = f"default_pair(noise, Privacy(float(epsilon){delta}){settings_of(setup)})"
    return ScriptCell.of(
        "Sensitivity against epsilon",
        [
            f"epsilons = np.logspace({first}, {last}, {epsilons.size})",
            f"betas = [{pair}.beta for epsilon in epsilons]",
            "sweep = sensitivity_sweep(query, data, betas)",
            "for epsilon, smooth in zip(epsilons, sweep.smooth, strict=True):",
            '    print(f"S* at epsilon = {epsilon:.4g} (private):", smooth)',
        ],
        r"A smaller $\varepsilon$ asks for a smaller rate $\beta$, and so $S^*$ looks farther.",
    )


ENDS = {
    "column": "Sample({values}, bounds)",
    "weighted-graph": "data.with_weights({values})",
}


def _path(subject: Subject) -> ScriptCell:
    target, reads = subject.view_state.target, subject.state.reads
    if reads == "simple-graph":
        every = "np.column_stack(np.triu_indices(n, 1))"
        end = f"data.with_ends({every if target == 'complete' else 'np.empty((0, 2), dtype=int)'})"
    else:
        end = ENDS[reads].format(values="values_there")
    values = {
        "halves": "np.where(np.arange(m) < m // 2, bounds.lower, bounds.upper)",
        "upper": "np.full(m, bounds.upper)",
    }.get(target, "np.full(m, bounds.lower)")
    made = [] if reads == "simple-graph" else ["m = data.records", f"values_there = {values}"]
    steps = steps_of(reads, _Records(subject))
    return ScriptCell.of(
        "Sensitivity along a path",
        [
            *made,
            f"end = {end}",
            f"path = sensitivity_path(query, data, end, pair.beta, steps={steps})",
            said("records changed so far", "path.changed", private=False),
            said("value", "path.value"),
            said("local sensitivity", "path.local"),
            said("smooth sensitivity S*", "path.smooth"),
        ],
        "One record after the other becomes another one: local sensitivity may jump, $S^*$ changes by "
        r"at most a factor $e^{\beta}$.",
    )


class _Records:
    """How many records there are: as public as n, but in a graph whose edges are private."""

    def __init__(self, subject: Subject) -> None:
        source = subject.setup.source
        edges = getattr(source, "edges", None)
        self.records = (
            source.n if edges is None else len(edges.ends) - len(getattr(source, "removed_edges", ()))
        )


def _families(subject: Subject) -> ScriptCell:
    setup = subject.setup
    families = [
        setup.smooth.noise if name == setup.smooth.noise.name else family() for name, family in NOISES.items()
    ]
    able = [noise for noise in families if _gives(noise, setup.privacy, setup)]
    pair = f"noise.admissible(privacy{settings_of(setup)})"
    own = f"{pair} if family == noise else " if settings_of(setup) else ""
    lines = [
        f"families = {written(able)}",
        f"pairs = [{own}family.admissible(privacy) for family in families]",
    ]
    if subject.curator:
        lines += [
            "found = query.smooth_sensitivities(data, [one.beta for one in pairs])",
            "scales = [one.value / own.alpha for one, own in zip(found, pairs, strict=True)]",
        ]
    else:
        lines.append("scales = [1 / own.alpha for own in pairs]")
    private = " (private)" if subject.curator else ", in units of S*"
    lines += [
        "for family, scale in zip(families, scales, strict=True):",
        f'    print(f"{{family.label}}: scale{private}:", scale)',
        "    tails = scale * family.quantile([0.75, 0.975])",
        f'    print(f"{{family.label}}: half, 95 % of its noise within{private}:", tails)',
    ]
    words = r"What is added is $\frac{S^*}{\alpha} Z$ with $Z$ from the family."
    return ScriptCell.of("Noise families", lines, words)


def _gives(noise: Noise, privacy: Privacy, setup: Any) -> bool:
    own = noise is setup.smooth.noise
    chosen = {"constants": setup.smooth.constants, "split": setup.smooth.split} if own else {}
    try:
        noise.admissible(privacy, **chosen)
    except ParameterError:
        return False
    return True


def _distribution(subject: Subject) -> ScriptCell:
    return ScriptCell.of(
        "What would be released",
        [
            "# A simulation: the same seed gives the same values, and no budget is spent.",
            f"simulation = simulate(mechanism, data, privacy, runs={RUNS}, seed={subject.seed})",
            said("first simulated releases", "simulation.values[:5]"),
            said("median error of the runs", "np.median(simulation.errors)"),
            said("runs without an answer", "simulation.refused"),
        ],
    )


def _drawn(code: str) -> ScriptCell:
    return ScriptCell("A picture (private)", code, picture=True)


K = _drawn(
    'plt.plot(profile.at_distance, "--")\nplt.plot(profile.discounted)\n'
    'plt.xlabel("k")\nplt.ylabel("A^(k), and discounted")'
)
EPSILON = _drawn('plt.loglog(epsilons, sweep.smooth)\nplt.xlabel("epsilon")\nplt.ylabel("S*")')
PATH = _drawn(
    'plt.plot(path.changed, path.smooth)\nplt.plot(path.changed, path.local, "--")\n'
    'plt.xlabel("records changed")'
)
NOISE = _drawn(
    "z = np.linspace(-8, 8, 801)\n"
    "for family, scale in zip(families, scales, strict=True):\n"
    "    plt.plot(z, family.density(z), label=family.label)\n"
    "plt.legend()"
)
DISTRIBUTION = _drawn('plt.hist(simulation.values, bins=50)\nplt.xlabel("released value")')

SCRIPT = PageScript(
    cells,
    {
        "k": lambda subject: [K],
        "epsilon": lambda subject: [_sweep(subject), EPSILON],
        "path": lambda subject: [_path(subject), PATH],
        "noise": lambda subject: [_families(subject), NOISE],
        "distribution": lambda subject: (
            [_distribution(subject), DISTRIBUTION] if subject.fits else [NOT_WRITTEN]
        ),
    },
    default="k",
)
