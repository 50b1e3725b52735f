"""Command lines of all kinds, from nonsense to nearly right, for tests with many of them."""

from hypothesis import strategies as st

from engine.catalog import methods, sanitizers
from engine.mechanisms import PLANTED
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.one_cluster import FINDERS
from engine.noise import NOISES
from engine.queries import QUERIES

NUMBERS = [
    "0",
    "1",
    "-1",
    "0.5",
    "2",
    "10",
    "1e-6",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-320",
    "x",
    "",
    "1,2",
]
NAMES = [
    "median",
    "quantile",
    "mean",
    "minimum",
    "trimmed-mean",
    "winsorized-mean",
    "medain",
    "lcp",
    "laplace",
]
NAMES += [
    "mst",
    "triangles",
    "gaussian",
    "student-t",
    "generalized-cauchy",
    "smooth",
    "exponential",
    "propose-test-release",
]
VALUED = [
    "--lower",
    "--upper",
    "--epsilon",
    "--delta",
    "--beta",
    "--q",
    "--trim",
    "--g",
    "--nu",
    "--gamma",
    "--sigma",
]
VALUED += ["--vertices", "--split", "--bound", "--resolution", "--seed", "--k-max", "--dimension"]
CHOSEN = ["--method", "--noise", "--column", "--missing", "--constants", "--even"]
CHOSEN += ["--source", "--target", "--weight"]
FLAGS = [
    "--estimates",
    "--json",
    "--show-private",
    "--help",
    "-h",
    "--",
    "-5",
    "--nonsense",
    "-x",
    "\x1b[0m",
    "ü\n",
]
WORDS = ["tight", "published", "drop", "average", "x", "salary", "weight"]
DATA = [["--example", "one-to-ten"], ["--data", "ten.csv"], ["--data", "nothing"], []]
DATA += [["--example", "karate"], ["--data", "graph.csv"]]

NAMES += [*sanitizers(), "partition", "subsets", *AGGREGATORS]
VALUED += ["--k", "--blocks", "--pattern", "--rounds", "--most", "--restarts", "--seconds", "--memory-mb"]
VALUED += ["--t", "--grid", "--share", "--held", "--price", "--max-depth"]
VALUED += ["--output-lower", "--output-upper", "--n", "--guess", "--columns"]
CHOSEN += ["--sampling", "--aggregator", "--function", "--fit", "--check", "--metric", "--intercept", "--way"]
NAMES += [*FINDERS]
WORDS += ["reduction", "L1", "em", "delta", "regression", "nothing.py:f", "own.py:f", "own.py:g", "y"]
DATA += [["--example", "geyser"], ["--data", "points.csv"]]

options = st.one_of(
    st.tuples(st.sampled_from(VALUED), st.sampled_from(NUMBERS)),
    st.tuples(st.sampled_from(CHOSEN), st.sampled_from(NAMES + WORDS)),
    st.tuples(st.sampled_from(FLAGS)),
)


@st.composite
def commands(draw):
    verbs = ["run", "sensitivity", "noise", "plan", "catalog", "compare", "audit", "screenshot"]
    verb = draw(st.sampled_from(verbs))
    words = [verb, draw(st.sampled_from(NAMES))]
    if verb in ("run", "sensitivity"):
        words += draw(st.sampled_from(DATA))
    if verb in ("run", "noise"):
        words += ["--epsilon", draw(st.sampled_from(NUMBERS))]
    for option in draw(st.lists(options, max_size=5)):
        words += option
    return words


@st.composite
def plausible(draw):
    """Commands of which most are right, changed in at most two places."""
    verb = draw(st.sampled_from(["run", "sensitivity", "noise"]))
    asked = draw(st.sampled_from(list(NOISES if verb == "noise" else QUERIES)))
    words = [verb, asked, "--json"]
    words += ["--epsilon", draw(st.sampled_from(["1e-9", "0.5", "1", "100"]))]
    words += ["--delta", draw(st.sampled_from(["0", "1e-300", "1e-6", "0.3"]))]
    if asked in QUERIES and QUERIES[asked].reads != "column":
        words += ["--data", "graph.csv", "--upper", draw(st.sampled_from(["1e200", "10", "1e-200"]))]
    elif verb != "noise":
        words += ["--data", "ten.csv", "--lower", draw(st.sampled_from(["-1e200", "-3", "9.5"]))]
        words += ["--upper", draw(st.sampled_from(["1e200", "10", "9.6"]))]
    if verb == "run":
        words += ["--method", draw(st.sampled_from(list(methods())))]
    for option in draw(st.lists(options, max_size=2)):
        words += option
    return words


