"""What figures are made of: a drawing function's data and words, taken down in place of drawn."""

from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from unittest.mock import Mock

import numpy as np

__all__ = ["Drawn", "same"]


class Drawn:
    """Takes the place of the functions of `module` that draw, and of its axes."""

    def __init__(self, module, monkeypatch):
        self.calls = []  # name of the function, its arguments and its options
        self.panels = []  # the file if one was asked for, how many, and options
        self.axes = []
        for name in vars(module):
            if name.startswith("draw_") and getattr(module, name).__module__ != module.__name__:
                monkeypatch.setattr(module, name, self._noted(name))
        if hasattr(module, "axes_in"):
            monkeypatch.setattr(module, "axes_in", self._axes_in)
        if hasattr(module, "axes_for"):
            monkeypatch.setattr(module, "axes_for", self._axes_for)

    def _noted(self, name):
        def note(*arguments, ax, **options):
            assert ax in self.axes
            self.calls.append((name, arguments, options))

        return note

    @contextmanager
    def _axes_in(self, path, panels=1, **options):
        assert path is not None
        yield self._axes_for(path, panels, **options)

    def _axes_for(self, given, panels=1, **options):
        self.panels.append((given, panels, options))
        self.axes += [Mock() for _ in range(panels)]
        new = self.axes[-panels:]
        return new[0] if panels == 1 else np.array(new, dtype=object)


def same(found, expected):
    """Whether two nests of dataclasses, lists, dicts, arrays and words hold the same."""
    if is_dataclass(expected):
        return type(found) is type(expected) and all(
            same(getattr(found, field.name), getattr(expected, field.name))
            for field in fields(expected)
        )
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(same(found[k], expected[k]) for k in expected)
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, np.ndarray | float):
        return np.allclose(found, expected, rtol=1e-12, atol=0.0, equal_nan=True)
    return found == expected
