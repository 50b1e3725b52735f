"""The keys of `run --json`, in their order."""

RUN = ["mechanism", "query", "method", "value", "step", "exact"]
RUN += ["privacy", "noise", "parameters", "n", "column", "simulated", "version"]

RUN_OF_A_NUMBER = [*RUN[:4], "interval", *RUN[4:]]
