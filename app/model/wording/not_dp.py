"""Sentences about releases that promise no privacy at all."""

WHY_NOT_DP = (
    "not differentially private: some neighboring databases give certainly different results, so no "
    "epsilon holds, and several releases together have no guarantee"
)
NOT_DP = f"{WHY_NOT_DP[0].upper()}{WHY_NOT_DP[1:]}."
WARNING = "Not DP: a release promises no privacy."
FOR_OTHERS = "ε and δ are for comparing it with private ones."
NO_MORE = "no guarantee any more on this dataset: a release promised no privacy"
