"""Help pages name the method that the form of their query uses by default."""

import re

import pytest

from app.model.texts.pages import titles
from engine.resources import resource
from engine.specification import Choices

DEFAULT = re.compile(r"[Bb]y default the form uses \[[^]]+\]\(help:methods/([\w-]+)\)")


@pytest.mark.parametrize("query", titles("queries"))
def test_a_query_names_the_method_that_its_form_uses_by_default(query):
    named = DEFAULT.findall(resource("help", "queries", f"{query}.md").read_text("utf-8"))
    assert named == [Choices().ask(query).name]


def test_the_choice_of_a_method_names_the_first_one_of_all_forms():
    text = resource("help", "topics", "which-method.md").read_text("utf-8")
    assert {*DEFAULT.findall(text)} == {Choices().ask(query).name for query in titles("queries")}
