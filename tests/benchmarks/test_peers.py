"""Other libraries beside our own mechanisms: errors in one picture of each kind, attacks in one table.

Run with ``python3 packaging/test.py -m benchmark -s tests/benchmarks/test_peers.py``.
"""

import datetime
import json
import subprocess
import sys

import pytest

from engine import Lloyd
from engine.audit.auditing import audit_mechanism
from engine.audit.low_bits import low_bits_run
from engine.audit.pairs import worst_case_pairs
from engine.domain import Box, Interval
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.extras.libraries.histograms import DiffprivlibHistogram, OpenDPHistogram, PythonDPHistogram
from engine.extras.libraries.k_means import DiffprivlibKMeans
from engine.extras.libraries.library import Peer
from engine.extras.libraries.opendp import OpenDPRelease
from engine.extras.libraries.python_dp import PythonDPRelease
from engine.mechanisms import ExponentialRelease, LaplaceRelease, NoisyHistogram
from engine.privacy import Privacy
from engine.queries import Count, Mean, Median

pytestmark = pytest.mark.benchmark

PEERS = (OpenDPRelease, DiffprivlibRelease, PythonDPRelease)
HISTOGRAMS = (OpenDPHistogram, DiffprivlibHistogram, PythonDPHistogram)
RUN = "--epsilon 1 --runs 200"
MEDIANS = [
    *("median:exponential", "median:smooth"),
    *("median:opendp,candidates=1000", "median:diffprivlib", "median:python-dp"),
]
AUDITED = "--example geyser --column waiting --epsilon 1 --runs 2000 --seed 1 --yes --audit"
COMPARED = {
    "medians": "median:exponential median:smooth median:opendp median:diffprivlib median:python-dp "
    "--example salaries",
    "counts": "histogram-noisy,post=none histogram-noisy histogram-opendp histogram-diffprivlib "
    "histogram-python-dp --example airports",
    "centers": "k-means-on-cells,k=2 lloyd,k=2 k-means-diffprivlib,k=2 --example geyser",
}
DOMAIN, SQUARE, N, PRIVACY = Interval(0.0, 100.0), Box.of([0, 0], [100, 100]), 10, Privacy(1.0)
RUNS, REAL = 2000, 1000

missing = [peer.facts.library.distribution for peer in PEERS if not peer.facts.library.is_installed]
needs_all = pytest.mark.skipif(bool(missing), reason=f"not installed (extra 'peers'): {', '.join(missing)}")


