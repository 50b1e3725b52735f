"""`sensiscope compare --audit`: errors and audits of the same mechanisms, in one picture."""

import json

from matplotlib.image import imread

TEN = ("--example", "one-to-ten", "--runs", 1000, "--workers", 1)


def test_errors_and_audits_are_one_picture_and_one_answer(cli, tmp_path):
    picture = tmp_path / "both.png"
    words = ("compare", "mean:laplace", "mean:smooth", *TEN, "--epsilon", 1, "--audit")
    found = cli(*words, "--json", "--plot", picture)
    assert found.status == 0, found.err
    content = json.loads(found.out)
    assert content["complete"] is True
    for audit, row in zip(content["audits"], content["mechanisms"], strict=True):
        assert audit["label"] == row["label"]
        assert audit["verdict"] == "consistent"
        assert 0 <= audit["epsilon_lower_bound"] < 1
    height, width, _ = imread(picture).shape
    assert width > 2.5 * height  # two beside each other
    told = cli(*words).out
    for audit in content["audits"]:
        assert f"{audit['label']}" in told
        assert f"consistent, epsilon is at least {audit['epsilon_lower_bound']:.3g} (the worst of" in told
    assert "All that were audited are consistent with epsilon = 1, which proves nothing." in told
