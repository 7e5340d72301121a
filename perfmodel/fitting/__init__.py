"""Laws and their parameters from what was recorded, with confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .bathtub import fit_bathtub as fit_bathtub
    from .change import RateChange as RateChange
    from .change import rate_change as rate_change
    from .clusters import FailureClusters as FailureClusters
    from .clusters import failure_clusters as failure_clusters
    from .lifetime import LifetimeFit as LifetimeFit
    from .lifetime import LifetimeFits as LifetimeFits
    from .lifetime import fit_lifetime as fit_lifetime
    from .mean import MeanPosterior as MeanPosterior
    from .mean import mean_posterior as mean_posterior
    from .mtbf import MtbfConfidence as MtbfConfidence
    from .mtbf import mtbf_confidence as mtbf_confidence
    from .pattern import FailureBursts as FailureBursts
    from .pattern import FailurePattern as FailurePattern
    from .pattern import RateDrift as RateDrift
    from .pattern import failure_pattern as failure_pattern
    from .posterior import AbstractPosterior as AbstractPosterior
    from .posterior import LawPosterior as LawPosterior
    from .posterior import MtbfPosterior as MtbfPosterior
    from .posterior import mtbf_posterior as mtbf_posterior

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
