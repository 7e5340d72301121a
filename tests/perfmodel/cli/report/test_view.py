"""The figure that a reader turns, in full: its sliders and its data."""

import json
import math

import numpy as np

from perfmodel.cli.report.turning import Turning
from perfmodel.cli.report.view import view_of
from perfmodel.figures import BEST, OTHER, PREDICTED, WANTED

MTBFS = tuple(f"{n} h" for n in range(1, 10))
COSTS = ("1 min", "2 min", "3 min <", "4 min", "5 min")


def curve(row, column):
    near = None if row == column else (0.123456, 9.0)
    return {
        "beyond": np.array([math.inf, 12.34567 + row, math.nan]),
        "best": 1.0 + column,
        "least": 2.0,
        "near": near,
        "said": f"{row} </script> {column}",
    }


TURNING = Turning(
    unit="h",
    turned="checkpoint & more",
    mtbfs=MTBFS,
    costs=COSTS,
    intervals=np.array([0.9, 3.14159265, 21.0]),
    planned=2.718281828,
    ends=(0.04, 3.0),
    curves=tuple(tuple(curve(row, column) for column in range(5)) for row in range(9)),
)


def test_the_figure_in_full():
    text = view_of(TURNING)
    head, _, rest = text.partition('<script type="application/json">')
    data, _, tail = rest.partition("</script>")
    assert head == (
        '<div class="live"><div class="sliders">'
        '<label>MTBF <input type="range" min="0" max="8" step="1" value="4" name="mtbf"> '
        "<output>5 h</output></label>"
        '<label>checkpoint &amp; more <input type="range" min="0" max="4" step="1" value="2" '
        'name="cost"> <output>3 min &lt;</output></label>'
        '</div><p role="status" class="said"></p><div class="drawn"></div>'
    )
    assert tail == "</div>"
    assert "<" not in data
    found = json.loads(data)
    assert data == json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    assert found == {
        "mtbf": list(MTBFS),
        "cost": list(COSTS),
        "planned": 2.718,
        "across": "work between checkpoints [h]",
        "ends": [0.04, 3.0],
        "colours": {"set": PREDICTED, "before": OTHER, "best": BEST, "planned": WANTED},
        "x": [0.9, 3.142, 21.0],
        "curves": [
            [
                {
                    # What JSON does not have is null.
                    "y": [None, float(f"{12.34567 + row:.4g}"), None],
                    "best": 1.0 + column,
                    "near": None if row == column else [0.1235, 9.0],
                    "said": f"{row} </script> {column}",
                }
                for column in range(5)
            ]
            for row in range(9)
        ],
    }
