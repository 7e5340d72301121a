"""Slurm itself, on this machine: one node, a controller and munge, in a folder and on free ports.

No accounting, so that `sacct` has no answer, as on sites without a database.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["Site", "missing", "running"]

_COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "scontrol", "squeue")
_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
_START = 60.0  # s

_CONF = """
ClusterName=tried
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=300
SlurmdParameters=config_overrides
{more}
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=batch Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Return why Slurm cannot be started here, or an empty string."""
    absent = [name for name in _COMMANDS if shutil.which(name, path=_PATH) is None]
    if absent:
        return f"{', '.join(absent)} not installed: apt-get install slurm-wlm munge"
    return "" if os.geteuid() == 0 else "only root can start slurmd"


class Site:
    """Daemons that run in a folder, and what the environment needs to find them."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {"PATH": _PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        self._daemons = {}

    def configure(self):
        """Write a key and the configuration."""
        self.folder.chmod(0o755)  # munge asks for it
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        controller, node = _free_ports(2)
        host = socket.gethostname().partition(".")[0]
        where = {"host": host, "folder": self.folder, "controller": controller, "node": node}
        (self.folder / "slurm.conf").write_text(_CONF.format(**where, more=_plugins()))

    def start(self, name):
        """Start a daemon, `munged`, `slurmctld` or `slurmd`, in the foreground of a process."""
        own = {
            "munged": [
                *("--foreground", "--force", f"--socket={self.folder}/munge.socket"),
                *(f"--{kind}-file={self.folder}/munge.{kind}" for kind in ("key", "pid", "seed")),
            ],
            "slurmctld": ["-D"],
            "slurmd": ["-D", *_stepd()],
        }
        with (self.folder / f"{name}.out").open("ab") as out:
            self._daemons[name] = subprocess.Popen(
                [shutil.which(name, path=_PATH), *own[name]],
                env=os.environ | self.env,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def kill(self, name):
        """Kill a daemon, which gets no time to write anything down."""
        self._daemons[name].kill()
        self._daemons.pop(name).wait()

    def end(self, name):
        """End a daemon, which writes down what it knows."""
        daemon = self._daemons.pop(name)
        daemon.send_signal(signal.SIGTERM)
        try:
            daemon.wait(20)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def wait(self):
        """Wait until the node takes jobs."""
        until = time.monotonic() + _START
        while self.run("sinfo", "-h", "-o", "%T", check=False) not in ("idle", "mixed"):
            if time.monotonic() > until:
                logs = [path.read_text()[-2000:] for path in sorted(self.folder.glob("*.out"))]
                raise TimeoutError("\n".join(["Slurm does not start", *logs]))
            time.sleep(0.1)

    def run(self, *command, check=True):
        """Run a command of Slurm; return what it prints."""
        found = shutil.which(command[0], path=_PATH)
        done = subprocess.run(
            [found, *map(str, command[1:])],
            env=os.environ | self.env,
            capture_output=True,
            text=True,
            check=check,
            timeout=60,
        )
        return done.stdout.strip()

    def jobs(self):
        """Return the state of each job that waits or runs, by its number."""
        lines = self.run("squeue", "-h", "-r", "-o", "%i %T", check=False).splitlines()
        return dict(line.split() for line in lines)

    def stop(self):
        """Cancel all jobs and end the daemons."""
        with suppress(subprocess.SubprocessError):
            self.run("scancel", "--user=root", "--signal=KILL", "--full", check=False)
            self.run("scancel", "--user=root", check=False)
            until = time.monotonic() + 20.0
            while self.jobs() and time.monotonic() < until:
                time.sleep(0.2)
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self._daemons:
                self.end(name)


@contextmanager
def running(folder):
    """Yield a site that takes jobs; end it afterwards."""
    site = Site(folder)
    site.configure()
    try:
        site.start("munged")
        until = time.monotonic() + _START
        while not (folder / "munge.socket").exists() and time.monotonic() < until:
            time.sleep(0.05)
        site.start("slurmctld")
        site.start("slurmd")
        site.wait()
        yield site
    finally:
        site.stop()


def _free_ports(number):
    sockets = [socket.socket() for _ in range(number)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _root():
    """Return below which folder Slurm is installed: / or where its packages were unpacked."""
    return Path(shutil.which("slurmctld", path=_PATH)).resolve().parents[2]


def _plugins():
    places = [] if _root() == Path("/") else [*_root().glob("usr/lib/*/slurm-wlm")]
    return f"PluginDir={places[0]}" if places else ""


def _stepd():
    return [] if _root() == Path("/") else ["-d", str(_root() / "usr/sbin/slurmstepd")]
