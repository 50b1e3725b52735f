"""Blocks with replacement: their secret draw amplifies the privacy of the aggregator."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from engine.aggregation.blocks import Blocks, Sampling
from engine.noise.base import EPSILONS
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import PUBLIC

ROUNDING_MARGIN = 2.0**-40
"""Share by which a budget is reduced for rounding errors."""

MAX_DELTA = 0.5
"""Largest delta for the aggregator."""


@dataclasses.dataclass(frozen=True)
class WithReplacement(Sampling):
    """m blocks of n/(9 m) records; each record is drawn independently from all, anew for each release.

    Most blocks miss any one record: it is in S ~ Bin(m, p) of them, p = 1 - (1 - 1/n)^b for blocks of b.
    Which blocks is secret.  So an aggregator that is (e, c)-private for one changed output gives a release
    that is (epsilon, delta)-private with

        epsilon = ln E[e^(e S)] = m ln(1 + p (e^e - 1)),   delta = c (e^epsilon - 1)/(e^e - 1).

    Proof.  Change from one database to its neighbour block by block.  Let one block be drawn from x or from
    x', and fix all others.  An event has probability q if the record is not in that block, and a or b if it
    is.  Now a is at most e^e q + c and e^e b + c, and so e^e ((1 - t) q + t b) + c for any weight t.  With g
    = 1 + p (e^e - 1) and t = g e^-e, (1 - p) q + p a is at most g times (1 - p) q + p b, plus p c. m such
    steps multiply the factors g, and add up p c times their powers.

    Source: Nissim, Stemmer, Vadhan 2016, Lemma 6.4.  It proves (6 e m'/n, e^(6 e m'/n) (4 m'/n) c) for m'
    draws in total, n/9 of n.

    Examples
    --------
    10 blocks of 11 among 1,000 records; at epsilon = 1 the aggregator may spend more than twice as much:

    >>> from engine import Privacy, WithReplacement
    >>> sampling = WithReplacement(blocks=10)
    >>> sampling.block_size(1000), round(sampling.left(1000, Privacy(1.0)).epsilon, 1)
    (11, 2.4)
    """

    name: ClassVar[str] = "with-replacement"
    label: ClassVar[str] = "With replacement"
    summary: ClassVar[str] = "every record of a block is drawn from all, secretly and anew for each release"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Lemma 6.4"
    exact_because: ClassVar[str] = PUBLIC
    redrawn: ClassVar[bool] = True

    thin: int = parameter(
        default=9,
        lower=1,
        upper=1000,
        label="Draw one in",
        help="Records per draw: larger values mean smaller blocks and more privacy from the draw.",
        advanced=True,
    )

    @property
    def records_per_draw(self) -> int:
        return self.thin

    def block_size(self, n: int) -> int:
        return n // (self.thin * self.blocks)

    def overlap(self, n: int) -> tuple[int, float]:
        """Return (1, 0): the aggregator hides one output, and the draw accounts for the rest."""
        return 1, 0.0

    def left(self, n: int, privacy: Privacy) -> Privacy:
        log_p = math.log(in_a_block(n, max(1, self.block_size(n))))
        share = privacy.epsilon / self.blocks
        if share > 1:
            spent = share + math.log(-math.expm1(-share) + math.exp(log_p - share)) - log_p
        else:
            spent = math.log1p(math.expm1(share) / math.exp(log_p))
        spent = min(spent * (1 - ROUNDING_MARGIN), EPSILONS[1])
        if privacy.delta == 0:
            return Privacy(spent)
        # (e^spent - 1)/(e^epsilon - 1), where both may be large
        epsilon = privacy.epsilon
        more = spent - epsilon + math.log(math.expm1(-spent) / math.expm1(-epsilon))
        most = math.log(MAX_DELTA) - math.log(privacy.delta)
        return Privacy(spent, privacy.delta * math.exp(min(more, most)) * (1 - ROUNDING_MARGIN))

    def draw(self, n: int, rng: np.random.Generator) -> Blocks:
        members = rng.integers(0, n, (self.blocks, self.block_size(n)), dtype=np.int64)
        return Blocks.of(members, s=1)


def in_a_block(n: int, size: int) -> float:
    """Return p = 1 - (1 - 1/n)^size, the probability that a record is in a block; an upper bound."""
    return min(1.0, -math.expm1(size * math.log1p(-1 / n)) * (1 + ROUNDING_MARGIN)) if n > 1 else 1.0
