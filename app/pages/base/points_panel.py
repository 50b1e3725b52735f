"""What the cards with declared pictures of points have in common: options by name, directions, draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.model.audit_choice import DEFAULT_SEED
from app.model.page_spec import PageSpec
from app.model.pages import audit as audit_tabs
from app.model.picture_spec import OptionGroup, PictureSpec, TabTitle
from app.pages.base.plot_panel import PlotPanel
from app.pages.base.points_options import DirectionOptions, DrawOptions


class DeclaredPointsPanel(PlotPanel):
    """Shows declared pictures of points, with tools for their options.

    Attributes
    ----------
    declared : PageSpec
        Set before the tools are built.
    directions : DirectionOptions
    draws : DrawOptions
    """

    declared: PageSpec
    directions: DirectionOptions
    draws: DrawOptions

    @property
    def spec(self) -> PictureSpec | None:
        """The picture that is open; None for an audit."""
        return None if self.tab == audit_tabs.TAB else self.declared.picture(self.tab)

    @property
    def options(self) -> dict[str, Any]:
        """What is chosen, by the names of the options, of all pictures."""
        across, up = self.directions.axes
        return {"across": across, "up": up, "seed": self.draws.seed, **self._own_options()}

    def show_options(self, values: Mapping[str, Any]) -> None:
        """Show what was chosen, as far as it is offered; all others by default."""
        groups = {group for spec in self.declared.pictures for group in spec.options}
        every = {declared.name: declared.default for group in groups for declared in group.parameters()}
        every.update(values)
        self.directions.choose(every["across"], every["up"])
        self.draws.seed = values.get("seed", DEFAULT_SEED)
        self._show_own_options(every)

    def _own_options(self) -> dict[str, Any]:
        """Return what is chosen with the tools of this card alone."""
        raise NotImplementedError

    def _show_own_options(self, values: Mapping[str, Any]) -> None:
        """Show that."""
        raise NotImplementedError

    def _has(self, group: type[OptionGroup]) -> bool:
        """Tell whether the picture that is open has these options."""
        return self.spec is not None and group in self.spec.options


def titles_of(page: PageSpec) -> dict[str, TabTitle]:
    """Return what the tabs of a page are called, that of the audit last."""
    return {**{spec.name: spec.title for spec in page.pictures}, audit_tabs.TAB: audit_tabs.TITLE}


def classes_of(page: PageSpec) -> dict[str, str]:
    """Return references to what draws each picture."""
    return {spec.name: spec.drawn_by for spec in page.pictures}
