"""A page about what the program knows already, with pictures of its own choice."""

from app.model.kinds.page_data import PageData
from app.model.kinds.registry import COLUMN
from app.model.page_spec import PageSpec
from app.model.pages.registry import register
from app.model.pages.sensitivity import script_analyses
from app.model.picture_spec import PictureSpec, TabTitle

register(
    PageSpec(
        "spread",
        "Spread",
        "How values spread",
        PageData({COLUMN: "winsorized-mean"}, "two-heaps"),
        (
            PictureSpec(
                "epsilon",
                TabTitle("By epsilon", "Sensitivity over a sweep of epsilon", "As it is."),
                drawn_by="app.plots.sensitivity.against_epsilon:AgainstEpsilon",
                analysis="engine:sensitivity_against_epsilon",
            ),
            PictureSpec(
                "noise",
                TabTitle("Noise", "Densities of noise", "As it is."),
                drawn_by="app.plots.sensitivity.noise_densities:NoiseDensities",
                analysis="engine:noise_families",
                public_analysis="engine.analysis:public_noise_families",
            ),
        ),
        estimate="engine:estimate_scalar_error",
        advice="app.pages.sensitivity.advice:advice",
        script_analyses=lambda: script_analyses,
        icon="table",
    )
)
