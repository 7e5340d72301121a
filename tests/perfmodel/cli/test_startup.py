import subprocess
import sys

HEAVY = (
    "pandas",
    "numba",
    "matplotlib",
    "scipy.stats",
    "scipy.optimize",
    "scipy.integrate",
    "rich.progress",
    "sim",
    "perfmodel.forecasts.law",  # without a log nothing is foretold
)


def test_the_whole_of_interval_runs_without_heavy_imports():
    code = (
        "import sys; from perfmodel.cli import main; "
        "main(['interval', '--mtbf', '8h', '--checkpoint-cost', '6min'], standalone_mode=False); "
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == ["loaded:"]
