"""Numbers in the help pages that answer questions of analysts."""

import math

from engine import Mean, Median, TrimmedMean, reproducible
from engine.mechanisms import MECHANISMS
from engine.privacy import Privacy
from engine.queries import Count, TriangleCount
from text_numbers import computes
from text_numbers._releases import UPPER, error, karate, salaries


@computes("help", "topics/which-method", slow=True)
def which_method():
    numbers = {"n": salaries().n, "upper": UPPER}
    for name, epsilon in (("", 1.0), ("small_", 0.2), ("large_", 3.0)):
        numbers[f"{name}smooth"] = error("smooth", Median(), salaries(), epsilon)
        numbers[f"{name}piecewise"] = error("piecewise-laplace", Median(), salaries(), epsilon)
    degrees = range(2, 11)
    return numbers | {
        "exponential": error("exponential", Median(), salaries()),
        "count": error("laplace", Count(), salaries()),
        "mean": error("laplace", Mean(), salaries()),
        "trimmed": error("smooth", TrimmedMean(), salaries()),
        "triangles": error("smooth", TriangleCount(), karate()),
        "true_triangles": int(TriangleCount().value(karate())),
        "node": min(error("lipschitz-extension", TriangleCount(), karate(), max_degree=d) for d in degrees),
    }


@computes("help", "topics/how-large-epsilon")
def how_large_epsilon():
    numbers = {"n": salaries().n, "upper": UPPER}
    for index, epsilon in enumerate((0.1, 0.5, 1.0, 2.0, 5.0), 1):
        methods = ("exponential", "smooth")
        numbers[f"high_{index}"] = 1 / (1 + math.exp(-epsilon))
        numbers[f"error_{index}"] = error("laplace", Mean(), salaries(), epsilon)
        numbers[f"median_{index}"] = min(error(one, Median(), salaries(), epsilon) for one in methods)
    return numbers | {"low_3": 1 - numbers["high_3"]}


@computes("help", "topics/how-to-report")
def how_to_report():
    made = MECHANISMS["laplace"](query=Mean()).run(salaries(), Privacy(1.0), reproducible(2007))
    return {
        "n": salaries().n,
        "upper": UPPER,
        "value": made.value,
        "error": made.error,
        "scale": UPPER / salaries().n,
    }


@computes("help", "topics/what-to-publish")
def what_to_publish():
    runs = 1000
    made = MECHANISMS["laplace"](query=Mean()).run(salaries(), Privacy(1.0), reproducible(2007))
    return {
        "n": salaries().n,
        "error": made.error,
        "small": abs(made.value - Mean().value(salaries())),
        "runs": runs,
        # half of a normal law lies within 0.674 of its standard deviation
        "average": 0.67448975 * math.sqrt(2 / runs) * UPPER / salaries().n,
    }
