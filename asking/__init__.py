"""How questions are asked: values with units, fields that are options, refusals in words.

What requests of `perfmodel.answers` and of `sim.answers` have in common. It knows no formula, no
simulator and no log, and neither a formula nor a simulator imports it.
"""
