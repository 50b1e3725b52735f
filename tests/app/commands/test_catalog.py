"""`sensiscope catalog`: everything there is, complete and pleasant to read."""

from engine import catalog
from engine.aggregation.samplings import SAMPLINGS
from engine.catalog import methods, methods_for_parts, offered, sanitizers
from engine.mechanisms import PLANTED
from engine.mechanisms.aggregators import AGGREGATORS
from engine.resources import resource


def test_json_is_complete(cli):
    content = cli("catalog", "--json").json
    assert content.pop("version")
    assert list(content) == [
        *("queries", "noises", "mechanisms", "functions", "samplings", "aggregators", "planted"),
        *("examples", "lessons"),
    ]
    names = {entry["name"] for entries in content.values() for entry in entries}
    lessons = {lesson["name"] for lesson in content["lessons"]}
    assert names == lessons | {entry.name for entry in catalog.entries()}
    assert lessons == {path.stem for path in resource("lessons").glob("*.toml")}
    assert all(lesson["topic"] and lesson["minutes"] and lesson["steps"] for lesson in content["lessons"])
    assert [entry["name"] for entry in content["planted"]] == list(PLANTED)
    for entries in content.values():
        for entry in entries:
            assert {"name", "label", "summary", "source", "parameters"} <= set(entry)
    lcp = next(entry for entry in content["noises"] if entry["name"] == "lcp")
    assert [parameter["name"] for parameter in lcp["parameters"]] == ["g"]
    assert {"kind", "default", "label", "help", "lower", "upper", "choices"} <= set(lcp["parameters"][0])
    assert {query["name"]: query["neighbours"] for query in content["queries"]}["mst"] == "edge-weight"
    mechanisms = {entry["name"]: entry for entry in content["mechanisms"]}
    assert set(mechanisms) == {*methods(), *methods_for_parts(), *sanitizers()}
    for name, entry in mechanisms.items():
        relation = (
            {"reads": sanitizers()[name].reads, "neighbours": "replace-one"} if name in sanitizers() else {}
        )
        assert {fact: entry[fact] for fact in ("reads", "neighbours") if fact in entry} == relation
    for group, registry in (
        ("functions", offered("function")),
        ("samplings", SAMPLINGS),
        ("aggregators", AGGREGATORS),
    ):
        assert [entry["name"] for entry in content[group]] == list(registry)
    for example in content["examples"]:
        assert (example["vertices"] > 0) == (example["kind"] == "graph")
        assert example["columns"] or example["categories"]
        assert not example["columns"] or example["lower"] < example["upper"]
        assert example["licence"]


def test_text_names_everything_within_a_terminal(cli):
    out = cli("catalog").out
    for entry in catalog.entries():
        assert f"  {entry.name}" in out
    assert max(map(len, out.splitlines())) <= 110
    assert "one record replaced, n public: median" in out
    assert "noisy-average" in out.partition("n public: median")[2].partition("between")[0]
    assert "one edge weight changed, edges public: mst" in out
    assert "one edge added or removed, vertices public: triangles" in out
    assert "graph, 34 vertices, 78 edges" in out
    assert "--weight weight, public bounds 0 to 8 occasions" in out
    assert "points, n = 100,000" in out
    assert "categories, n = 4,526" in out
    assert "sensiscope audit MECHANISM --planted BUG" in out
    assert "Why global sensitivity hurts" in out
    assert "--column admitted, public categories admitted, rejected" in out
    assert "--column waiting, public bounds 30 to 120 min" in out


def test_every_name_in_the_catalog_works(cli):
    content = cli("catalog", "--json").json
    for entry in content["noises"]:
        assert cli("noise", entry["name"], "--epsilon", 1, "--delta", 1e-6).status == 0
    first_of_each = {query["reads"]: query["name"] for query in reversed(content["queries"])}
    for entry in content["examples"]:
        for query in content["queries"]:
            fits = (query["reads"] == "column") == (entry["kind"] != "graph") and entry[
                "kind"
            ] != "categories"
            if not fits and query["name"] != first_of_each[query["reads"]]:
                continue  # refused for what it reads, as the first of those
            found = cli(
                "sensitivity", query["name"], "--example", entry["name"], "--missing", "drop", "--beta", 0.5
            )
            assert found.status == (0 if fits else 2), found.err
            assert ("try" in found.err) != fits


def test_a_name_prints_its_help_pages(cli):
    found = cli("catalog", "median")
    assert found.status == 0
    assert found.out.startswith("Median\n\n")
    assert "ERRORS IN THE LITERATURE" in found.out
    unknown = cli("catalog", "medain")
    assert (unknown.status, unknown.out) == (2, "")
    assert "there is no help page 'medain'; try median" in unknown.err
