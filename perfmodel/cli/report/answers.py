"""Answers in JSON as tables: verdicts of a validation run, or rows of replays and studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..output.tables import print_facts, print_heading, print_lines, print_table

__all__ = ["show_answers"]

_MOST = 200  # rows of a table


def show_answers(answers: Mapping[str, Any]) -> None:
    """Print what an answer holds."""
    if "verdicts" in answers and "mutants" in answers:
        _show_verdicts(answers)
        return
    rows = answers.get("results", answers.get("means"))
    plain = {name: value for name, value in answers.items() if not isinstance(value, list | dict)}
    print_heading("Answer")
    if isinstance(rows, list) and rows and isinstance(rows[0], dict):
        _show_rows(rows)
    print_facts([(name.replace("_", " "), _word(value)) for name, value in plain.items()])
    for name, value in answers.items():
        if isinstance(value, dict) and value and name != "results":
            print_heading(name.replace("_", " "))
            print_facts([(key.replace("_", " "), _word(each)) for key, each in value.items()])
        elif isinstance(value, list) and value and name not in {"results", "means"}:
            print_heading(name.replace("_", " "))
            if isinstance(value[0], dict):
                _show_rows(value)
            else:
                print_lines(*(_word(each) for each in value[:_MOST]))


def _show_verdicts(answers: Mapping[str, Any]) -> None:
    verdicts, mutants = answers["verdicts"], answers["mutants"]
    failed = [row for row in verdicts if not row["passed"]]
    survived = [row for row in mutants if not row.get("rejected", True)]
    print_heading("Verdict")
    print_lines(
        f"{len(verdicts):,} comparisons, {len(failed):,} failed; "
        f"{len(mutants):,} wrong formulas, {len(survived):,} passed for right."
    )
    print_facts(
        [
            ("tier", _word(answers.get("tier"))),
            ("seed", _word(answers.get("seed"))),
            ("limit of |z|", _word(answers.get("z_limit"))),
            ("false alarms", _word(answers.get("false_alarm_probability"))),
        ]
    )
    if failed:
        print_heading("What failed")
        _show_rows(failed)
    print_heading("By formula")
    every, wrong = (Counter(row["formula"] for row in rows) for rows in (verdicts, failed))
    far: dict[str, float] = {}
    for row in verdicts:
        far[row["formula"]] = max(far.get(row["formula"], 0.0), abs(row["z"] or 0.0))
    print_table(
        ["formula", "comparisons", "failed", "largest |z|"],
        [
            [name, f"{count:,}", f"{wrong[name]:,}", f"{far[name]:.2f}"]
            for name, count in sorted(every.items())
        ],
    )
    print_heading("All comparisons")
    names = ("formula", "check", "point", "predicted", "observed", "z", "resolution", "passed")
    print_table(
        [name.replace("_", " ") for name in names],
        [[_word(row[name]) for name in names] for row in verdicts],
        words=3,
    )


def _show_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    names = [
        name
        for name in dict.fromkeys(name for row in rows for name in row)
        if not any(isinstance(row.get(name), dict | list) for row in rows)
    ]
    texts = [name for name in names if any(isinstance(row.get(name), str) for row in rows)]
    ordered = [*texts, *(name for name in names if name not in texts)]
    print_table(
        [name.replace("_", " ") for name in ordered],
        [[_word(row.get(name)) for name in ordered] for row in rows[:_MOST]],
        words=len(texts),
    )
    if len(rows) > _MOST:
        print_lines(f"And {len(rows) - _MOST:,} more rows.")


def _word(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
