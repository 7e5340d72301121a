"""Commands of Slurm that run jobs on this machine, as far as submitit uses them.

``... sbatch SCRIPT`` starts each job of an array by itself; ``srun`` runs a command with its logs;
``squeue`` tells the states; ``scancel JOB`` kills. What they know is in $FAKE_SLURM.
"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

__all__ = ["install"]


def install(folder):
    """Write the commands to a folder and return what the environment needs to find them."""
    folder.mkdir()
    for name in ("sbatch", "srun", "squeue", "scancel"):
        path = folder / name
        path.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} {name} "$@"\n')
        path.chmod(0o755)
    (folder / "jobs").mkdir()
    return {"PATH": f"{folder}:{os.environ['PATH']}", "FAKE_SLURM": str(folder)}


def jobs():
    return Path(os.environ["FAKE_SLURM"]) / "jobs"


def sbatch(script):
    text = Path(script).read_text()
    if "--partition=none" in text:
        sys.exit("sbatch: error: invalid partition specified: none")
    number = 100 + len(list(jobs().glob("*.sh")))
    kept = jobs() / f"{number}.sh"  # as the controller does: submitit moves what it submitted
    kept.write_text(text)
    array = re.search(r"--array=0-(\d+)%", text)
    for place in range(int(array[1]) + 1 if array else 1):
        own = {"SLURM_JOB_ID": f"{number}{place:03}" if array else str(number)}
        if array:
            own |= {"SLURM_ARRAY_JOB_ID": str(number), "SLURM_ARRAY_TASK_ID": str(place)}
        job = f"{number}_{place}" if array else str(number)
        run = f"bash {kept}; echo $? > {jobs() / job}.ended"
        process = subprocess.Popen(
            ["sh", "-c", run],
            env=os.environ | own,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        (jobs() / f"{job}.pid").write_text(str(process.pid))
    print(f"Submitted batch job {number}")


def srun(*arguments):
    rest = list(arguments)
    logs = {}
    while rest[0].startswith("--"):
        option = rest.pop(0)
        if option in ("--output", "--error"):
            logs[option] = rest.pop(0)
    for option, stream in (("--output", 1), ("--error", 2)):
        path = logs[option].replace("%t", "0").replace("%j", os.environ["SLURM_JOB_ID"])
        if "SLURM_ARRAY_JOB_ID" in os.environ:
            path = path.replace("%A", os.environ["SLURM_ARRAY_JOB_ID"])
            path = path.replace("%a", os.environ["SLURM_ARRAY_TASK_ID"])
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.execvp(rest[0], rest)


def squeue(*_):
    for path in jobs().glob("*.pid"):
        ended = path.with_suffix(".ended")
        state = "RUNNING"
        if ended.exists() and (code := ended.read_text().strip()):
            state = "COMPLETED" if code == "0" else "FAILED"
        print(path.stem, state)


def scancel(job, *_):
    os.killpg(int((jobs() / f"{job}.pid").read_text()), signal.SIGKILL)
    (jobs() / f"{job}.ended").write_text("9")


if __name__ == "__main__":
    {"sbatch": sbatch, "srun": srun, "squeue": squeue, "scancel": scancel}[sys.argv[1]](
        *sys.argv[2:]
    )
