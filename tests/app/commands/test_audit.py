"""`sensiscope audit`: a lower bound on epsilon from two neighbours, and planted mistakes that it finds.

With 10,000 runs and a confidence of 0.999, a right mechanism is called violated with probability
at most 0.001 for one seed; the seeds are fixed.
"""

import pytest

SALARIES = ("--example", "salaries", "--epsilon", 1)
FEW = ("--runs", 10_000)
KEYS = ["epsilon", "delta", "epsilon_lower_bound", "confidence", "runs", "event", "verdict"]


def test_the_promised_keys_on_one_pair(cli):
    found = cli("audit", "median:laplace", *SALARIES, *FEW, "--neighbour", "zeros-and-tops", "--json")
    assert (found.status, found.err) == (0, "")
    content = found.json
    assert [name for name in content if name in KEYS] == KEYS
    assert (content["mechanism"], content["planted"]) == ("median", None)
    assert content["parameters"] == {"method": "laplace", "even": "lower", "clamp": "bounds"}
    assert (content["neighbour"], content["public"]) == ("zeros-and-tops", True)
    assert (content["epsilon"], content["delta"], content["confidence"]) == (1, 0, 0.999)
    assert content["runs"] == 10_000
    assert 0.7 < content["epsilon_lower_bound"] < 1
    assert content["verdict"] == "consistent"
    assert content["simulated"] is True
    assert "pairs" not in content


def test_options_and_one_word_mean_the_same(cli):
    words = (*SALARIES, *FEW, "--neighbour", "one-moved", "--json")
    one = cli("audit", "median:smooth,noise=student-t,nu=3", *words).json
    other = cli("audit", "median", "--method", "smooth", "--noise", "student-t", "--nu", 3, *words).json
    assert one == other
    assert one["parameters"]["nu"] == 3


def test_all_pairs_report_the_worst_with_one_confidence(cli):
    content = cli("audit", "median", "--planted", "local-noise", *SALARIES, *FEW, "--json").json
    bounds = {pair["neighbour"]: pair["epsilon_lower_bound"] for pair in content["pairs"]}
    assert len(bounds) >= 3
    assert content["complete"] is True
    assert content["epsilon_lower_bound"] == max(bounds.values())
    assert content["neighbour"] == max(bounds, key=bounds.get)
    assert {pair["confidence"] for pair in content["pairs"]} == {0.999}
    words = ("--neighbour", content["neighbour"], "--json")
    alone = cli("audit", "median", "--planted", "local-noise", *SALARIES, *FEW, *words).json
    # a bound that holds for all pairs at once is lower than that of one
    assert alone["epsilon_lower_bound"] > content["epsilon_lower_bound"]


@pytest.mark.parametrize(
    ("mechanism", "bug"),
    [
        ("median", "local-noise"),
        ("median:laplace", "halved-scale"),
        ("median:exponential", "exponential-doubled"),
    ],
)
def test_planted_mistakes_are_found(cli, mechanism, bug):
    words = ("audit", mechanism, "--planted", bug, *SALARIES, "--runs", 40_000)
    content = cli(*words, "--json").json
    assert (content["planted"], content["verdict"]) == (bug, "violated")
    out = cli(*words).out
    assert "but the promise is 1: VIOLATED" in out
    assert "planted" in out


def test_low_bits_are_attacked(cli):
    """Real releases have no seed: exact ones are called violated with probability 1e-6."""
    words = ("audit", "median:laplace", *SALARIES, "--runs", 1000, "--low-bits")
    one = cli(*words, "--neighbour", "zeros-and-tops", "--json").json["low_bits"]
    assert one == {
        "neighbour": "zeros-and-tops",
        "runs": 1000,
        "step": 2.0**-22,
        "same_grid": True,
        "off_grid": 0,
        "impossible": [0, 0],
        "impossible_at_least": 0,
        "p_value": one["p_value"],
        "verdict": "consistent",
        "words": one["words"],
    }
    out = cli(*words).out
    assert "before clamping and other post-processing that can be left out" in out
    assert "Low bits: consistent." in out
    assert "never prove it" in out


@pytest.mark.slow
def test_low_bits_tell_what_no_event_does(cli, drawn, tmp_path):
    words = ("audit", "median:laplace", *SALARIES, "--runs", 1000, "--low-bits", "--planted", "naive-doubles")
    content = cli(*words, "--plot", tmp_path / "bits.png", "--json").json
    assert (content["verdict"], content["low_bits"]["verdict"]) == ("consistent", "violated")
    assert {pair["low_bits"]["verdict"] for pair in content["pairs"]} == {"violated"}
    assert content["low_bits"]["off_grid"] > 0.9
    assert max(content["low_bits"]["impossible"]) > 0.5
    assert "Low bits of" in drawn[0]
    out = cli(*words).out
    assert "Low bits: VIOLATED." in out
    assert "impossible for the second" in out


def test_text_says_what_happened_and_that_it_is_public(cli):
    out = cli("audit", "median:laplace", *SALARIES, *FEW, "--neighbour", "zeros-and-tops").out
    assert "SIMULATION with seed 1; nothing is a release" in out
    assert "median: Global sensitivity, Laplace" in out
    assert "epsilon = 1, delta = 0 between databases with one record replaced" in out
    assert "of 5,000 runs" in out
    assert "consistent, which proves nothing" in out
    assert "public: both databases follow from bounds and sizes alone" in out


def test_what_promises_nothing_is_refuted(cli):
    out = cli("audit", "histogram-recursive", "--example", "airports", "--epsilon", 1, "--runs", 1000).out
    assert "nothing; the audit examines epsilon = 1" in out
    assert "VIOLATED" in out