@st.composite
def plausible_points(draw):
    """Commands on points of which most are right, changed in at most two places."""
    name = draw(st.sampled_from(list(sanitizers())))
    private = sanitizers()[name].facts.is_private
    verb = draw(st.sampled_from(["run", "run", "plan"])) if private else "run"
    words = [verb, name, "--json"]
    if private or draw(st.integers(0, 9)) == 9:
        words += ["--epsilon", draw(st.sampled_from(["1e-9", "0.5", "1", "100"]))]
        words += ["--delta", draw(st.sampled_from(["0", "1e-300", "1e-6", "0.3"]))]
    words += ["--n", "1000"] if verb == "plan" else ["--data", "points.csv"]
    # histograms with exact counts refuse what leaves no room for the squares of distances
    far, near = ("1e200", "1e-190") if private else ("1e100", "1e-100")
    words += ["--lower", draw(st.sampled_from([f"-{far},0", "-3,0", "0,9.5" if private else "0,-5"]))]
    words += ["--upper", draw(st.sampled_from([f"{far},10", f"10,{near}", "9.6,9.6"]))]
    if not private:
        words += ["--t", draw(st.sampled_from(["2", "20", "1e9"]))]
        words += draw(st.sampled_from([[], ["--estimates"], ["--show-private"], ["--price", "1e-300"]]))
    for option in draw(st.lists(options, max_size=1 + private)):
        words += option
    return words


@st.composite
def plausible_balls(draw):
    """Commands in search of balls of which most are right, changed in at most two places."""
    balls = {name: cls for name, cls in sanitizers().items() if cls.facts.topic == "balls"}
    name = draw(st.sampled_from(list(balls)))
    interior = balls[name].facts.shape != "balls"
    words = ["run", name, "--json", "--data", "points.csv"]
    words += ["--epsilon", draw(st.sampled_from(["1e-9", "10", "100", "1e4"]))]
    words += ["--delta", draw(st.sampled_from(["0", "1e-300", "1e-6", "1e-6", "0.3"]))]
    words += ["--lower", draw(st.sampled_from(["-1e200", "-3", "9.5"])) + ",0" * (not interior)]
    words += ["--upper", draw(st.sampled_from(["1e200", "10", "9.6"])) + ",9.6" * (not interior)]
    words += ["--column", "x"] if interior else ["--t", draw(st.sampled_from(["1", "30", "60", "61"]))]
    words += ["--grid", draw(st.sampled_from(["2", "64", "1048576"]))]
    if not interior:
        words += ["--method", draw(st.sampled_from(["auto", *FINDERS]))]
    for option in draw(st.lists(options, max_size=2)):
        words += option
    return words


@st.composite
def plausible_trials(draw):
    """Comparisons and audits of which some are right, in this process and with few runs."""
    verb = draw(st.sampled_from(["compare", "audit"]))
    column = draw(st.booleans())
    names = list(QUERIES if column else sanitizers())
    words = [verb]
    for _ in range(draw(st.integers(1, 3)) if verb == "compare" else 1):
        methods = ["", ":laplace", ":smooth", ":exponential", ":all"] if column else ["", "", ":all", ":b"]
        keys = [
            "",
            "",
            ",q=0.5",
            ",noise=student-t",
            ",k=2",
            ",t=30",
            ",blocks=5",
            ",g=nan",
            ",x=1",
            ",=",
            ",",
        ]
        usual = st.just("median" if column else "noisy-average")
        word = draw(usual | st.sampled_from(names)) if not words[1:] else words[1].partition(":")[0]
        words.append(word + draw(st.sampled_from(methods)) + draw(st.sampled_from(keys)))
    words += ["--json", "--epsilon", draw(st.sampled_from(["1e-9", "0.5", "1", "100"]))]
    words += ["--delta", draw(st.sampled_from(["0", "1e-300", "1e-6", "0.3"]))]
    side = draw(st.sampled_from(["1e90", "10", "9.6"]))  # an audit takes products of outcomes
    if column:
        words += draw(st.sampled_from([["--data", "ten.csv"], ["--data", "graph.csv", "--column", "weight"]]))
        words += ["--lower", "0", "--upper", side]
    else:
        words += ["--data", "points.csv", "--lower", "0,0", "--upper", f"{side},10"]
    if verb == "audit":
        words += ["--runs", "1000"]
        specs = ["all", "one-moved", "zeros-and-tops", "realises-s", "record=1,value=3", "record=9,value=1:2"]
        words += ["--neighbour", draw(st.sampled_from([*specs, "record=x,value=", "="]))]
        words += draw(st.sampled_from([[], ["--planted", draw(st.sampled_from([*PLANTED]))]]))
    else:
        words += ["--runs", draw(st.sampled_from(["0", "1", "7"])), "--workers", "1"]
        sweeps = [
            "n=2:9:3",
            "g=1:4:2",
            "n=0:5:2",
            "q=0.1:0.9:2",
            "beta=nan:1:2",
            "t=5:20:2",
            "k",
            "epsilon=:",
        ]
        words += draw(
            st.sampled_from([[], [], ["--within", "3"], ["--sweep", draw(st.sampled_from(sweeps))]])
        )
    return words


BUDGETS = [("--json",), ("--no-limit",), ("--set-aside",), ("--help",), ("--ledger", "ten.csv"), ("x",)]


@st.composite
def budgets(draw):
    words = ["budget", *draw(st.sampled_from(DATA))]
    for name in draw(st.lists(st.sampled_from(["--limit-epsilon", "--limit-delta", "--slack"]), unique=True)):
        words += [name, draw(st.sampled_from(NUMBERS))]
    for option in draw(st.lists(st.sampled_from(BUDGETS), max_size=2)):
        words += option
    return words
