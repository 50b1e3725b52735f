"""Texts about guarantees: promises, certificates of noise, and verdicts of audits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.model.wording.numbers import format_count, grouped, number, share, short
from app.model.wording.releases import sentence

if TYPE_CHECKING:
    from app.model.selection import Selection
    from engine.analysis.noise import NoiseCertificates
    from engine.audit import AuditRun, LowBitsRun
    from engine.audit.guess_who import GuessWho
    from engine.domain import Box
    from engine.mechanisms import BallMechanism, InteriorPoint
    from engine.mechanisms.one_cluster import BallGuarantee, Share
    from engine.noise.base import Admissible
    from engine.noise.certificate import Certificate
    from engine.privacy import Privacy


def odds_words(epsilon: float, delta: float) -> str:
    """Return the meaning of a guarantee: how far it lets the odds of an outcome change."""
    factor = number(math.exp(epsilon), 3) if epsilon < 700 else "∞"
    text = f"the odds of any outcome change by at most ×\N{NO-BREAK SPACE}{factor}"
    return f"{text}, plus δ = {number(delta)} in probability." if delta else f"{text}."


def promise_words(mechanism: BallMechanism | InteriorPoint, box: Box, n: int, asked: Privacy) -> str:
    """Return the promise of a mechanism for n points of `box`, with its probability."""
    from engine.mechanisms import InteriorPoint, KBalls

    if isinstance(mechanism, InteriorPoint):
        return f"between the smallest and the largest record with probability {percent(1 - mechanism.beta)}"
    which = "first ball: " if isinstance(mechanism, KBalls) else ""
    return which + ball_words(mechanism.search.promise(box, n, asked), mechanism.t, n, mechanism.beta)


def ball_words(promise: BallGuarantee, t: int, n: int, beta: float) -> str:
    """Return how many of t points a ball holds, how large it is, and with which probability."""
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
    """Return the cost of one step."""
    delta = f" (delta {short(share.privacy.delta, 3)})" if share.privacy.delta else ""
    return f"{share.label}: {short(share.privacy.epsilon, 4)}{delta}"


def percent(share: float) -> str:
    """Return a share as ``42 %``."""
    return f"{short(100 * share, 3)} %"


def promise_sentence(setup: Selection) -> str:
    """Return the promise of a selection as a sentence; "" while a field has a problem."""
    from engine.mechanisms import BallMechanism, InteriorPoint, KBalls

    mechanism, box, n = setup.mechanism, setup.source.domain, setup.source.n
    if not isinstance(mechanism, BallMechanism | InteriorPoint):
        return ""
    if mechanism.problems(setup.privacy, box, n):
        return ""
    label = mechanism.search.finder(box).label if isinstance(mechanism, BallMechanism) else mechanism.label
    of_first = ", " if isinstance(mechanism, KBalls) else ": "
    return f"{label}, in the worst case{of_first}{promise_words(mechanism, box, n, setup.privacy)}."


def methods(setup: Selection) -> dict[str, str]:
    """Return the `promises` for a selection as sentences."""
    from engine.mechanisms import BallMechanism

    mechanism, source = setup.mechanism, setup.source
    assert isinstance(mechanism, BallMechanism)
    said = promises(mechanism, source.domain, source.n, setup.privacy)
    return {name: sentence(text) for name, text in said.items()}


def promises(mechanism: BallMechanism, box: Box, n: int, asked: Privacy) -> dict[str, str]:
    """Return for each method of finding a ball its promise, or its requirement."""
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


def certificate_line(certificates: NoiseCertificates) -> str:
    """Return the verified guarantee in one line."""
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
    """Return all results of the check."""
    asked, result, pair, noise = (
        certificates.asked,
        certificates.certificate,
        certificates.pair,
        certificates.noise,
    )
    said = [
        f"The noise is S*/α times a draw from {noise.label} noise, and S* is smooth at rate β: from "
        "one database to its neighbor it changes by at most a factor e^β. How large α and β may be was "
        "not taken on trust, but checked numerically for all pairs of neighbors.",
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
    """Return a line for each published pair: whether it is private, and whether the definition holds."""
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
    """The verdict of an audit."""

    state: str  # "consistent", "violated" or "preliminary"
    chip: str  # the verdict in a word, with the promise
    numbers: str  # the numbers behind it

    @property
    def sentence(self) -> str:
        """The whole verdict, for screen readers and captions of saved pictures."""
        return f"{self.chip}. {self.numbers}"


def hit_sentence(game: GuessWho) -> str:
    """Compare the hit rate of the best guess, exact or simulated, with the bound of the guarantee."""
    many = f"{format_count(int((game.bets >= 0).sum()))} simulated"
    kind = "answers" if game.share == 1 else "rare answers"
    answers = f"{many} {kind}" if game.best is None else f"all {kind} (exact)"
    allowed = f"ε = {number(game.privacy.epsilon)} allows at most {share(game.bound)}"
    return f"The best guess is right for {share(game.best_rate)} of {answers}; {allowed}."


def rule_sentence(game: GuessWho) -> str:
    """Say what the guarantee means for a player."""
    epsilon = number(game.privacy.epsilon)
    return f"If ε = {epsilon} holds, you win at most {share(game.bound)} in the long run."


def origin_sentence(game: GuessWho) -> str:
    """Say how many answers the verdict above a game rests on."""
    return f"Audited with {format_count(game.rounds)} answers of each database."


def unshown_sentence(better_pair: str) -> str:
    """Say that a pair does not show a fault, and which one does."""
    return f"This pair does not show the fault: choose “{better_pair}”."


def audit_verdict(run: AuditRun) -> AuditVerdict:
    """Return the verdict of an audit; preliminary if it could not have refuted the guarantee."""
    result = run.audit
    promised = _promised(result.privacy.epsilon)
    bound = f"Measured: ε ≥ {number(result.epsilon_lower_bound)} ({share(result.confidence)} confidence)."
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", bound)
    if not run.could_refute:
        most = f"So few runs can show at most {_promised(run.largest_bound)}; {promised} is promised."
        return AuditVerdict("preliminary", "Preliminary", f"{bound} {most}")
    return AuditVerdict("consistent", f"Consistent with {promised}", f"{bound} {NO_PROOF}")


def low_bits_verdict(run: LowBitsRun) -> AuditVerdict:
    """Return the verdict of the attack on the low bits."""
    result = run.result
    promised = _promised(result.privacy.epsilon)
    looked = f"Low bits of {number(result.runs, 9)} real releases of either database."
    if result.violated:
        return AuditVerdict("violated", f"Violated: {promised}", looked)
    return AuditVerdict("consistent", f"Consistent with {promised}", looked)


def _promised(epsilon: float) -> str:
    return f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(epsilon)}"
