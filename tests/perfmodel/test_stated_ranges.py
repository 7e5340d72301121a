"""Every public function names the argument that is outside the range which its docstring states."""

import inspect
import math

import numpy as np
import pytest

import perfmodel
from validation.hunt.call import build
from validation.hunt.docstrings import arguments_of
from validation.hunt.public_names import names
from validation.hunt.random_arguments import Drawer

DRAWS = 40


# Arguments that belong together by their lengths, and means that stand for a law.
TOGETHER = {"jobs", "checkpoint_after", "recovery_costs", "durations"}
APART = {"gamma_error"}
NAMED = r"^{} must be [^\n]+, got "


def cases():
    """Return public functions with the arguments that take numbers."""
    found = []
    for name in sorted(set(names()) - APART):
        function = getattr(perfmodel, name)
        if inspect.isfunction(function):
            numbers = [
                argument
                for argument in arguments_of(function).values()
                if argument.kind.startswith(("array_like", "float", "int"))
                and argument.name not in TOGETHER
            ]
            found += [pytest.param(function, numbers, id=name)] if numbers else []
    return found


def allowed(function, wanted):
    """Return, for each of some arguments, all in the middle of what a function takes with it."""
    found = {}
    for seed in range(DRAWS):
        drawer = Drawer(np.random.default_rng(seed), ("near",))
        try:
            drawn = drawer.arguments(function.__name__)
            made = {key: build(value) for key, value in drawn.items()}
        except (ValueError, TypeError):  # not allowed together
            continue
        found = dict.fromkeys(wanted & made.keys(), made) | found
        if found.keys() == wanted:
            return found
    raise AssertionError(f"{function.__name__} must have arguments with {wanted - found.keys()}")


def outside(argument):
    """Return values just beyond each end of what is allowed, and some that lie nowhere in it."""
    least, most = argument.least, argument.most
    found = [math.nan, -math.inf]
    if not argument.infinite and "work/" not in argument.text:  # as long as the work, or longer
        found.append(math.inf)
    if math.isfinite(least):
        found.append(least - (1.0 if argument.whole else 1e-9 * max(1.0, abs(least))))
        if argument.open_below and argument.name != "interval":  # 0 if checkpoints are free
            found.append(least)
    if math.isfinite(most):
        found.append(most * (1.0 + 1e-9))
        if argument.open_above:
            found.append(most)
    if argument.whole:
        found.append(max(least, 0.0) + 1.5)
    return found


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize(("function", "numbers"), cases())
def test_what_is_outside_the_stated_range_is_refused_by_name(function, numbers):
    middle = allowed(function, {argument.name for argument in numbers})
    for argument in numbers:
        given, message = middle[argument.name], NAMED.format(argument.name)
        listed = argument.is_list or isinstance(given[argument.name], list)
        for value in outside(argument):
            with pytest.raises(ValueError, match=message):
                function(**{**given, argument.name: [value] if listed else value})
        with pytest.raises(TypeError, match=message):
            function(**{**given, argument.name: "many"})
