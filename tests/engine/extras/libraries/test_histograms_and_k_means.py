"""Histograms and k-means of other libraries: what they promise, and where diffprivlib does not keep it."""

import math

import numpy as np
import pytest
from scipy import stats

from engine.audit.auditing import audit_mechanism
from engine.audit.low_bits import low_bits_run
from engine.audit.pairs import worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ParameterError
from engine.extras.libraries.histograms import DiffprivlibHistogram, OpenDPHistogram, PythonDPHistogram
from engine.extras.libraries.k_means import DiffprivlibKMeans
from engine.extras.libraries.library import Library, Peer
from engine.histograms.grid import Grid
from engine.mechanisms import NoisyHistogram
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

SQUARE = Box.of([0, 0], [100, 100])
DATA = Points(np.random.default_rng(4).uniform(0, 100, (60, 2)), SQUARE)
PRIVACY = Privacy(0.5)
HISTOGRAMS = (OpenDPHistogram, DiffprivlibHistogram, PythonDPHistogram)
ALL = (*HISTOGRAMS, DiffprivlibKMeans)
FALSE_ALARM = 1e-6


def installed(peer: type[Peer]) -> type[Peer]:
    if not peer.facts.library.is_installed:
        pytest.skip(f"{peer.facts.library.distribution} is not installed (extra 'peers')")
    return peer


@pytest.fixture(params=HISTOGRAMS, ids=lambda peer: peer.name)
def histogram(request):
    """Each library that is installed."""
    return installed(request.param)


@pytest.mark.parametrize("peer", ALL, ids=lambda peer: peer.name)
def test_what_is_missing_is_named_with_what_installs_it(peer, monkeypatch):
    monkeypatch.setattr(Library, "is_installed", False)
    with pytest.raises(
        ParameterError, match=f"{peer.facts.library.distribution} is not installed; install it with: pip"
    ):
        peer().prepare(DATA, PRIVACY)


@pytest.mark.parametrize("peer", ALL, ids=lambda peer: peer.name)
def test_a_release_says_whose_it_is_and_what_was_asked(peer):
    release = installed(peer)().run(DATA, PRIVACY)
    halved = peer is not OpenDPHistogram
    assert release.noise["epsilon"] == (0.25 if halved else 0.5)
    assert release.noise["neighbours"] == ("add-or-remove" if halved else "replace-one")
    assert release.parameters["library"] == f"{peer.facts.library.distribution} {peer.facts.library.version}"
    assert (release.privacy, release.exact, release.simulated) == (PRIVACY, False, False)


def test_a_count_has_whole_laplace_noise_for_two_counts_that_change(histogram):
    """A chi-square test of a count far above 0 against the exact law; false-alarm probability 1e-6."""
    values = np.concatenate([np.full((500, 2), 10.0), np.full((100, 2), 90.0)])
    mechanism, runs = histogram(bins=2), 300
    ready = mechanism.prepare(Points(values, SQUARE), Privacy(1.0))
    drawn = ready.draw_numbers(secure(), runs)
    q, inner = np.exp(-0.5), np.arange(-4, 5)
    law = (1 - q) / (1 + q) * q ** np.abs(inner)
    tail = (1 - law.sum()) / 2
    for noise in (drawn[:, 0] - 500, drawn[:, 3] - 100):
        ends = [np.count_nonzero(noise < -4), np.count_nonzero(noise > 4)]
        found = [ends[0], *((noise == k).sum() for k in inner), ends[1]]
        assert stats.chisquare(found, runs * np.array([tail, *law, tail])).pvalue > FALSE_ALARM


def test_its_cells_are_those_of_our_grid(histogram):
    values = np.concatenate([DATA.values, [[0, 0], [100, 100], [25, 50], [75, 100]]])
    found = histogram(bins=4).run(Points(values, SQUARE), Privacy(80.0)).histogram
    assert np.array_equal(found.counts, Grid(SQUARE, 4).counts(values))


def test_more_cells_than_are_drawn_in_a_moment_are_refused(histogram):
    [problem] = histogram(bins=129).problems(PRIVACY, SQUARE, 60)
    assert (problem.field, "choose at most 128" in problem.message) == ("bins", True)


