"""Performance under failures: completion times, checkpoint intervals, partitions.

Each name is loaded from its module when it is first asked for, so that a command pays only for
what it uses. Functions take numbers and return floats, take arrays and return arrays (broadcast
together), take a pandas Series and return a Series of the same index.

What every formula refuses, and every class that it takes, is said here once:

* `ValueError` if an argument is nan, outside the range that stands at it, or inf where that is not
  named; if it is an array where one number is asked for, or none of the words that are listed; if
  arrays cannot be broadcast together.
* `ValueError` where times, or powers, "must be comparable", if one is more than 1e100 times another
  or beyond 1e150: their products would leave the floats.
* `TypeError` if an argument is of the wrong kind, such as text, a flag or None for a number, or a
  number for a law; also for a quantity with a unit, which would be dropped in silence.

The message is ``<name> must be <rule>, got <value>``. What a formula refuses beyond that, arguments
that are allowed one by one but not together, stands at the argument or under *Raises* of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._doors import loading

if TYPE_CHECKING:  # a folder offers no more than its door says; no module behind one is loaded
    from . import units as units
    from .ageing import *
    from .buddies import *
    from .bursts import *
    from .chains import *
    from .completion import *
    from .contention import *
    from .credible import CredibleInterval as CredibleInterval
    from .credible import credible_interval as credible_interval
    from .energy import *
    from .fitting import *
    from .forecasts import *
    from .formula import Formula as Formula
    from .formula import Trend as Trend
    from .interval import *
    from .lemons import *
    from .levels import *
    from .lifetimes import *
    from .makespan import *
    from .parallel import *
    from .partition import *
    from .planning import *
    from .prediction import *
    from .protocols import *
    from .registry import FORMULAS as FORMULAS
    from .registry import Evaluation as Evaluation
    from .registry import evaluate_formula as evaluate_formula
    from .replication import *
    from .scaling import *
    from .silent import *
    from .site import *
    from .spot import *
    from .standbys import *
    from .training import *
    from .validity import Range as Range
    from .validity import ValidityWarning as ValidityWarning

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
