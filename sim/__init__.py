"""The witness that plays: rules, random numbers, traces; no closed form.

`sim` is a generic name, chosen because users read it in the checkout. It is therefore kept off
the package index; a `sim.py` beside a user's script would hide it (``python -P`` cures that).
"""
