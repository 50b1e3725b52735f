"""Whatever is wrong with a comparison: one line that says what would be right."""

import pytest

TWO = ("median:smooth", "median:laplace")
SALARIES = ("--example", "salaries")
BUDGET = ("--epsilon", 1)
HEAPS = ("--example", "four-heaps", *BUDGET)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*TWO, *SALARIES, *BUDGET, "--runs", 0), "runs: 0 is not possible; it must be a whole number at"),
        ((*TWO, *SALARIES), "--epsilon: median needs a budget above 0, for instance 1"),
        ((*TWO, *SALARIES, *BUDGET, "--share", 0.9), "--share: it needs --within, too"),
        ((*TWO, *SALARIES, *BUDGET, "--within", 0), "within: 0 is not possible; it must be a number above"),
        ((*TWO, *SALARIES, *BUDGET, "--within", 9, "--share", 1), "share: 1 is not possible"),
        ((*TWO, *SALARIES, *BUDGET, "--workers", 0), "workers: 0 is not possible; it must be at least 1"),
        (
            (*TWO, *SALARIES, *BUDGET, "--plot", "x.gif"),
            "x.gif: the name must end in .png or .svg or .pdf or .pgf",
        ),
        (
            (*TWO, *SALARIES, *BUDGET, "--audit", "--runs", 999),
            "--audit: 999 --runs are too few; it needs at least 1,000",
        ),
        ((*TWO, *SALARIES, "--audit", "--sweep", "epsilon=1:2:2"), "--audit: it needs a single budget"),
        ((*TWO, *SALARIES, *BUDGET, "--audit", "--plot", "x.svg"), "x.svg: the name must end in .png"),
        ((*TWO, *SALARIES, *BUDGET, "--csv", "x.json"), "x.json: the name must end in .csv"),
        ((*TWO, *SALARIES, *BUDGET, "--noise", "lcpp"), "'median:smooth': there is no noise 'lcpp'; try lcp"),
        (("median:laplace", *SALARIES, *BUDGET, "--noise", "lcp"), "--noise: none of these mechanisms takes"),
        (
            ("lloyd", *HEAPS, "--resolution", 1),
            "'lloyd': resolution: lloyd has a grid of its own; leave it out",
        ),
        ((*SALARIES, *BUDGET), "the following arguments are required: MECHANISM"),
    ],
)
def test_options_that_make_no_sense(refused, words, message):
    assert message in refused("compare", *words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("medan:smooth", "'medan:smooth': there is no query or mechanism 'medan'; try median"),
        ("median:smoth", "'median:smoth': there is no method 'smoth'; try smooth"),
        ("median:smooth,nuu=3", "there is no parameter 'nuu'; try nu"),
        ("median:laplace,nu=3", "nu: laplace has no such parameter; it belongs to student-t"),
        ("median:exponential,noise=lcp", "noise: exponential has its own noise"),
        (
            "median:",
            "the name or the method is missing; write NAME[:METHOD][,key=value…], for instance",
        ),
        ("median:laplace,x", "'x' is no key=value; write NAME[:METHOD][,key=value…]"),
        ("quantile,q=.5,q=.6", "q: it stands twice; give it once"),
        ("quantile,q=2", "q: 2.0 is not possible; it must be a number at least 0 and at most 1"),
        ("quantile,q=many", "q: 'many' is not a number"),
        ("median:all,trim=.1", "trim: median, smooth, laplace, gaussian"),
        ("lloyd:smooth", "method: lloyd is a mechanism of its own; leave it out"),
        ("one-cluster:smooth", "there is no method of one-cluster 'smooth'"),
    ],
)
def test_a_word_that_names_no_mechanism(refused, text, message):
    assert message in refused("compare", text, *SALARIES, *BUDGET)


@pytest.mark.parametrize(
    ("sweeps", "message"),
    [
        (("epsilon=.1:1:2", "n=5:10:2"), "--sweep: epsilon and n cannot vary together; choose one"),
        (("epsilon=.1:1",), "--sweep: 'epsilon=.1:1' is no NAME=START:STOP:STEPS, for instance epsilon=0.1"),
        (("epsilon=.1:1:many",), "is no NAME=START:STOP:STEPS"),
        (("epsilon=1:.1:3",), "sweep: 1 to 0.1 is no range; give the smaller value first"),
        (("epsilon=0:1:3",), "epsilon: 0 is not possible"),
        (("epsilon=nan:1:3",), "epsilon: nan is not possible"),
        (("epsilon=.1:1:0",), "sweep: 0 steps are not possible"),
        (("k=1:5:2",), "there is no parameter to vary 'k'; try epsilon, error_share, farthest, g, n, split"),
        (("epsilom=1:5:2",), "there is no parameter to vary 'epsilom'; try epsilon"),
        (("g=0:5:2",), "g: 0.0 is not possible; it must be a number at least 1.05"),
        (("n=10:20000:3",), "20,000 records cannot be drawn from 10,001; choose n between 1 and 10,001"),
    ],
)
def test_a_sweep_that_makes_no_sense(refused, sweeps, message):
    budget = () if sweeps[0].startswith("epsilon=") and len(sweeps) == 1 else BUDGET
    words = [part for sweep in sweeps for part in ("--sweep", sweep)]
    assert message in refused("compare", *TWO, *SALARIES, *budget, *words)


def test_epsilon_is_either_varied_or_given(refused):
    words = ("compare", *TWO, *SALARIES, *BUDGET, "--sweep", "epsilon=.1:1:2")
    assert "--epsilon: --sweep varies it; leave one of them out" in refused(*words)


def test_more_trials_than_anybody_means_are_asked_about(refused):
    message = refused("compare", *TWO, *SALARIES, *BUDGET, "--sweep", "n=1000:10000:600")
    trials = int(message.partition(" trials")[0].replace(",", ""))
    assert trials > 1000
    assert "2 mechanisms at" in message
    assert "1,000 runs each; add --yes, or take fewer steps" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("median", "mst", *SALARIES, *BUDGET), "mst reads a graph with weights, and median reads a column"),
        (
            ("mst", *SALARIES, *BUDGET),
            "salaries holds columns of numbers, and mst reads a graph with weights",
        ),
        (("median", "mean", *SALARIES, *BUDGET), "do not answer the same question"),
        (("quantile,q=.1", "quantile,q=.2", *SALARIES, *BUDGET), "do not answer the same question"),
        (("clusters,k=2", "lloyd,k=3", *HEAPS), "do not answer the same question"),
        (("clusters,k=2,blocks=900", *HEAPS), "Clusters: 900 blocks of 101 records are not possible; use at"),
        (("median:gaussian", *SALARIES, *BUDGET), "Gaussian: Gaussian noise needs delta above 0"),
        (
            ("histogram-recursive", "--example", "airports", *BUDGET),
            "histogram-recursive is not differentially private and takes no --epsilon",
        ),
        (
            ("histogram-recursive", "--example", "airports", "--sweep", "epsilon=1:2:2"),
            "--sweep: histogram-recursive is not differentially private",
        ),
        (("mst", "--example", "karate", *BUDGET, "--sweep", "n=2:9:2"), "vary another setting than n"),
    ],
)
def test_what_cannot_be_compared(refused, words, message):
    assert message in refused("compare", *words)
