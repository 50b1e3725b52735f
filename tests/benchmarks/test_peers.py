"""Other libraries beside our own mechanisms: errors in one picture, attacks in one table.

Run with ``python3 packaging/test.py -m benchmark -s tests/benchmarks/test_peers.py``.
"""

import datetime
import json
import subprocess
import sys

import pytest

from engine.audit.auditing import audit_mechanism
from engine.audit.low_bits import low_bits_run
from engine.audit.pairs import built_in
from engine.domain import Interval
from engine.mechanisms.peers import DiffprivlibRelease, OpenDPRelease, PythonDPRelease
from engine.privacy import Privacy
from engine.queries import Count, Mean, Median

pytestmark = pytest.mark.benchmark

PEERS = (OpenDPRelease, DiffprivlibRelease, PythonDPRelease)
COMPARE = (
    "compare median:exponential median:smooth median:opendp median:diffprivlib median:python-dp "
    "--example salaries --epsilon 1 --runs 200 --seed 1"
)
DOMAIN, N, PRIVACY = Interval(0.0, 100.0), 10, Privacy(1.0)
RUNS, REAL = 5000, 2000

missing = [peer.distribution for peer in PEERS if not peer.is_installed()]
needs_all = pytest.mark.skipif(bool(missing), reason=f"not installed (extra 'peers'): {', '.join(missing)}")


@needs_all
def test_errors_of_a_median_in_one_picture(tmp_path):
    """The exponential mechanism of diffprivlib errs like ours, and python-dp, which hides n, by more."""
    picture = tmp_path / "peers.svg"
    command = [sys.executable, "-m", "app", *COMPARE.split(), "--json", "--plot", str(picture), "--yes"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    errors = {}
    for one in json.loads(found.stdout)["mechanisms"]:
        errors[one["parameters"]["method"]] = one["errors"]["median"]
        print(f"\n{one['parameters']['method']}: {one['errors']}, {one['seconds_per_run']:.3g} s", end="")
    assert all(name in picture.read_text() for name in ("OpenDP", "diffprivlib", "python-dp"))
    assert errors["exponential"] / 2 < errors["diffprivlib"] < 2 * errors["exponential"] < errors["python-dp"]


@needs_all
@pytest.mark.parametrize("query", [Median(), Mean(), Count(where="> 50")], ids=lambda query: query.name)
@pytest.mark.parametrize("kind", PEERS, ids=lambda peer: peer.name)
def test_audits(kind, query):
    """What is known by now: of all of these, the low bits of a mean by diffprivlib alone give it away."""
    mechanism, worst, told, pairs = (
        kind(query=query),
        0.0,
        0.0,
        built_in(kind(query=query), DOMAIN, N, PRIVACY),
    )
    for pair in pairs:
        audit = audit_mechanism(mechanism, pair.data, pair.neighbour, PRIVACY, RUNS, seed=1)
        bits = low_bits_run(mechanism, pair, PRIVACY, REAL).found
        worst, told = max(worst, audit.epsilon_lower_bound), max(told, *bits.impossible)
        assert not audit.violated
        assert bits.violated == (kind is DiffprivlibRelease and isinstance(query, Mean))
    print(
        f"\n{datetime.date.today()} {kind.distribution} {kind.version()}, {query.name}: {len(pairs)} pairs, "
        f"epsilon at least {worst:.3f} of 1; impossible for the neighbour: {100 * told:.1f} %"
    )
