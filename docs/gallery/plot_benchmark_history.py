"""
Benchmarks by version
=====================

How far each figure of ``make bench`` stood from its limit, in each version that was measured.
"""

import csv
from pathlib import Path

import matplotlib.pyplot as plt

# %%
# A figure is a ratio: to a named rival, or to a fixed loop on the same machine. It is shown here as a share of its limit,
# so that every figure reads in one way: what lies left of the line keeps it, and farther left is better.

path = next(
    folder / "tests" / "benchmarks" / "history.csv"
    for folder in Path.cwd().parents
    if (folder / "tests" / "benchmarks" / "history.csv").exists()
)
rows = [row for row in csv.DictReader(path.read_text().splitlines()) if row["limit"]]
names = sorted({row["figure"] for row in rows})
versions = list(dict.fromkeys(row["version"] for row in rows))


def share_of_limit(row):
    ratio, limit = float(row["ratio"]), float(row["limit"])
    return 100.0 * (limit / ratio if row["rule"] == "at least" else ratio / limit)


figure, axes = plt.subplots(figsize=(9, 1.2 + 0.24 * len(names)), layout="constrained")
for version in versions:
    of = [row for row in rows if row["version"] == version]
    shares, places = map(share_of_limit, of), [names.index(row["figure"]) for row in of]
    axes.plot(list(shares), places, "o", label=version)
axes.axvline(100.0, color="black", linestyle=":")
axes.set_yticks(range(len(names)), [name.replace("`", "") for name in names])
axes.set(xlim=(0.0, None), xlabel="share of the limit [%]")
axes.invert_yaxis()
axes.grid(axis="y", alpha=0.3)
axes.legend()
plt.show()
