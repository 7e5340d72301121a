"""A job log with users, sessions and equal jobs, drawn here to test what describes such logs."""

import numpy as np

from sim.traces.generated.jobs import generated_frame

DAY = 86_400.0


def session_log(seed=1, *, users=60, days=84):
    """Return a frame in which users work by day, in sessions of jobs like the one before."""
    rng = np.random.default_rng(seed)
    rows = []
    for user in range(users):
        size = 2 ** rng.integers(0, 8)
        length = rng.lognormal(7.0, 1.0)
        for day in range(days):
            if rng.random() > (0.15 if day % 7 > 4 else 0.35):
                continue
            by_day = rng.random() < 0.6
            now = DAY * day + 3600.0 * rng.uniform(*((9.0, 16.0) if by_day else (0.0, 24.0)))
            if rng.random() < 0.3:
                size, length = 2 ** rng.integers(0, 8), rng.lognormal(7.0, 1.0)
            factor = rng.uniform(1.5, 8.0)
            walltime = 60.0 * np.ceil(factor * length / 60.0)
            pause = rng.lognormal(5.0, 1.2)
            for _ in range(rng.geometric(0.25 if by_day else 0.9)):
                runtime = min(np.ceil(length * rng.lognormal(0.0, 0.3)), walltime)
                rows.append((np.floor(now), size, runtime, walltime, user + 1))
                now += rng.exponential(pause)
    submit, processors, runtime, walltime, user = np.array(sorted(rows)).T
    frame = generated_frame(
        submit=submit, processors=processors.astype(np.int64), runtime=runtime, walltime=walltime
    )
    frame["user"] = user.astype(np.int64)
    return frame


def independent(frame, seed=1):
    """Return a log of as many jobs: gaps, sizes, lengths and requests drawn from it apart."""
    rng = np.random.default_rng(seed)
    count = len(frame)
    gaps = rng.choice(np.diff(np.sort(frame["submit"])), count)
    return generated_frame(
        submit=np.cumsum(gaps),
        processors=rng.choice(frame["processors"], count),
        runtime=rng.choice(frame["runtime"], count),
        walltime=rng.choice(frame["walltime"], count),
    )