@pytest.mark.parametrize(
    ("words", "spec"),
    [
        (("median", "--example", "salaries"), "record=5,value=1000"),
        (("median", "--example", "salaries"), "realises-s"),
        pytest.param(
            ("lloyd,k=2", "--example", "four-heaps"), "record=5,value=0.1:0.2", marks=pytest.mark.slow
        ),
        (("mode", "--example", "admissions", "--column", "department"), "record=5,value=B"),
        (("mst", "--example", "k3"), "record=1,value=3"),
        (("triangles", "--example", "karate"), "record=1,value=0"),
    ],
)
def test_pairs_of_the_data_are_private_and_those_of_an_example_are_public(cli, words, spec):
    where = (*words, "--epsilon", 1, "--runs", 1000, "--neighbour", spec)
    content = cli("audit", *where, "--json").json
    assert content["public"] is False
    assert content["neighbour"] == ("realises-s" if spec == "realises-s" else "moved")
    assert "computed from public data, so nothing of it is confidential" in cli("audit", *where).out


def test_pairs_of_a_file_are_confidential(cli, ten):
    where = ("median", "--data", ten, "--lower", 0, "--upper", 100, "--epsilon", 1, "--runs", 1000)
    assert (
        "confidential: computed from raw data" in cli("audit", *where, "--neighbour", "record=1,value=9").out
    )


def test_a_figure_says_what_is_private_and_what_is_planted(cli, drawn, tmp_path):
    words = ("--epsilon", 1, "--runs", 1000, "--plot", tmp_path / "audit.png")
    public = cli("audit", "median", "--planted", "local-noise", "--example", "salaries", *words)
    private = cli("audit", "median", "--example", "salaries", "--neighbour", "record=5,value=9", *words)
    assert public.err == ""
    assert "do not share it" in private.err
    assert "Confidential: computed from raw data" not in drawn[0]
    assert "Confidential: computed from raw data" in drawn[1]
    assert "Audit of Smooth sensitivity" in drawn[0]


@pytest.mark.parametrize("pairs", [0, 2])
def test_a_cancelled_audit_keeps_whole_pairs(cli, monkeypatch, pairs):
    from engine.audit import auditing as audit
    from engine.progress import Cancelled

    real, seen = audit.audit_run, []

    def cancelled(*words, **settings):
        if len(seen) == pairs:
            raise Cancelled
        seen.append(real(*words, **settings))
        return seen[-1]

    monkeypatch.setattr(audit, "audit_run", cancelled)
    outcome = cli("audit", "median:laplace", *SALARIES, "--runs", 1000, "--json")
    assert outcome.status == 130
    assert "stopped by Ctrl+C" in outcome.err
    assert bool(outcome.out) == bool(pairs)
    if pairs:
        assert outcome.json["complete"] is False
        assert len(outcome.json["pairs"]) == pairs


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("median", *SALARIES, "--runs", 10), "--runs: 10 are too few; an audit needs at least 1,000"),
        (("median", *SALARIES, "--confidence", 1), "confidence: 1 is not possible; it must be above 0"),
        (("median", "--example", "salaries"), "the following arguments are required: --epsilon"),
        (("medan", *SALARIES), "there is no query or mechanism 'medan'; try median"),
        (
            ("median", *SALARIES, "--planted", "local-nois"),
            "there is no faulty variant 'local-nois'; try local-",
        ),
        (
            ("lloyd,k=2", "--example", "four-heaps", "--epsilon", 1, "--low-bits"),
            "Noisy Lloyd releases no numbers on a grid",
        ),
        (
            ("median:laplace", *SALARIES, "--planted", "local-noise"),
            "--planted: Global sensitivity, Laplace cannot have the bug local-noise; it can have",
        ),
        (("median:laplace", *SALARIES, "--method", "smooth"), "'median:laplace': method: it stands twice"),
        (("median:laplace,nu=3", *SALARIES), "--nu: laplace has no such parameter; it belongs to student-t"),
        (
            ("median", *SALARIES, "--neighbour", "one-move"),
            "there is no pair of neighbors 'one-move'; try one-m",
        ),
        (("median", *SALARIES, "--neighbour", "record=1"), "'record=1' is no record=NUMBER,value=VALUE"),
        (("median", *SALARIES, "--neighbour", "record=0,value=1"), "record '0' is no number of a record"),
        (
            ("median", *SALARIES, "--neighbour", "record=10002,value=1"),
            "records are numbered from 1 to 10,001",
        ),
        (("median", *SALARIES, "--neighbour", "record=1,value=x"), "'x' is no value of a record"),
        (("median", *SALARIES, "--neighbour", "record=1,value=nan"), "'nan' is no value of a record"),
        (("median", *SALARIES, "--neighbour", "record=1,value=1:2"), "it has 1 number, with colons"),
        (
            ("lloyd", "--example", "four-heaps", "--epsilon", 1, "--neighbour", "record=1,value=1"),
            "it has 2 numbers, with colons between them",
        ),
        (
            ("clusters", "--blocks", 900, "--example", "four-heaps", "--epsilon", 1),
            "blocks: 900 blocks of 101 records are not possible",
        ),
        (("mst", *SALARIES), "salaries holds columns of numbers, and mst reads a graph with weights"),
        (("median:gaussian", *SALARIES), "delta: Gaussian noise needs delta above 0"),
    ],
)
def test_what_cannot_be_audited(refused, words, message):
    assert message in refused("audit", *words)


@pytest.mark.parametrize(("planted", "status"), [("halved-scale", 3), (None, 0)])
def test_a_check_ends_with_status_3_where_the_guarantee_is_violated(cli, planted, status):
    words = ("audit", "mean:laplace", "--example", "salaries", "--epsilon", 1, "--runs", 20_000, "--check")
    assert cli(*words, *(("--planted", planted) if planted else ())).status == status
