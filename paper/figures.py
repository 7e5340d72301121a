"""Draw the figures of the paper, by the scripts of the gallery: ``python paper/figures.py``."""

import runpy
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
FIGURES = ("young_and_daly", "deadline")

for name in FIGURES:
    runpy.run_path(str(HERE.parent / "docs" / "gallery" / f"plot_{name}.py"))
    plt.savefig(HERE / f"{name}.png", dpi=150)
    plt.close("all")
