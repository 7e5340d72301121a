"""The judge: hands the same numbers to `perfmodel` and `sim` and compares what comes back.

Not installed: run ``python -m validation`` from the checkout. Another distribution of this name
exists, and installed copies of the two witnesses may be older than the cases here; so both must
come from the same folder.
"""

from __future__ import annotations

from pathlib import Path

import perfmodel
import sim

__all__ = ["ROOT"]

ROOT = Path(__file__).resolve().parents[1]


def _check_origin(*packages: str) -> None:
    if not (ROOT / "pyproject.toml").exists() or any(
        not Path(package).resolve().is_relative_to(ROOT) for package in packages
    ):
        raise ImportError("run python -m validation from the checkout")


_check_origin(str(perfmodel.__file__), str(sim.__file__))
