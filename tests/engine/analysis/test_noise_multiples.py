"""Multiples of a sensitivity that nobody knows are compared only where it is the same one."""

from engine.analysis.noise import noise_families, public_noise_families
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import SmoothRelease
from engine.noise import NOISES
from engine.privacy import Privacy


def test_public_curves_are_multiples_of_one_and_the_same_sensitivity():
    data = Sample(range(1, 101), Interval(0, 1000))
    for privacy in (Privacy(1.0), Privacy(1.0, 1e-6)):
        for name, family in NOISES.items():
            try:
                pair = family().admissible(privacy)
            except ParameterError:
                continue
            mechanism = SmoothRelease(noise=family())
            found = public_noise_families(mechanism, privacy)
            assert found.beta == pair.beta, name
            assert sum(curve.chosen for curve in found.curves) == 1
            for curve in found.curves:
                assert abs(curve.noise.admissible(privacy).beta - pair.beta) <= 1e-9 * pair.beta
            seen = {one.name for one in (*(curve.noise for curve in found.curves), *found.left_out)}
            assert seen == {curve.noise.name for curve in noise_families(mechanism, data, privacy).curves}
