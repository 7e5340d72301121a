"""Text with units to plain numbers, and back: what `asking.units` offers."""

from asking.units import *
