"""How the functions of the core are compiled.

None makes an array, so that none needs to count references to arrays; counting took most of the
time. Those on the way of every event are inlined, because to hand over their tables costs more
than their work. Python calls an `entry`; a `kernel` is called by compiled code alone.
"""

from __future__ import annotations

from ..._compiled import compiled

entry = compiled(_nrt=False)
kernel = compiled(_nrt=False, inner=True)
inlined = compiled(_nrt=False, inner=True, inline="always")
