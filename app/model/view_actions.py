"""What can be done in the menu View: who is looking, what is shown, and in which colours."""

from __future__ import annotations

from app.model.action_spec import ActionSpec

_THEMES = {
    "light": "&Light",
    "dark": "&Dark",
    "contrast-light": "High co&ntrast, light",
    "contrast-dark": "High contrast, dar&k",
    "system": "&System default",
}
"""What the choice of colours offers."""

VIEW_ACTIONS = (
    ActionSpec(
        "curator",
        "&View",
        "&Curator view",
        "show_view",
        "Ctrl+Shift+U",
        "See everything, also what is confidential",
        group="view",
        data="curator",
    ),
    ActionSpec(
        "release",
        "&View",
        "&Release view",
        "show_view",
        "Ctrl+Shift+R",
        "See only what can be shared",
        group="view",
        data="release",
    ),
    ActionSpec(
        "data_table",
        "&View",
        "Data &table",
        "show_data_table",
        "Ctrl+D",
        "The records of the open file, to be sorted, filtered and looked at (confidential)",
        keywords="records rows columns sort filter statistics spreadsheet",
        separator=True,
    ),
    ActionSpec(
        "split",
        "&View",
        "T&wo pictures",
        "show_two",
        "Ctrl+\\",
        "Show a second picture of the page beside the open one, linked to it; or one alone again",
        keywords="split second picture side by side beside compare",
    ),
    *(
        ActionSpec(
            name,
            "&View",
            text,
            "choose_theme",
            keywords="theme",
            group="theme",
            data=name,
            separator=name == "light",
        )
        for name, text in _THEMES.items()
    ),
    ActionSpec(
        "presentation",
        "&View",
        "&Presentation mode",
        "present",
        "F11; F5",
        "The whole screen, larger font; menus, status line and right column folded away (Esc ends it)",
        keywords="zoom larger type full screen projector slide show",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "black_screen",
        "&View",
        "&Black screen",
        "black_out",
        "B; .",
        "In presentation mode: nothing but black, until a key or the mouse is pressed",
        keywords="blank dark projector clicker pause",
        enabled=False,
    ),
    ActionSpec(
        "controls",
        "&View",
        "C&ontrols",
        "show_controls",
        "F9",
        "Show the controls at the right, or fold them away; in a narrow lesson, below its text",
        keywords="fold hide column panel sidebar",
        checkable=True,
    ),
    ActionSpec(
        "palette",
        "&View",
        "Find a co&mmand…",
        "show_palette",
        "Ctrl+K",
        "Everything that can be done here, found by a few letters",
        separator=True,
    ),
)
"""The lines of the menu, from the top."""
