"""Random search over all public functions of `perfmodel` for a call that breaks its docstring.

`python -m validation.hunt --minutes 60` draws arguments from the documented range of every public
name and checks what needs no simulation: finite arguments give finite results; an array gives
what its elements give; a change of unit scales the result; results rise and fall in each argument
as theory says; two formulas for one quantity agree; only documented errors and warnings occur;
nothing takes longer than seconds. A failing call is shortened. `again` repeats that of a fact.
"""

from __future__ import annotations

from .search import Finding, Hunt, again, hunt

__all__ = ["Finding", "Hunt", "again", "hunt"]
