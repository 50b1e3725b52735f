"""Guarantees in words: promises, certificates of noise, and verdicts of audits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.model.wording.numbers import format_count, grouped, number, share, short

if TYPE_CHECKING:
    from app.model.selection import Selection
    from engine.analysis.noise import NoiseCertificates
    from engine.audit import AuditRun, LowBitsRun
    from engine.domain import Box
    from engine.mechanisms import BallMechanism, InteriorPoint
    from engine.mechanisms.one_cluster import BallGuarantee, Share
    from engine.noise.base import Admissible
    from engine.noise.certificate import Certificate
    from engine.privacy import Privacy


def promise_words(mechanism: BallMechanism | InteriorPoint, box: Box, n: int, asked: Privacy) -> str:
    """Say what is promised of a mechanism for n points of `box`, and how surely."""
    from engine.mechanisms import InteriorPoint, KBalls

    if isinstance(mechanism, InteriorPoint):
        return f"between the smallest and the largest record with probability {percent(1 - mechanism.beta)}"
    which = "first ball: " if isinstance(mechanism, KBalls) else ""
    return which + ball_words(mechanism.search.promise(box, n, asked), mechanism.t, n, mechanism.beta)


def ball_words(promise: BallGuarantee, t: int, n: int, beta: float) -> str:
    """Say how many of t points a ball holds for certain, how large it is, and how surely."""
    if promise.promised <= 0:
        few = promise.needed <= n
        advice = "ask for more points, or take a larger epsilon" if few else "take a larger epsilon"
        return (
            f"nothing is promised for t = {grouped(t)}, only from t = {grouped(promise.needed)} on; {advice}"
        )
    least, points = grouped(math.ceil(promise.promised)), f"{grouped(t)} points"
    return (
        f"at least {least} of {points} ({percent(promise.promised / t)}) within "
        f"{short(promise.factor, 3)} times the radius of the smallest ball with {points}, "
        f"with probability {percent(1 - beta)}, for points rounded to the grid"
    )


def share_words(share: Share) -> str:
    """Say what one step costs."""
    delta = f" (delta {short(share.privacy.delta, 3)})" if share.privacy.delta else ""
    return f"{share.label}: {short(share.privacy.epsilon, 4)}{delta}"


def percent(share: float) -> str:
    """Return a share as ``42 %``."""
    return f"{short(100 * share, 3)} %"


def promise_sentence(setup: Selection) -> str:
    """Say what is promised of the mechanism of a setup; "" where a field says what is wrong."""
    from engine.mechanisms import BallMechanism, InteriorPoint, KBalls

    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism | InteriorPoint):
        return ""
    if mechanism.problems(setup.privacy, box, n):
        return ""
    label = mechanism.search.finder(box).label if isinstance(mechanism, BallMechanism) else mechanism.label
    of_first = ", " if isinstance(mechanism, KBalls) else ": "
    return f"{label}{of_first}{promise_words(mechanism, box, n, setup.privacy)}."


def methods(setup: Selection) -> dict[str, str]:
    """Say in sentences what `promises` says of a setup."""
    from engine.mechanisms import BallMechanism

    mechanism, source = setup.mechanism, setup.source
    assert isinstance(mechanism, BallMechanism)
    said = promises(mechanism, source.domain, source.n, setup.privacy)
    return {name: f"{_begun(text)}." for name, text in said.items()}


def promises(mechanism: BallMechanism, box: Box, n: int, asked: Privacy) -> dict[str, str]:
    """Say of each way of finding a ball what it promises for these n, t, epsilon and delta, or needs."""
    from engine.mechanisms.one_cluster import FINDERS

    said = {}
    for name in FINDERS:
        other = dataclasses.replace(mechanism, method=name)
        wrong = next(iter(other.problems(asked, box, n)), None)
        said[name] = (
            promise_words(other, box, n, asked)
            if wrong is None
            else f"refused ({wrong.field}): {wrong.message}"
        )
    return said


def short_promise(setup: Selection) -> str:
    """Say what is promised in a few words; "" where a field says what is wrong."""
    from engine.mechanisms import BallMechanism

    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism):
        return promise_sentence(setup)
    if mechanism.problems(setup.privacy, box, n):
        return ""
    promise = mechanism.search.promise(box, n, setup.privacy)
    if promise.promised <= 0:
        return f"Nothing is promised below t = {format_count(promise.needed)}."
    points = format_count(math.ceil(promise.promised))
    return f"Promised: {points} points, radius up to {number(promise.factor)} × the smallest."


def _begun(text: str) -> str:
    """Let words begin a promise_sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def certificate_line(certificates: NoiseCertificates) -> str:
    """Say in one line what the pair really gives."""
    asked, result = certificates.asked, certificates.certificate
    if result.private:
        verdict = f"Verified: ε ≤ {number(asked.epsilon)}"
        verdict += f", δ ≤ {number(asked.delta)}" if asked.delta else ""
        verdict += f" for the value, {number(certificates.bar)} for its error bar" if certificates.bar else ""
    elif asked.delta:
        verdict = f"Not as asked: δ = {number(result.joint_delta)} at ε = {number(asked.epsilon)}"
    else:
        verdict = f"Not as asked: ε = {number(result.joint_epsilon)}"
    if certificates.constants == "published":
        verdict += "; Definition 2.4 " + ("holds" if result.admissible else "is violated")
    return verdict


