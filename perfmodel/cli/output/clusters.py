"""Tables by cluster of a grid: time in use and down, failures, and what they ended."""

from __future__ import annotations

from typing import Any

from ...answers.shown import percent
from .tables import print_lines, print_table


def show_clusters(rows: list[dict[str, Any]]) -> None:
    """Print the tables of every scenario; a row is what `--json` has of a scenario and policy."""
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        mine = [row for row in rows if row["scenario"] == scenario]
        found = {row["policy"]: row["by_cluster"] for row in mine}
        names = list(next(iter(found.values())))
        print_lines("", f"Time in use by cluster in {scenario} [%]:", "")
        print_table(
            ["cluster", *found],
            [
                [name, *(percent(use[name]["utilization"], 1) for use in found.values())]
                for name in names
            ],
        )
        if "killed_share" in mine[0] and _show_failures(scenario, found, names):
            _show_kills(scenario, {row["policy"]: row for row in mine}, names)


def _show_failures(scenario: str, found: dict[str, Any], names: list[str]) -> bool:
    """Print the failures of each cluster; return whether there were any."""

    def mean(name: str, measure: str) -> float:
        return float(sum(use[name][measure] for use in found.values()) / len(found))

    failing = [name for name in names if mean(name, "failures") or mean(name, "down")]
    if not failing:
        print_lines("", f"{scenario}: no failure before the last attempt ended.")
        return False
    print_lines("", f"{scenario}, failures of machines, and those that ended an attempt:", "")
    print_table(
        ["cluster", "down\n[%]", "failures", *(f"struck\n{policy}" for policy in found)],
        [
            [
                name,
                percent(mean(name, "down"), 2),
                f"{mean(name, 'failures'):,.0f}",
                *(f"{use[name]['striking_failures']:,.0f}" for use in found.values()),
            ]
            for name in failing
        ],
    )
    _print_others(names, failing)
    until = "the last attempt ended" + (", a mean over the policies" if len(found) > 1 else "")
    print_lines(f"Down and failures: from the first submission until {until}.")
    return True


def _show_kills(scenario: str, rows: dict[str, dict[str, Any]], names: list[str]) -> None:
    hit = [name for name in names if any(r["killed_share"][name] > 0.0 for r in rows.values())]
    if not hit:
        print_lines("", f"{scenario}: no attempt killed.")
        return
    print_lines("", f"{scenario}, killed attempts, and share of the killed attempts [%]:", "")
    print_table(
        ["cluster", *(heading for policy in rows for heading in (policy, "[%]"))],
        [
            [
                name,
                *(
                    cell
                    for row in rows.values()
                    for cell in (
                        f"{row['by_cluster'][name]['kills']:,.0f}",
                        percent(row["killed_share"][name], 1),
                    )
                ),
            ]
            for name in hit
        ],
    )
    _print_others(names, hit)


def _print_others(names: list[str], shown: list[str]) -> None:
    if spared := len(names) - len(shown):
        print_lines(f"The other {spared} had none.")
