"""How the functions of the core are compiled.

None makes an array, so that none needs to count references to arrays; counting took most of the
time. Those on the way of every event are inlined, because to hand over their tables costs more
than their work.
"""

from __future__ import annotations

from ..._compiled import compiled

__all__ = ["inlined", "kernel"]

kernel = compiled(_nrt=False)
inlined = compiled(_nrt=False, inline="always")
