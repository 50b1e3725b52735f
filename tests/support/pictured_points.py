"""What pictures of points, blocks and balls show of a sample."""

from __future__ import annotations

import numpy as np
from pictured_samples import BETA, Case

from engine.aggregation.center_of_attention import Radii
from engine.analysis.ball_quality import BallSample
from engine.analysis.ball_scenes import BallCloud, Boxes, Disc
from engine.analysis.block_sweeps import BlocksSweep
from engine.analysis.clouds import Cloud
from engine.analysis.cluster_scenes import regions
from engine.analysis.points_errors import ErrorComparison, ErrorSample
from engine.analysis.radii import ChosenRadius, RadiusProfile
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records


def outputs(case: Case, m: int) -> np.ndarray:
    """What m blocks might have given: records of the case."""
    return np.resize(case.domain.clamp(case.values), m)


def radii(case: Case, m: int) -> Radii:
    z = outputs(case, m)
    return Radii.of(np.abs(z[:, None] - z), case.domain.width, 1)


def radius(case: Case) -> RadiusProfile:
    return RadiusProfile.of(radii(case, min(max(case.values.size, 5), 240)), BETA)


def blocks(case: Case) -> BlocksSweep:
    ms = np.array([3, 10, 31, 100, 200])
    some = [radii(case, m) for m in ms]
    smooth = np.array([each.smooth_bound(BETA).value for each in some])
    away = np.array(
        [
            abs(outputs(case, m)[each.center] - outputs(case, m).mean())
            for m, each in zip(ms, some, strict=True)
        ]
    )
    published = np.array([each.published_bound(BETA) for each in some])
    return BlocksSweep(2001, ms, smooth, published, away, 4 * smooth, case.domain.width, 50)


def errors(case: Case) -> ErrorComparison:
    rng, width = np.random.default_rng(4), case.domain.width
    noise = np.minimum(np.abs(rng.laplace(0, width / 10, 300)), width)
    samples = (
        ErrorSample("Clusters", noise, chosen=True),
        ErrorSample("Noisy Lloyd", np.where(rng.random(300) < 0.1, np.nan, noise * 1e-3)),
        ErrorSample("Winsorized mean", np.empty(0), problem="it needs more blocks"),
    )
    return ErrorComparison(samples, width)


def cloud(case: Case) -> Cloud:
    sides = (Direction("first", case.unit, case.domain), Direction("second", case.unit, case.domain))
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    z = np.resize(values, (30, 2, 2))
    noise = np.random.default_rng(5).laplace(0, case.domain.width / 20, (500, 2, 2))
    return Cloud(
        directions=sides,
        records=Records.of(values, [case.domain] * 2),
        outputs=z,
        center=z[7],
        radius=case.domain.width / 9,
        majority=16,
        released=case.domain.clamp(z[7] + noise[0]),
        regions=regions(noise),
        baseline=z[3],
        truth=z.mean(axis=0),
    )


def balls(case: Case) -> BallCloud:
    directions, width = cloud(case).directions, case.domain.width
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    middle, low = values.mean(axis=0), values[:20] - width / 20
    return BallCloud(
        directions=directions,
        window=(case.domain,) * 2,
        records=Records.of(values, [case.domain] * 2),
        balls=(Disc(middle, width / 6),),
        truth=(Disc(values[0], width / 8),),
        mean=middle + width / 50,
        true_mean=middle,
        boxes=Boxes(low, low + width / 10, np.arange(len(low)) + 1, len(low) - 1, width / 10, len(low)),
        n=len(values),
        simulated=True,
        target=400,
    )


def choice(case: Case) -> ChosenRadius:
    radii = np.append(case.domain.width / 2.0 ** np.arange(17), 0.0)
    counts = np.array([(case.domain.clamp(case.values) <= case.domain.lower + r).sum() for r in radii])
    t = max(1, case.values.size // 3)
    return ChosenRadius(radii, counts, 0.8 * t, t, 6, "cells", radii[5] * 0.9)


def quality(case: Case) -> BallSample:
    away = np.abs(case.domain.clamp(case.values) - case.domain.lower) / case.domain.width
    held = np.where(away > 0.5, np.nan, 1.5 - away)
    return BallSample(held, 3 * away, 0.2, int(np.isnan(held).sum()), 500, 0.1)
