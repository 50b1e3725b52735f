"""Privacy on the command line: epsilon, delta, the noise family and its pair (alpha, beta)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.console import remark
from app.commands.support.options import Option, ParameterOptions, UsageError, add_option, number
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import short
from engine.privacy import NO_PROMISE, Privacy

if TYPE_CHECKING:
    from engine.noise import Admissible, Noise, NoiseChoice
    from engine.noise.certificate import Certificate


def add_privacy_options(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add epsilon and delta."""
    meanings = ",\n  or ".join(wording.between for wording in WORDS.values())
    text = f"Both hold, depending on the mechanism,\n  {meanings}."
    group = parser.add_argument_group("privacy: epsilon and delta", text)
    add_option(group, Option("epsilon", "privacy parameter epsilon, above 0", number, "E", required=required))
    text = "privacy parameter delta, from 0 to below 1; choose it far below 1/n (default 0)"
    add_option(group, Option("delta", text, number, "D"))


NOISE = Option(
    "noise",
    "noise family, or auto: the family with the smallest median error under a public model (default auto; "
    "power-laplace for blocks)",
    metavar="FAMILY",
)
NOISE_TITLE = "noise: parameters of the noise families"
PAIR_TITLE = "pair: parameters of the pair (alpha, beta)"
RESOLUTION = Option("resolution", "public step to which the released value is rounded", number, "STEP")


def read_privacy(options: argparse.Namespace) -> Privacy:
    return Privacy(options.epsilon, 0.0 if options.delta is None else options.delta)


def read_privacy_for(options: argparse.Namespace, reader: type[Any]) -> Privacy:
    """Return the privacy for a query or a mechanism; `NO_PROMISE` where it is not differentially private.

    `UsageError` if epsilon is missing, or means nothing here.
    """
    from engine.mechanisms.facts import facts_of

    if facts_of(reader).is_private:
        if options.epsilon is None:
            raise UsageError(f"--epsilon: {reader.name} needs a budget above 0, for instance 1")
        return read_privacy(options)
    if options.epsilon is not None or options.delta is not None:
        raise UsageError(
            f"{reader.name} is not differentially private and takes no --epsilon, --delta; leave them out"
        )
    return NO_PROMISE


def privacy_json(privacy: Privacy, neighbours: str) -> dict[str, Any]:
    """Return what a release costs, for JSON."""
    if privacy == NO_PROMISE:
        return {"epsilon": None, "delta": None, "neighbours": neighbours, "private": False}
    return {"epsilon": privacy.epsilon, "delta": privacy.delta, "neighbours": neighbours}


def noise_options() -> ParameterOptions:

    from engine.noise import NOISE_CHOICES

    return ParameterOptions(NOISE_CHOICES)


def pair_options() -> ParameterOptions:
    """Return the options that choose a family's pair (alpha, beta)."""
    from engine.mechanisms import SmoothRelease

    return ParameterOptions({SmoothRelease.name: SmoothRelease}, only=("constants", "split"))


def noise(options: argparse.Namespace, name: str | None, *, aggregated: bool = False) -> NoiseChoice:
    """Return the noise family called `name`, or the default, with the given parameters.

    The default is the automatic choice, except for outputs `aggregated` from blocks: their bounds decline
    differently with the distance.
    """
    from engine import catalog

    default = catalog.noise("auto").usual() if aggregated else catalog.noise("auto")
    if name is None:
        name = default.name
    catalog.noise(name)  # report an unknown name before its parameters
    given = noise_options().of(name, options)
    chosen = catalog.noise(name, **given) if given or name != default.name else default
    if chosen.name == "auto" and getattr(options, "parameter_split", None) is not None:
        raise UsageError("--split: auto chooses it; name a family with --noise, to choose it yourself")
    return chosen


def family_and_pair(
    options: argparse.Namespace,
    privacy: Privacy,
    name: str | None,
    dimension: int = 1,
    decline: float = 1.0,
) -> tuple[Noise, Admissible]:
    """Return the named or automatically chosen family, and its pair."""
    choice, given = noise(options, name), pair_options().of("smooth", options)
    family, split = choice.chosen(privacy, given.pop("split", 0.5), decline=decline, dimension=dimension)
    return family, family.admissible(privacy, dimension, split=split, **given)


def warn_unless_private(noise: Noise, pair: Admissible, certificate: Certificate, privacy: Privacy) -> None:
    """Warn when a published pair does not give the privacy that it promises."""
    if not certificate.private:
        remark(
            "warning",
            f"the published pair of {noise.name} noise (alpha = {short(pair.alpha, 4)}, "
            f"beta = {short(pair.beta, 4)}; {pair.source}) does NOT give "
            f"epsilon = {short(privacy.epsilon)}, delta = {short(privacy.delta)}: "
            f"its verified delta is {short(certificate.joint_delta, 3)}; use --constants tight",
        )
