"""Random search over all public functions of `perfmodel` for a call that breaks a promise.

`python -m validation.hunt --minutes 60` draws arguments from the documented range of every public
name and checks what needs no simulation: finite in, finite out; arrays as their elements; another
unit scales; answers go the way theory says; two formulas for one quantity agree; nothing is
raised or warned of but what is documented; nothing takes longer than seconds. What fails is
shrunk to a short call. A finding of a fact is pasted with `again`.
"""

from __future__ import annotations

from .search import Finding, Hunt, again, hunt

__all__ = ["Finding", "Hunt", "again", "hunt"]
