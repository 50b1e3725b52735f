"""Show the admissible pair (alpha, beta) of a noise family, its quantiles and its certificate."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.console import say, say_json
from app.commands.support.figures import add_figure_options, save_panels
from app.commands.support.options import JSON, Option, VerbHelp, add_options, count
from app.commands.support.privacy import (
    NOISE_TITLE,
    PAIR_TITLE,
    add_privacy_options,
    family_and_pair,
    noise_options,
    pair_options,
    read_privacy,
    warn_unless_private,
)
from app.model.output_file import output
from app.model.wording.console import columns, facts, settings
from app.model.wording.console import number as number_text
from app.model.wording.guarantees import published_lines
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import short

if TYPE_CHECKING:
    from app.plots.figure_panel import FigurePanel
    from engine.noise import Admissible, Noise
    from engine.noise.automatic import Choice
    from engine.noise.certificate import Certificate
    from engine.privacy import Privacy

QUANTILES = (0.5, 0.95)


DIMENSION = Option("dimension", "number of coordinates", count, "D", 1)

HELP = VerbHelp(
    usage="FAMILY --epsilon E [options]",
    first=("epsilon", "delta", "dimension", "json", "plot"),
    example="noise generalized-cauchy --gamma 4 --epsilon 1",
)


def configure(parser: argparse.ArgumentParser) -> None:
    text = "a noise family of sensiscope catalog, such as lcp; auto chooses one"
    parser.add_argument("family", metavar="FAMILY", help=text)
    add_privacy_options(parser, required=True)
    noise_options().add_to(parser, NOISE_TITLE)
    pair_options().add_to(parser, PAIR_TITLE)
    group = parser.add_argument_group("output: dimension, JSON, figure")
    add_options(group, (DIMENSION, JSON))
    add_figure_options(group)


def run(options: argparse.Namespace) -> int:
    from engine.noise import Automatic, noise_choices
    from engine.noise.certificate import certify

    privacy = read_privacy(options)
    family, pair = family_and_pair(options, privacy, options.family, options.dimension)
    choices = noise_choices(privacy) if options.family == Automatic.name and options.dimension == 1 else ()
    plot = output(options.plot)
    certificate = certify(family, pair.alpha, pair.beta, privacy, dimension=options.dimension)
    if getattr(options, "parameter_constants", None) == "published":
        warn_unless_private(family, pair, certificate, privacy)
    quantiles = {str(p): float(family.quantile(p)) for p in QUANTILES}
    if options.json:
        say_json(
            {
                "family": family.name,
                "parameters": family.settings(),
                "epsilon": privacy.epsilon,
                "delta": privacy.delta,
                "dimension": options.dimension,
                "alpha": pair.alpha,
                "beta": pair.beta,
                "sd": math.sqrt(family.variance),
                "quantiles": quantiles,
                **_certificate(certificate, privacy),
                **({"families": [_choice_json(choice) for choice in choices]} if choices else {}),
            }
        )
    else:
        say(_text(family, pair, certificate, privacy, options.dimension) + _choices(choices))
    if plot is not None:
        save_panels([_panel(family)], plot, options)
    return 0


def _panel(noise: Noise) -> FigurePanel:
    """Show the density at scale 1."""
    from app.plots.figure_panel import FigurePanel
    from app.plots.sensitivity.noise_densities import NoiseDensities
    from engine.analysis.noise import NoiseCurve, NoiseCurves

    curves = NoiseCurves((NoiseCurve(noise, 1.0, chosen=True),), public=True)
    return FigurePanel("Noise at scale 1", NoiseDensities, curves, private=False)


def _choice_json(choice: Choice) -> dict[str, Any]:
    parameters = choice.noise.settings()
    return {
        "family": choice.noise.name,
        "parameters": parameters,
        "split": choice.split,
        "error": choice.error,
    }


def _choices(choices: Sequence[Choice]) -> str:
    """Return a table of all families under the model that chooses one."""
    if not choices:
        return ""
    rows = [
        (
            choice.noise.name,
            settings(choice.noise.settings().items()),
            f"{short(choice.split)}",
            number_text(choice.error, 2),
        )
        for choice in choices
    ]
    head = ("family", "shape", "sliding share", "median error")
    table = columns(head, rows, left=2)
    return f"\n\n  the smallest median error of a release decides, in units of c, if S* = c/beta:\n\n{table}"


def _certificate(certificate: Certificate, privacy: Privacy) -> dict[str, float]:
    if privacy.delta == 0:
        return {"certified_epsilon": certificate.joint_epsilon}
    return {"certified_delta": certificate.joint_delta}


def _text(family: Noise, pair: Admissible, certificate: Certificate, privacy: Privacy, dimension: int) -> str:
    title = settings(family.settings().items())
    inner, outer = (float(family.quantile(p)) for p in (0.75, 0.975))
    variance = family.variance
    spread = number_text(math.sqrt(variance)) if math.isfinite(variance) else "infinite"
    ((kind, value),) = _certificate(certificate, privacy).items()
    name = kind.removeprefix("certified_")
    target = privacy.epsilon if name == "epsilon" else privacy.delta
    verdict = "verified" if certificate.private else "NOT DP as promised"
    definition = "meets" if certificate.admissible else "does not meet"
    rows = [
        ("privacy", f"epsilon = {short(privacy.epsilon)}, delta = {short(privacy.delta)}"),
        *(("", each.between) for each in WORDS.values()),
        *([("dimension", f"{dimension}", f"{family.norm} norm")] if dimension > 1 else []),
        ("alpha", number_text(pair.alpha), "noise is Z · S/alpha"),
        ("beta", number_text(pair.beta), "smoothness that S must have"),
        ("pair", pair.source),
    ]
    at_scale_1 = [
        ("standard deviation", spread),
        ("half of the noise", f"within ± {number_text(inner)}"),
        ("95 % of the noise", f"within ± {number_text(outer)}"),
    ]
    meets = (
        f"the pair {definition} the definition with half of epsilon and delta each for sliding and dilation"
    )
    promised = f"{name} = {number_text(value, 4)}, promised {number_text(target, 4)}"
    parts = [
        f"{family.label} ({family.name}){f', {title}' if title else ''}",
        facts(rows),
        f"  at scale 1 (times S/alpha on data):\n{facts(at_scale_1)}",
        facts([("certificate", f"the mechanism is {verdict}: {promised}"), ("", meets)]),
        *_published_lines(family, privacy, dimension),
    ]
    return "\n\n".join(parts)


def _published_lines(family: Noise, privacy: Privacy, dimension: int) -> list[str]:
    """Describe the true guarantee of every published pair; some break their promise."""
    from engine.noise.certificate import certify_published

    lines = published_lines(privacy, certify_published(family, privacy, dimension))
    title = "  published pairs, verified the same way:"
    return ["\n".join([title, *(f"    {line}" for line in lines)])] if lines else []
