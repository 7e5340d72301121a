"""Jobs and machines known from the literature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from asking.kinds import one_of
from asking.units import DURATIONS, typed_failure_rate

_MINUTE, _HOUR, _DAY = DURATIONS["min"], DURATIONS["h"], DURATIONS["d"]


@dataclass(frozen=True, slots=True)
class Preset:
    """What the job is, where its numbers were read, fields of a request, and failures by cause."""

    title: str
    source: str
    given: Mapping[str, Any]
    causes: Mapping[str, int] = field(default_factory=dict)


# Of the 419 unexpected interruptions of Llama 3 405B in 54 days, as quoted from its report.
_LLAMA_CAUSES = {
    "faulty GPU": 148,
    "GPU memory HBM3": 72,
    "software": 54,
    "network switch or cable": 35,
    "host maintenance": 32,
    "GPU SRAM": 19,
    "GPU system processor": 17,
    "network interface": 7,
    "NCCL watchdog timeout": 7,
    "silent data corruption": 6,
    "GPU thermal sensor": 6,
    "SSD": 3,
    "power supply": 3,
    "server chassis": 2,
    "IO expansion board": 2,
    "dependency": 2,
    "CPU": 2,
    "system memory": 2,
}

_LLAMA_RESTART = 10.0 * _MINUTE  # assumed

PRESETS = {
    "llama-3-405b": Preset(
        "pre-training of Llama 3 405B: 16,384 GPUs in 2,048 nodes, 419 failures in 54 days",
        "419 unexpected interruptions in 54 days of wall time, quoted from its report; assumed are "
        "60 s to write a checkpoint and 10 min to restart, which are not uptime. The report has "
        "more than 90 % effective training time, as checkpoints of 10 s or less would give",
        dict(
            failures=sum(_LLAMA_CAUSES.values()),
            observed=54.0 * _DAY - sum(_LLAMA_CAUSES.values()) * _LLAMA_RESTART,
            nodes=2048,
            checkpoint_cost=60.0,
            downtime=_LLAMA_RESTART,
            work=54.0 * _DAY,
        ),
        _LLAMA_CAUSES,
    ),
    "rsc-1": Preset(
        "a job on 16,384 GPUs (2,048 nodes) of Meta's RSC-1",
        "rate from Kokolis et al., arXiv 2410.21680; checkpoint and restart are assumed",
        dict(
            failure_rate=typed_failure_rate("6.5/1000node-days"),
            nodes=2048,
            checkpoint_cost=5.0 * _MINUTE,
            downtime=10.0 * _MINUTE,
            work=30.0 * _DAY,
        ),
    ),
    "rsc-2": Preset(
        "a job on 8,192 GPUs (1,024 nodes) of Meta's RSC-2",
        "rate from Kokolis et al., arXiv 2410.21680; checkpoint and restart are assumed",
        dict(
            failure_rate=typed_failure_rate("2.34/1000node-days"),
            nodes=1024,
            checkpoint_cost=5.0 * _MINUTE,
            downtime=10.0 * _MINUTE,
            work=30.0 * _DAY,
        ),
    ),
    "opt-175b": Preset(
        "training of OPT-175B: an interruption every 7.5 h",
        "mean time to interruption from a secondary source; checkpoint and restart are assumed",
        dict(
            mtbf=7.5 * _HOUR,
            checkpoint_cost=5.0 * _MINUTE,
            downtime=10.0 * _MINUTE,
            work=60.0 * _DAY,
        ),
    ),
    "bloom-176b": Preset(
        "training of BLOOM 176B: 384 GPUs in 48 nodes, a hardware failure every week or so",
        "BigScience chronicles: 2.3 TB in 40 s, steps of 105 s, 2022-03-11 to 2022-07-04",
        dict(
            mtbf=7.0 * _DAY,
            checkpoint_cost=40.0,
            recovery_cost=40.0,
            work=115.0 * _DAY,
            step_time=105.0,
        ),
    ),
    "daly-2006": Preset(
        "the machine of Daly's figures: MTBF 24 h, 500 h of work",
        "J. T. Daly, FGCS 22, 2006, captions of figures 3 to 5 (secondary source)",
        dict(
            mtbf=24.0 * _HOUR,
            checkpoint_cost=5.0 * _MINUTE,
            recovery_cost=10.0 * _MINUTE,
            work=500.0 * _HOUR,
        ),
    ),
    "wsj-default": Preset(
        "the default task of Wu, Sun and Jin: MTBF 512 h, 128 h of work",
        "default parameters of the paper; recovery is not in its model",
        dict(
            mtbf=512.0 * _HOUR,
            checkpoint_cost=0.2 * _HOUR,
            downtime=2.0 * _HOUR,
            work=128.0 * _HOUR,
        ),
    ),
}
PRESET = one_of(*PRESETS, adds="preset")


def preset_of(name: str) -> Preset:
    """Return the preset of a name, from an installed package where it is not one of `PRESETS`."""
    if name in PRESETS:
        return PRESETS[name]
    from difflib import get_close_matches

    from asking.plugins import loaded

    found = loaded("preset", name, PRESETS)
    if isinstance(found, Preset):
        return found
    if found is not None:
        raise ValueError(f"preset {name} must be a Preset, got {found!r}")
    near = get_close_matches(name, PRESETS, n=1)
    hint = f" (nearest: {near[0]})" if near else ""
    raise ValueError(f"preset must be one of {', '.join(PRESETS)}{hint}, got {name!r}")
