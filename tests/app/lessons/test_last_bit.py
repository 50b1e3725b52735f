"""What the lesson on the last bit says in numbers: gaps, rows of answers, grids."""

import math

from app.lessons.reading import lessons
from engine.sampling.output_grid import finest_step

LESSON = next(lesson for lesson in lessons()[0] if lesson.name == "the-last-bit")


def rows(text):
    """Return the paragraphs that are rows of numbers."""
    lines = (line.rstrip(".").split(", ") for line in text.splitlines() if line[:1].isdigit())
    return [[float(number) for number in line] for line in lines]


def test_the_gaps_between_doubles():
    text = LESSON.steps[0].text
    assert f"{math.ulp(1.0):.16f}" in text
    assert math.ulp(2.0**53) == 2 > math.ulp(2.0**53 - 1)
    assert f"{2**53:,}" in text
    question = LESSON.steps[0].question
    assert question.answers[question.right] == f"{int(2.0**53 + 1.0):,} again"


def test_no_answer_of_the_small_computer_is_in_both_rows():
    def two_digits(number):
        return float(f"{number:.2g}")

    noise = [two_digits(abs(math.log(tenths / 10))) for tenths in range(1, 11)]
    told = rows(LESSON.steps[1].text)
    assert told == [noise, [two_digits(0.1 + one) for one in noise]]
    assert not set(told[0]) & set(told[1])
    assert 0.46 in told[1]


def test_the_steps_of_the_grids():
    assert finest_step(500_000.0, 500_000.0) == 2.0**-22
    assert finest_step(1000.0, 1000.0) == 2.0**-31
    step = next(step for step in LESSON.steps if step.title == "A public grid")
    assert "2⁻²² dollars" in step.text
    assert "2⁻³¹ dollars" in step.question.because


def test_odds_of_eight_releases():
    sure = math.exp(0.08) / (1 + math.exp(0.08))
    step = next(step for step in LESSON.steps if step.title.startswith("Eight answers"))
    assert f"{sure:.0%}".replace("%", " % sure") in step.notes
    assert round(math.log(500_001) / math.log(5)) == 8