def certificate_paragraphs(certificates: NoiseCertificates) -> list[str]:
    """Say all that was found."""
    asked, result, pair, noise = (
        certificates.asked,
        certificates.certificate,
        certificates.pair,
        certificates.noise,
    )
    said = [
        f"The noise is S*/α times a draw from {noise.label} noise, and S* is smooth at rate β: from "
        "one database to its neighbour it changes by at most a factor e^β. How large α and β may be was "
        "not taken on trust, but checked numerically for all pairs of neighbours.",
        f"Used here: α = {number(pair.alpha)}, β = {number(pair.beta)} ({pair.source}). "
        f"It is {'DP as asked' if result.private else 'Not DP as asked'}: "
        f"ε = {number(result.joint_epsilon)} at δ = {number(asked.delta)}; "
        f"δ = {number(result.joint_delta)} at ε = {number(asked.epsilon)}.",
        "Definition 2.4 of Nissim, Raskhodnikova and Smith, which gives the shift (sliding) and the "
        "stretch (dilation) of the noise half of ε and δ each, "
        f"{'holds' if result.admissible else 'does not hold'} "
        f"(sliding δ = {number(result.sliding_delta)}, dilation δ = {number(result.dilation_delta)}). "
        "A pair that shares the budget better can be DP without it.",
    ]
    if certificates.published is None:
        return [*said, "The pairs in print are still being checked."]
    if not certificates.published:
        return [*said, f"In print: no pair is published for {noise.label}."]
    return [
        *said,
        "In print:\n" + "\n".join(f"• {text}." for text in published_lines(asked, certificates.published)),
    ]


def published_lines(asked: Privacy, pairs: Iterable[tuple[Admissible, Certificate]]) -> list[str]:
    """Return a line for each published pair: is the mechanism private, does the definition hold?"""
    lines = []
    for pair, result in pairs:
        gives = f"δ = {number(result.joint_delta)}" if asked.delta else f"ε = {number(result.joint_epsilon)}"
        lines.append(
            f"{pair.source}: α = {number(pair.alpha)}, β = {number(pair.beta)} is "
            f"{'DP' if result.private else 'Not DP'} ({gives}); "
            f"Definition 2.4 {'holds' if result.admissible else 'is violated'}"
        )
    return lines


NO_PROOF = "An audit can refute a guarantee, never prove it."


@dataclasses.dataclass(frozen=True)
class AuditVerdict:
    """What an audit proves.

    Attributes
    ----------
    state : {"consistent", "violated", "preliminary"}
    chip : str
        The verdict in a word, and on what.
    numbers : str
        What it rests on.
    """

    state: str
    chip: str
    numbers: str

    @property
    def sentence(self) -> str:
        """All of it, as it is read aloud and written below a saved picture."""
        return f"{self.chip}. {self.numbers}"


def audit_verdict(run: AuditRun) -> AuditVerdict:
    """Return what an audit proves; one that could not have refuted the guarantee is preliminary."""
    result = run.audit
    promised = _promised(result.privacy.epsilon)
    bound = (
        f"Measured lower bound {number(result.epsilon_lower_bound)} ({share(result.confidence)} confidence)."
    )
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", bound)
    if not run.could_refute:
        most = f"So few runs can show at most {_promised(run.largest_bound)}; {promised} is promised."
        return AuditVerdict("preliminary", "Preliminary", f"{bound} {most}")
    return AuditVerdict("consistent", f"Consistent with {promised}", f"{bound} {NO_PROOF}")


def low_bits_verdict(run: LowBitsRun) -> AuditVerdict:
    """Return what the attack on the low bits proves."""
    result = run.result
    promised = _promised(result.privacy.epsilon)
    looked = f"Low bits of {number(result.runs, 9)} real releases of either database."
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", looked)
    return AuditVerdict("consistent", f"Consistent with {promised}", looked)


def _promised(epsilon: float) -> str:
    return f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(epsilon)}"
