"""What other libraries release: asked as they mean it, drawn by themselves, attacked like our own."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from scipy import stats

import engine.extras.libraries.library
from engine.audit.low_bits import low_bits_run, possible
from engine.audit.pairs import worst_case_pairs
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import DataError, ExecutionError, ParameterError
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.extras.libraries.library import INSTALL, PICTURE_SECONDS, Library, Peer
from engine.extras.libraries.opendp import OpenDPRelease
from engine.extras.libraries.python_dp import PythonDPRelease
from engine.privacy import Privacy
from engine.queries import Count, Mean, Median, Minimum, Quantile
from engine.queries.base import Query
from engine.randomness import reproducible, secure

DOMAIN = Interval(0.0, 100.0)
DATA = Sample(np.random.default_rng(4).uniform(0, 100, 41), DOMAIN)
PRIVACY = Privacy(0.5)
PEERS = (OpenDPRelease, DiffprivlibRelease, PythonDPRelease)
QUERIES = (Quantile(q=0.9), Mean(), Count(where="> 30"), Count(where="> 30", give="share"))
FALSE_ALARM = 1e-6


def asking(peer: type[Peer], query: Query[Any]) -> Peer:
    """Return a library with a question; few candidates, where it has some, take little time."""
    few = {"candidates": 50} if peer is OpenDPRelease else {}
    return peer(query=query, clamp="none", **few)


@pytest.fixture(params=PEERS, ids=lambda peer: peer.name)
def peer(request: pytest.FixtureRequest) -> type[Peer]:
    """Each library that is installed."""
    if not request.param.facts.library.is_installed:
        pytest.skip(f"{request.param.facts.library.distribution} is not installed (extra 'peers')")
    return request.param


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query.name}-{getattr(query, 'give', '')}")
def test_answers_lie_between_the_bounds_on_the_grid_that_is_said(peer, query):
    mechanism = dataclasses.replace(asking(peer, query), clamp="bounds")
    release = mechanism.run(DATA, Privacy(2.0))
    results = query.value_range(DOMAIN, DATA.n)
    assert results.lower <= release.value <= results.upper
    assert mechanism._number_grid(DATA, PRIVACY).holds(np.array([[release.value]])).all()
    assert (release.privacy, release.exact, release.simulated) == (Privacy(2.0), False, False)
    assert release.parameters["library"] == f"{peer.facts.library.distribution} {peer.facts.library.version}"


def test_a_library_that_does_not_fit_does_not_count_as_installed(monkeypatch):
    versions = {"diffprivlib": "0.6.6", "scikit-learn": "1.9.0"}
    monkeypatch.setattr(engine.extras.libraries.library, "_version", versions.get)
    library = DiffprivlibRelease.facts.library
    assert not library.is_installed
    (problem,) = library.not_installed("method")
    assert problem.message == (
        f"diffprivlib 0.6.6 does not work with scikit-learn 1.9.0; install both anew with: {INSTALL}"
    )
    versions["scikit-learn"] = "1.8.2"
    assert not library.misfit
    versions |= {"diffprivlib": "0.7.0", "scikit-learn": "1.10.0"}
    assert not library.misfit


def test_a_library_that_cannot_be_imported_says_so_in_one_line():
    broken = Library("engine.nothing", "sensiscope-nothing")
    with pytest.raises(ExecutionError, match=r"cannot be imported \(No module named 'engine.nothing'\); try"):
        broken.load()


@pytest.mark.parametrize("missing", PEERS, ids=lambda peer: peer.name)
def test_a_library_that_is_not_there_is_named_with_what_installs_it(missing, monkeypatch):
    monkeypatch.setattr(Library, "is_installed", False)
    with pytest.raises(
        ParameterError, match=f"{missing.facts.library.distribution} is not installed; install it with: pip"
    ):
        missing(query=Median()).prepare(DATA, PRIVACY)
    assert INSTALL.endswith("'sensiscope[peers]'")


def test_what_a_library_is_not_asked_for_is_refused(peer):
    [problem] = peer(query=Minimum()).problems(PRIVACY, DOMAIN, 41)
    assert problem.field == "method"
    assert "releases a median, a quantile, a mean or a count, not a Minimum" in problem.message


def test_none_joins_a_comparison_without_being_asked(peer):
    assert not peer.facts.is_offered(Median(), 41)


@pytest.mark.parametrize("query", QUERIES[:3], ids=lambda query: query.name)
def test_epsilon_is_translated_to_what_the_library_means(peer, query):
    asked = asking(peer, query)._request(DATA, PRIVACY)
    halved = peer is PythonDPRelease and not isinstance(query, Count)
    assert (asked.epsilon, asked.between) == ((0.25, "add-or-remove") if halved else (0.5, "replace-one"))


def test_a_count_has_whole_laplace_noise_for_one_replaced_record(peer):
    """A chi-square test against the exact law; the false-alarm probability is 1e-6."""
    runs, query = 1000, Count(where="> 50")
    ready = peer(query=query, clamp="none").prepare(DATA, PRIVACY)
    drawn = ready.draw(secure(), runs) - query.value(DATA)
    q = np.exp(-PRIVACY.epsilon)
    inner = np.arange(-6, 7)
    found = [np.count_nonzero(drawn < -6), *((drawn == k).sum() for k in inner), np.count_nonzero(drawn > 6)]
    law = (1 - q) / (1 + q) * q ** np.abs(inner)
    tail = (1 - law.sum()) / 2
    assert stats.chisquare(found, runs * np.array([tail, *law, tail])).pvalue > FALSE_ALARM


def test_a_simulation_by_diffprivlib_follows_its_seed():
    if not DiffprivlibRelease.facts.library.is_installed:
        pytest.skip("diffprivlib is not installed (extra 'peers')")
    ready = DiffprivlibRelease(query=Mean()).prepare(DATA, PRIVACY)
    first, second, other = (ready.draw(reproducible(seed), 3) for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("query", [Mean(), Median()], ids=lambda query: query.name)
def test_the_doubles_that_diffprivlib_can_release_are_known(query):
    """No release of its own is called impossible: the attack below has no false alarms."""
    if not DiffprivlibRelease.facts.library.is_installed:
        pytest.skip("diffprivlib is not installed (extra 'peers')")
    ready = DiffprivlibRelease(query=query).prepare(Sample([0.0] * 9 + [100.0], DOMAIN), PRIVACY)
    drawn = ready.draw(secure(), 500).reshape(-1, 1)
    on = np.ones(drawn.shape, dtype=bool)
    assert possible(ready, drawn, on, 1).all()
    assert not possible(ready, np.nextafter(drawn, 200.0), on, 1).all()


@pytest.mark.parametrize(
    ("peer_name", "violated"), [("opendp", False), ("diffprivlib", True), ("python-dp", False)]
)
def test_low_bits_of_a_mean(peer_name, violated):
    mechanism = next(peer for peer in PEERS if peer.name == peer_name)(query=Mean())
    if not mechanism.facts.library.is_installed:
        pytest.skip(f"{mechanism.facts.library.distribution} is not installed (extra 'peers')")
    pair = next(pair for pair in worst_case_pairs(mechanism, DOMAIN, 10, PRIVACY) if pair.name == "one-moved")
    found = low_bits_run(mechanism, pair, PRIVACY, runs=1000).result
    assert found.violated == violated
    assert (max(found.impossible) > 0.03) == violated


def test_quantiles_and_density_of_a_release_are_those_of_draws(peer):
    ready = dataclasses.replace(asking(peer, Mean()).prepare(DATA, PRIVACY), seconds=PICTURE_SECONDS / 200)
    low, middle, high = ready.quantile([0.05, 0.5, 0.95])
    assert 0 <= low < middle < high <= 100
    xs = np.linspace(-1, 101, 2001)
    assert np.trapezoid(ready.density(xs), xs) == pytest.approx(1, abs=0.05)


def test_what_a_library_raises_is_one_line(peer):
    ready = asking(peer, Mean()).prepare(DATA, PRIVACY)

    def fails(seed: int | None) -> float:
        raise RuntimeError("no candidate\n  to return")

    broken = dataclasses.replace(ready, asked=dataclasses.replace(ready.asked, draw=fails))
    with pytest.raises(DataError, match=f"{peer.name} fails on these data") as caught:
        broken.draw(secure(), 1)
    assert caught.value.confidential == "RuntimeError: no candidate to return"
    nothing = dataclasses.replace(ready, asked=dataclasses.replace(ready.asked, draw=lambda seed: np.nan))
    with pytest.raises(DataError, match="fails on these data") as caught:
        nothing.draw(secure(), 1)
    assert caught.value.confidential == "ValueError: it returns nan"
