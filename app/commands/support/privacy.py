"""PRIVACY on the command line: epsilon, delta, the noise family and its pair."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.console import remark
from app.commands.support.options import ParameterOptions, UsageError, number
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import short
from engine.privacy import NO_PROMISE, Privacy

if TYPE_CHECKING:
    from engine.noise import Admissible, Noise, NoiseChoice
    from engine.noise.certificate import Certificate


def add_privacy_options(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add epsilon and delta."""
    group = parser.add_argument_group("privacy", ",\nor ".join(wording.between for wording in WORDS.values()))
    group.add_argument("--epsilon", type=number, metavar="E", required=required, help="above 0")
    group.add_argument(
        "--delta", type=number, metavar="D", help="at least 0 and below 1, far below 1/n (default 0)"
    )


def add_noise_option(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add the choice of a noise family."""
    parser.add_argument(
        "--noise",
        metavar="FAMILY",
        help="family of admissible noise, or auto: the one with the least median error under a public model "
        "(default; of blocks power-laplace)",
    )


def read_privacy(options: argparse.Namespace) -> Privacy:
    """Return the privacy that was asked for."""
    return Privacy(options.epsilon, 0.0 if options.delta is None else options.delta)


def read_privacy_for(options: argparse.Namespace, reader: type[Any]) -> Privacy:
    """Return the privacy that was asked for, of what promises any; of all else there is none to ask for.

    Raises
    ------
    UsageError
        If epsilon is missing, or given where it would mean nothing.
    """
    from engine.mechanisms.facts import facts_of

    if facts_of(reader).is_private:
        if options.epsilon is None:
            raise UsageError(f"--epsilon: {reader.name} needs a budget above 0, for instance 1")
        return read_privacy(options)
    if options.epsilon is not None or options.delta is not None:
        raise UsageError(
            f"{reader.name} is not differentially private and takes no --epsilon, --delta; leave it out"
        )
    return NO_PROMISE


def privacy_json(privacy: Privacy, neighbours: str) -> dict[str, Any]:
    """Return what a release costs, for JSON."""
    if privacy == NO_PROMISE:
        return {"epsilon": None, "delta": None, "neighbours": neighbours, "private": False}
    return {"epsilon": privacy.epsilon, "delta": privacy.delta, "neighbours": neighbours}


def noise_options() -> ParameterOptions:
    """Return the options of all noise families."""

    from engine.noise import NOISE_CHOICES

    return ParameterOptions(NOISE_CHOICES)


def pair_options() -> ParameterOptions:
    """Return the options that choose the pair (alpha, beta) of a family."""
    from engine.mechanisms import SmoothRelease

    return ParameterOptions({SmoothRelease.name: SmoothRelease}, only=("constants", "split"))


def noise(options: argparse.Namespace, name: str | None, *, aggregated: bool = False) -> NoiseChoice:
    """Return the family or rule called `name`, or the default one, with the parameters given.

    The default is the rule, but for what is `aggregated` from blocks, whose bounds fall in another way.
    """
    from engine import catalog

    default = catalog.noise("auto").usual() if aggregated else catalog.noise("auto")
    if name is None:
        name = default.name
    catalog.noise(name)  # an unknown name is the first thing to say
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
    """Return the family that is named, or that the rule chooses, and its pair."""
    choice, given = noise(options, name), pair_options().of("smooth", options)
    family, split = choice.chosen(privacy, given.pop("split", 0.5), decline=decline, dimension=dimension)
    return family, family.admissible(privacy, dimension, split=split, **given)


def warn_unless_private(noise: Noise, pair: Admissible, certificate: Certificate, privacy: Privacy) -> None:
    """Say clearly when a published pair does not give the privacy it promises."""
    if not certificate.private:
        remark(
            "warning",
            f"the published pair of {noise.name} noise (alpha = {short(pair.alpha, 4)}, "
            f"beta = {short(pair.beta, 4)}; {pair.source}) does NOT give "
            f"epsilon = {short(privacy.epsilon)}, delta = {short(privacy.delta)}: "
            f"its verified delta is {short(certificate.joint_delta, 3)}; use --constants tight",
        )
