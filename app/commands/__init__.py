"""The verbs of the command line: one module each, imported when its verb is asked for.

Every module here offers ``configure(parser)``, which declares its options, and
``run(options) -> int``, which does the work and returns the exit status.
"""

from __future__ import annotations

VERBS = {
    "catalog": "what there is: queries, noises, mechanisms, bundled examples",
    "sensitivity": "local, smooth and global sensitivity of a query, and A^(k)",
    "noise": "admissible (alpha, beta) of a noise family, quantiles, certificate",
    "run": "one sanitization: release a private value",
    "budget": "what is spent on each dataset, and how much may be",
    "compare": "simulated errors of several mechanisms, side by side",
    "audit": "an empirical lower bound on epsilon, from two neighbouring databases",
    "plan": "how many blocks, how much noise, or how many records are needed; without data",
    "demo": "every sanitization on bundled data: figures and a summary",
    "screenshot": "a page of the window as a PNG",
}
"""Name and summary of every verb, in the order of the help."""
