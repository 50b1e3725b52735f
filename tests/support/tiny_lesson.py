"""The text of a lesson of three steps on two pages."""

STEP = """
[[step]]
title = "{title}"
text = "Words."
[step.scene]
page = "{page}"
{scene}
[step.question]
ask = "Which?"
answers = ["This", "That", "Neither"]
right = 2
because = "That is it."
"""
HEAD = 'title = "T"\ntopic = "T"\nminutes = 1\nsummary = "S"\nneeds = "N"\n'
SCENES = (
    ("One", "median", 'values = [0, 0, 4, 10, 10]\nlower = 0\nupper = 10\ntab = "k"\nepsilon = 2.0'),
    (
        "Two",
        "median",
        'values = [0, 0, 4, 10, 10]\nlower = 0\nupper = 10\ntab = "audit"\nedits = { 2 = 9 }\n'
        'audit = { bug = "halved-scale", runs = 1000 }',
    ),
    ("Three", "spanning-tree", 'example = "k3"\ntab = "path"\npath = "upper"\nk = 1'),
)
