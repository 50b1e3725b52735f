"""Write the table of the best shape and share of each family of noise, from which "auto" chooses.

python packaging/noise_choices.py [FILE]: takes some ten minutes.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from engine.noise import ArsinhNormal, Gaussian, Laplace, LaplaceLogNormal, Noise, UniformLogNormal
from engine.noise.automatic import DECLINES, TABLE, least
from engine.privacy import Privacy

EPSILONS = (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
DELTAS = (1e-10, 1e-8, 1e-6, 1e-4, 1e-2)

WITH_DELTA: tuple[tuple[Noise, ...], ...] = (
    (Laplace(),),
    (Gaussian(),),
    (LaplaceLogNormal(sigma=0.5),),
    tuple(UniformLogNormal(sigma=sigma) for sigma in (0.5, 0.8, 1.0)),
    tuple(ArsinhNormal(sigma=sigma) for sigma in (1.0, 1.2, 1.4)),
)
"""The shapes that are tried, by family: 95 % of the noise within 8 times the half of it."""


def main(path: Path) -> None:
    """Search every family at every epsilon and delta."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("epsilon", "delta", "decline", "family", "shape", "split", "error"))
        for epsilon in EPSILONS:
            for delta in DELTAS:
                for shapes in WITH_DELTA:
                    for decline, best in least(shapes, Privacy(epsilon, delta), DECLINES).items():
                        shape = next(iter(best.noise.settings().values()), "")
                        row = (best.noise.name, shape, best.split, f"{best.error:.4g}")
                        writer.writerow((epsilon, delta, decline, *row))
                file.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TABLE)
