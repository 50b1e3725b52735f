"""The pictures of a page about sensitivity: what their tabs say, and where they are drawn."""

from __future__ import annotations

import dataclasses

from app.model.wording.neighbours import NeighbourWords
from app.pages.audit import tabs as audit_tabs
from app.model.picture_spec import TabTitle

TABS = {
    "k": TabTitle(
        "Against k",
        "k",
        "Sensitivity when k {records} may change",
        "A⁽ᵏ⁾ is the largest local sensitivity of any {database} that differs in k {records}. Smooth "
        "sensitivity S* is the peak of e^(−βk) A⁽ᵏ⁾; the rate β follows from ε, δ and the noise.",
    ),
    "epsilon": TabTitle(
        "Against ε",
        "ε",
        "Sensitivity over a sweep of epsilon",
        "A smaller ε asks for a smaller rate β, and so S* has to look at {database}s farther away.",
    ),
    "path": TabTitle(
        "Along a path",
        "Path",
        "Sensitivity while the data become others",
        "Local sensitivity may jump from one {record} to the next, and noise scaled to it would tell; "
        "S* changes by at most a factor e^β.",
    ),
    "noise": TabTitle(
        "Noise",
        "Noise",
        "Densities of all noise families",
        "What is added is S*/α times a draw from the family; how large α may be follows from ε and δ.",
    ),
    "distribution": TabTitle(
        "Distribution",
        "Releases",
        "What would be released: theory and simulation",
        "The true value with its noise, as a curve and as a thousand draws.",
    ),
    audit_tabs.TAB: audit_tabs.TITLE,
}
PUBLIC = ("noise", audit_tabs.TAB)
"""Tabs that there are in the release view, too."""
PICTURES = {
    "k": "app.plots.sensitivity.against_k:AgainstK",
    "epsilon": "app.plots.sensitivity.against_epsilon:AgainstEpsilon",
    "path": "app.plots.sensitivity.along_path:AlongPath",
    "noise": "app.plots.sensitivity.noise_densities:NoiseDensities",
    "distribution": "app.plots.sensitivity.release_distribution:ReleaseDistribution",
}
"""References to the pictures, imported when it is first looked at."""


def titles(words: NeighbourWords) -> dict[str, TabTitle]:
    """Return what the tabs say about records of that kind."""
    said = dataclasses.asdict(words)
    return {
        key: TabTitle(*(text.format(**said) for text in dataclasses.astuple(title)))
        for key, title in TABS.items()
    }
