"""The papers' own experiments, played again: what they print beside what we get.

``python -m validation --reproduction qsim`` plays one paper. A row is judged by its kind: E an
identity, O an ordering or sign, B within a stated factor, R reported only. A row that fails stays
failed; `docs/reproduction` says why, as far as it could be found out.
"""

from __future__ import annotations

__all__ = ["PAPERS"]

# Short name of the paper -> where `main(seeds, out)` is.
PAPERS = {
    "aucore": "validation.reproduction.aucore.main",
    "grid": "validation.reproduction.grid.main",
    "qos": "validation.reproduction.qos.main",
    "qsim": "validation.reproduction.qsim.main",
    "wsj": "validation.reproduction.wsj.main",
}
