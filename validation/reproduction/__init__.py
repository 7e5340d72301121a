"""The experiments of the papers, repeated: printed results beside ours.

``python -m validation --reproduction wsj`` plays those of one paper and prints its claims: each is
judged under every reading of what the paper leaves open (`claims`), its page is written from the
JSON (`page`).
"""

from __future__ import annotations

__all__ = ["PAPERS", "PLACES"]

# Short name of the paper -> module with `main(seeds, out)`.
PAPERS = {
    "aucore": "validation.reproduction.aucore.main",
    "grid": "validation.reproduction.grid.main",
    "qos": "validation.reproduction.qos.main",
    "qsim": "validation.reproduction.qsim.main",
    "wsj": "validation.reproduction.wsj.main",
}

# Places in each paper of which there are claims or figures, to be asked for alone.
PLACES = {
    "aucore": ("fig4", "fig5", "fig6", "fig7", "fig8"),
    "grid": ("fig1", "fig2", "fig3", "fig4", "fig5"),
    "qos": tuple(f"fig{number}" for number in range(1, 13)),
    "qsim": ("fig4", "fig5", "fig6", "fig7", "fig8", "fig9"),
    "wsj": (
        *(f"fig{number}" for number in (1, 2, 3, 4, 5, 8, 9, 10, 11)),
        "section3",
        "table1",
    ),
}
