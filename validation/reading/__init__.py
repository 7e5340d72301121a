"""The judge of reading: a log tells the same failures in whatever form people write it.

``python -m validation.reading`` prints the map of formats and transformations, each judged or not
applicable, and the mutants, which must all be rejected.
"""

from __future__ import annotations

from .answers import Answer, answer_of, truth_of
from .drawn import DrawnLog, Outage, drawn_log
from .formats import FORMATS, Format, Lines, Table
from .mutants import MUTANTS, Mutant
from .transformed import TRANSFORMATIONS, Transformation, judged

__all__ = [
    "FORMATS",
    "MUTANTS",
    "TRANSFORMATIONS",
    "Answer",
    "DrawnLog",
    "Format",
    "Lines",
    "Mutant",
    "Outage",
    "Table",
    "Transformation",
    "answer_of",
    "drawn_log",
    "judged",
    "truth_of",
]
