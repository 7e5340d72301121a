"""Laws and their parameters from what was recorded, with confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .lifetime import LifetimeFit as LifetimeFit
    from .lifetime import LifetimeFits as LifetimeFits
    from .lifetime import fit_lifetime as fit_lifetime
    from .mtbf import MtbfConfidence as MtbfConfidence
    from .mtbf import mtbf_confidence as mtbf_confidence

# Module -> what it offers, loaded when first asked for; a test compares it with the imports above.
_HOMES = {
    "lifetime": (
        "LifetimeFit",
        "LifetimeFits",
        "fit_lifetime",
    ),
    "mtbf": (
        "MtbfConfidence",
        "mtbf_confidence",
    ),
}

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__, _HOMES)
