"""Ratios are kept by version; what is measured again replaces what was kept."""

from .conftest import keep


def test_a_later_run_of_a_version_replaces_its_figures(tmp_path):
    path = tmp_path / "history.csv"
    row = {"rule": "at most", "limit": "2"}
    keep(path, "0.10.0", {"plan": {"ratio": "1", **row}})
    keep(path, "0.9.0", {"plan": {"ratio": "3", **row}, "sweep": {"ratio": "4", **row}})
    keep(path, "0.9.0", {"plan": {"ratio": "5", **row}})
    assert path.read_text().splitlines() == [
        "version,figure,ratio,rule,limit",
        "0.9.0,plan,5,at most,2",
        "0.9.0,sweep,4,at most,2",
        "0.10.0,plan,1,at most,2",
    ]
