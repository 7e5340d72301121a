"""Jobs and machines known from the literature, as the options one would have typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["PRESETS", "Preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What the job is, where its numbers were read, and the options that say so."""

    title: str
    source: str
    options: Mapping[str, str]


PRESETS = {
    "llama-3-405b": Preset(
        "pre-training of Llama 3 405B: 16,384 GPUs in 2,048 nodes, 419 failures in 54 days",
        "rate from 419 failures in 2048 x 54 node-days; checkpoint and restart are assumed",
        {
            "failure_rate": "3.789/1000node-days",
            "nodes": "2048",
            "checkpoint_cost": "60s",
            "downtime": "10min",
            "work": "54d",
        },
    ),
    "rsc-1": Preset(
        "a job on 16,384 GPUs (2,048 nodes) of Meta's RSC-1",
        "rate from Kokolis et al., arXiv 2410.21680; checkpoint and restart are assumed",
        {
            "failure_rate": "6.5/1000node-days",
            "nodes": "2048",
            "checkpoint_cost": "5min",
            "downtime": "10min",
            "work": "30d",
        },
    ),
    "bloom-176b": Preset(
        "training of BLOOM 176B: 384 GPUs in 48 nodes, a hardware failure every week or so",
        "BigScience chronicles: 2.3 TB in 40 s, steps of 105 s, 2022-03-11 to 2022-07-04",
        {
            "mtbf": "7d",
            "checkpoint_cost": "40s",
            "recovery_cost": "40s",
            "work": "115d",
            "step_time": "105s",
        },
    ),
    "daly-2006": Preset(
        "the machine of Daly's figures: MTBF 24 h, 500 h of work",
        "J. T. Daly, FGCS 22, 2006, captions of figures 3 to 5 (secondary source)",
        {
            "mtbf": "24h",
            "checkpoint_cost": "5min",
            "recovery_cost": "10min",
            "work": "500h",
        },
    ),
    "wsj-default": Preset(
        "the default task of Wu, Sun and Jin: MTBF 512 h, 128 h of work",
        "default parameters of the paper; recovery is not in its model",
        {
            "mtbf": "512h",
            "checkpoint_cost": "0.2h",
            "downtime": "2h",
            "work": "128h",
        },
    ),
}
