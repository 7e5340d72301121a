"""Drawn examples: the same ones in every run, so that a verdict can be had again.

``--hypothesis-profile=explore`` draws others; ``make validate`` does.
"""

from hypothesis import settings

settings.register_profile("repeat", derandomize=True)
settings.register_profile("explore", print_blob=True)
settings.load_profile("repeat")
