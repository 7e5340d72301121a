"""The experiments of the papers, repeated: printed results beside ours.

``python -m validation --reproduction qsim`` repeats those of one paper. Each row has a kind: E an
identity, O an order or a sign, B within a stated factor, R reported only. A row that fails stays
failed; `docs/reproduction` gives the reason where it is known.
"""

from __future__ import annotations

__all__ = ["PAPERS"]

# Short name of the paper -> module with `main(seeds, out)`.
PAPERS = {
    "aucore": "validation.reproduction.aucore.main",
    "grid": "validation.reproduction.grid.main",
    "qos": "validation.reproduction.qos.main",
    "qsim": "validation.reproduction.qsim.main",
    "wsj": "validation.reproduction.wsj.main",
}
