"""What pictures of points, blocks and balls show of a sample."""

from __future__ import annotations

import numpy as np
from pictured_samples import BETA, Case

from app.plots.clustering.bound_against_blocks import BlocksSweep
from app.plots.clustering.cloud_view import CloudView, Direction, Records, regions
from app.plots.clustering.radius_curves import RadiusView
from app.plots.clustering.release_errors import ErrorSample, ErrorsView
from app.plots.one_cluster.quality import BallQualityView
from app.plots.one_cluster.radius_choice import RadiusChoiceView
from app.plots.one_cluster.view import BallView, Boxes, Disc
from engine.aggregation.center_of_attention import Radii


def outputs(case: Case, m: int) -> np.ndarray:
    """What m blocks might have given: records of the case."""
    return np.resize(case.domain.clamp(case.values), m)


def radii(case: Case, m: int) -> Radii:
    z = outputs(case, m)
    return Radii.of(np.abs(z[:, None] - z), case.domain.width, 1)


def radius(case: Case) -> RadiusView:
    return RadiusView.of(radii(case, min(max(case.values.size, 5), 240)), BETA)


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


def errors(case: Case) -> ErrorsView:
    rng, width = np.random.default_rng(4), case.domain.width
    noise = np.minimum(np.abs(rng.laplace(0, width / 10, 300)), width)
    samples = (
        ErrorSample("Clusters", noise, chosen=True),
        ErrorSample("Noisy Lloyd", np.where(rng.random(300) < 0.1, np.nan, noise * 1e-3)),
        ErrorSample("Winsorized mean", np.empty(0), problem="it needs more blocks"),
    )
    return ErrorsView(samples, width)


def cloud(case: Case) -> CloudView:
    sides = (Direction("first", case.unit, case.domain), Direction("second", case.unit, case.domain))
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    z = np.resize(values, (30, 2, 2))
    noise = np.random.default_rng(5).laplace(0, case.domain.width / 20, (500, 2, 2))
    return CloudView(
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


def balls(case: Case) -> BallView:
    directions, width = cloud(case).directions, case.domain.width
    values = case.domain.clamp(np.column_stack([case.values, np.roll(case.values, 1)]))
    middle, low = values.mean(axis=0), values[:20] - width / 20
    runs = np.column_stack([values[:9], np.full(min(9, len(values)), width / 7)])
    runs[0] = np.nan
    return BallView(
        directions=directions,
        window=(case.domain,) * 2,
        records=Records.of(values, [case.domain] * 2),
        balls=(Disc(middle, width / 6, 400),),
        truth=(Disc(values[0], width / 8),),
        runs=runs,
        mean=middle + width / 50,
        true_mean=middle,
        boxes=Boxes(low, low + width / 10, np.arange(len(low)) + 1, len(low) - 1, "cells"),
        n=len(values),
        simulated=True,
        target=400,
    )


def choice(case: Case) -> RadiusChoiceView:
    radii = np.append(case.domain.width / 2.0 ** np.arange(17), 0.0)
    counts = np.array([(case.domain.clamp(case.values) <= case.domain.lower + r).sum() for r in radii])
    t = max(1, case.values.size // 3)
    return RadiusChoiceView(radii, counts, 0.8 * t, t, 6, "points", case.unit, 0.2 * t, radii[5] * 0.9)


def quality(case: Case) -> BallQualityView:
    away = np.abs(case.domain.clamp(case.values) - case.domain.lower) / case.domain.width
    held = np.where(away > 0.5, np.nan, 1.5 - away)
    return BallQualityView(held, 3 * away, 0.2, int(np.isnan(held).sum()), 500)