def compared(*words):
    """Return the median error of each mechanism, by its label, and print a row of the help for it."""
    command = [sys.executable, "-m", "app", "compare", *words, "--seed", "1", "--yes", "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    rows = json.loads(found.stdout)["mechanisms"]
    for row in rows:
        half, most = row["errors"]["median"], row["errors"]["p95"]
        print(f"\n{row['label']}: {half:.3g}, {most:.3g}, {1000 * row['seconds_per_run']:.2g} ms", end="")
    return {row["label"]: row["errors"]["median"] for row in rows}


def judged(mechanism, domain, most, pairs=None):
    """Attack a mechanism on its built-in neighbours, and print a row of the help for it."""
    worst = told = 0.0
    verdicts = set()
    every = worst_case_pairs(mechanism, domain, most, PRIVACY)
    chosen = [pair for pair in every if pairs is None or pair.name in pairs]
    for pair in chosen:
        audit = audit_mechanism(mechanism, pair.data, pair.neighbour, PRIVACY, runs=RUNS, seed=1)
        worst = max(worst, audit.epsilon_lower_bound)
        verdicts |= {"audit"} if audit.violated else set()
        if mechanism._number_grid(pair.data, PRIVACY) is not None:
            bits = low_bits_run(mechanism, pair, PRIVACY, runs=REAL).result
            told = max(told, *bits.impossible)
            verdicts |= {"low bits"} if bits.violated else set()
    whose = (
        f"{mechanism.facts.library.distribution} {mechanism.facts.library.version}"
        if isinstance(mechanism, Peer)
        else "ours"
    )
    print(
        f"\n{datetime.date.today()} {whose}, {mechanism!r}: "
        f"{len(chosen)} pairs, epsilon at least {worst:.3f} of 1; impossible for the neighbor: "
        f"{100 * told:.1f} %; violated: {', '.join(sorted(verdicts)) or 'nothing'}"
    )
    return verdicts


@needs_all
def test_errors_of_a_median_in_one_picture(tmp_path):
    """The exponential mechanism of diffprivlib errs like ours, and python-dp, which hides n, by more."""
    picture = tmp_path / "peers.svg"
    errors = compared(*f"{COMPARED['medians']} {RUN} --plot".split(), picture)
    ours, theirs = (
        next(error for label, error in errors.items() if word in label)
        for word in ("xponential", "diffprivlib")
    )
    google = next(error for label, error in errors.items() if "python-dp" in label)
    assert all(name in picture.read_text() for name in ("OpenDP", "diffprivlib", "python-dp"))
    assert ours / 2 < theirs < 2 * ours < google


@needs_all
def test_errors_and_audits_of_a_median_in_one_picture(tmp_path):
    """One command: no median is refuted, and the four stand beside each other twice."""
    picture = tmp_path / "peers.png"
    command = [sys.executable, "-m", "app", "compare", *MEDIANS, *AUDITED.split()]
    found = subprocess.run(
        [*command, "--json", "--plot", picture], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    content = json.loads(found.stdout)
    for row, audit in zip(content["mechanisms"], content["audits"], strict=True):
        half, most, least = row["errors"]["median"], row["errors"]["p95"], audit["epsilon_lower_bound"]
        print(f"\n{audit['label']}: {half:.3g}, {most:.3g}, epsilon at least {least:.2g}", end="")
        assert audit["verdict"] == "consistent"
    assert picture.stat().st_size > 20_000


@needs_all
@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize("epsilon", ["0.1", "0.3", "1", "3"])
@pytest.mark.parametrize("data", ["salaries", "evenly-spaced"])
def test_errors_of_a_median_by_epsilon(data, epsilon, delta):
    """With the noise that the rule chooses, smooth sensitivity is the nearest from epsilon = 3 on."""
    errors = compared(*MEDIANS, "--example", data, "--epsilon", epsilon, "--delta", delta, "--runs", "1000")
    nearest = min(errors, key=errors.__getitem__)
    assert ("mooth" in nearest) or epsilon != "3", errors


@needs_all
@pytest.mark.parametrize("name", ["counts", "centers"])
def test_errors_of_histograms_and_centers(tmp_path, name):
    """Counts of OpenDP are those of our noise before it is made consistent: within a fifth."""
    errors = compared(*f"{COMPARED[name]} {RUN} --plot".split(), tmp_path / "peers.svg")
    if name == "counts":
        assert errors["Histogram of OpenDP"] == pytest.approx(errors["Noisy histogram (none)"], rel=0.2)
    else:
        assert errors["k-means on cells"] < errors["k-means of diffprivlib"]


@needs_all
@pytest.mark.parametrize("query", [Median(), Mean(), Count(where="> 50")], ids=lambda query: query.name)
@pytest.mark.parametrize("kind", PEERS, ids=lambda peer: peer.name)
def test_audits(kind, query):
    """Of all of these, the low bits of a mean by diffprivlib alone give it away."""
    few = {"candidates": 1000} if kind is OpenDPRelease else {}
    faulty = kind is DiffprivlibRelease and isinstance(query, Mean)
    assert judged(kind(query=query, **few), DOMAIN, N) == ({"low bits"} if faulty else set())


OURS = (
    (ExponentialRelease(query=Median()), DOMAIN),
    (LaplaceRelease(query=Mean()), DOMAIN),
    (LaplaceRelease(query=Count(where="> 50")), DOMAIN),
    (NoisyHistogram(bins=2, post="none"), SQUARE),
    (Lloyd(k=3), Box.of([0], [100])),
)


@pytest.mark.parametrize(("mechanism", "domain"), OURS, ids=lambda value: getattr(value, "name", ""))
def test_audits_of_ours(mechanism, domain):
    """What stands beside them in the table: nothing is found."""
    assert judged(mechanism, domain, N) == set()


@needs_all
@pytest.mark.parametrize("kind", HISTOGRAMS, ids=lambda peer: peer.name)
def test_audits_of_histograms(kind):
    """Nothing is found in counts."""
    assert judged(kind(bins=2), SQUARE, N, {"one-moved", "two-heaps"}) == set()


@needs_all
def test_audit_of_k_means():
    """A cluster without records gets no noise, which an audit sees."""
    assert judged(DiffprivlibKMeans(k=3), Box.of([0], [100]), N, {"one-moved"}) == {"audit"}