@pytest.mark.parametrize("kind", [*HISTOGRAMS, NoisyHistogram], ids=lambda kind: kind.name)
def test_the_help_of_bins_says_how_many_cells_it_takes(kind):
    (bins,) = (each for each in kind.parameters() if each.name == "bins")
    most = next(int(word.replace(",", "")) for word in bins.help.split() if word[0].isdigit())
    side = math.isqrt(most)
    allowed, refused = (
        [each.field for each in kind(bins=size).problems(PRIVACY, SQUARE, DATA.n)]
        for size in (side, side + 1)
    )
    assert "bins" not in allowed
    assert "bins" in refused or (issubclass(kind, Peer) and not kind.facts.library.is_installed)


@pytest.mark.slow
def test_nothing_is_found_in_histograms(histogram):
    """Audit and low bits; 99.99 % confidence each, and every count is a whole number."""
    mechanism = histogram(bins=2)
    pair = next(
        pair for pair in worst_case_pairs(mechanism, SQUARE, 100, PRIVACY) if pair.name == "one-moved"
    )
    found = audit_mechanism(
        mechanism, pair.data, pair.neighbour, PRIVACY, runs=1000, seed=1, confidence=0.9999
    )
    bits = low_bits_run(mechanism, pair, PRIVACY, runs=1000).result
    assert (found.verdict, bits.verdict) == ("consistent", "consistent")
    assert bits.step == (1.0,)


def test_a_failing_library_is_told_in_one_line(histogram, monkeypatch):
    ready = histogram(bins=2).prepare(DATA, PRIVACY)

    def fails(seed):
        raise RuntimeError("no counts\n  today")

    object.__setattr__(ready.sanitizer._cells_request, "draw", fails)
    with pytest.raises(DataError, match=f"{histogram.name} fails on these data") as caught:
        ready.draw(secure(), 1)
    assert caught.value.confidential == "RuntimeError: no counts today"


def test_simulations_of_diffprivlib_follow_their_seed():
    installed(DiffprivlibKMeans)
    for mechanism in (DiffprivlibHistogram(bins=3), DiffprivlibKMeans(k=2)):
        ready = mechanism.prepare(DATA, PRIVACY)
        first, second, other = (ready.draw(reproducible(seed), 2) for seed in (1, 1, 2))
        assert np.array_equal(first, second)
        assert not np.array_equal(first, other)


def test_centers_lie_between_the_bounds():
    release = installed(DiffprivlibKMeans)(k=3).run(DATA, PRIVACY)
    assert "audits refute its promise" in DiffprivlibKMeans().inexact
    assert np.asarray(release.value).shape == (3, 2)
    assert np.all((np.asarray(release.value) >= 0) & (np.asarray(release.value) <= 100))


@pytest.mark.parametrize(("k", "box", "field"), [(61, SQUARE, "k"), (2, Box.of([0], [1e-6]), "upper")])
def test_what_k_means_of_diffprivlib_cannot_do_is_refused(k, box, field):
    mechanism = installed(DiffprivlibKMeans)(k=min(k, 32))
    [problem] = mechanism.problems(PRIVACY, box, 31)
    assert problem.field == field


@pytest.mark.parametrize(("columns", "spent"), [(1, 1.0), (4, 0.96), (5, 1.003), (10, 1.21), (100, 2.66)])
def test_shares_of_k_means_of_diffprivlib_add_up_to_more_than_epsilon(columns, spent):
    """A round has a share for the counts and one for each column of the sums: more than all of epsilon."""
    installed(DiffprivlibKMeans)
    from diffprivlib.models import KMeans

    counts, column = KMeans(2, epsilon=1.0)._split_epsilon(columns, 1)
    assert counts + columns * column == pytest.approx(spent, rel=0.005)


@pytest.mark.slow
def test_an_audit_refutes_k_means_of_diffprivlib():
    """A cluster without records gets no noise: epsilon is above 2 where 1 was promised."""
    mechanism = installed(DiffprivlibKMeans)(k=3)
    pairs = worst_case_pairs(mechanism, Box.of([0], [100]), 10, Privacy(1.0))
    pair = next(pair for pair in pairs if pair.name == "one-moved")
    found = audit_mechanism(mechanism, pair.data, pair.neighbour, Privacy(1.0), runs=4000, seed=1)
    assert found.violated
    assert found.epsilon_lower_bound > 1.5
