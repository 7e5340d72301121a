"""Laws of `perfmodel` as samplers of `sim`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...lifetimes import Lifetime


def sampler_of(law: Lifetime) -> Any:
    """Return the same law as a sampler of `sim`, which has the same names and parameters."""
    from sim import samplers

    family = getattr(samplers, type(law).__name__)
    return family(*(getattr(law, field.name) for field in fields(law)))  # type: ignore[arg-type]
