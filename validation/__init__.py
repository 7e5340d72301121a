"""The judge: hands the same numbers to `perfmodel` and `sim` and compares what comes back.

Not installed: run ``python -m validation`` from the checkout.
"""
