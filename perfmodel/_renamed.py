"""Names that changed: for one minor version the old one works, and warns of the new one."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

# Old name -> the module that has it now, its name there, and what to write instead if not that.
RENAMED: dict[str, tuple[str, str, str]] = {
    "AbstractCompletionTime": ("completion.law", "CompletionTime", ""),
    "AbstractLifetime": ("lifetimes._base", "Lifetime", ""),
    "evaluate": ("registry", "evaluate_formula", ""),
    "optimal_period_aupy": ("interval.predicted_failures", "optimal_period_predicted", ""),
    "waste_aupy": ("interval.predicted_failures", "waste_predicted", ""),
    **{
        name: (module, name, "range of its row in perfmodel.FORMULAS")
        for name, module in {
            "EXTRA_NODE_RANGE": "parallel.spares",
            "GAMMA_RANGE": "completion.wsj",
            "LOCAL_RANGE": "partition.local",
            "SEARCH_RANGE": "partition.search",
            "SET_RANGE": "partition.schedule",
        }.items()
    },
}


def renamed(package: str, name: str) -> Any:
    """Return what an old name of `perfmodel`, or of a folder of it, stands for, or raise."""
    module, now, instead = RENAMED.get(name, ("", "", ""))
    if not now or package not in {"perfmodel", f"perfmodel.{module.partition('.')[0]}"}:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    warnings.warn(
        f"{package}.{name} goes with the next minor version: take {instead or now}",
        DeprecationWarning,
        stacklevel=3,
    )
    return getattr(import_module(f"perfmodel.{module}"), now)
