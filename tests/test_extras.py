"""What is installed for formulas alone does formulas, and says what the rest needs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("click", "matplotlib", "numba", "pandas", "rich"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])

sys.meta_path.insert(0, Missing())
"""
PLAN = """
import perfmodel
from perfmodel.answers import IntervalRequest, interval

for name in perfmodel.__all__:
    getattr(perfmodel, name)
scenario = {"failures": {"mtbf": "8h"}, "checkpoint": {"cost": "6min"}, "job": {"work": "7d"}}
print(round(perfmodel.plan(scenario).checkpoint.interval))
print(round(interval(IntervalRequest(mtbf="8h", checkpoint_cost="6min")).advice.best.interval_s))
"""
PLAY = """
from sim.application import simulate_makespans
from sim.samplers import Exponential

job = {"interval": 1.0, "checkpoint_cost": 0.1, "replications": 8, "seed": 1}
simulate_makespans(8.0, uptime=Exponential(8.0), **job)
"""
COMMAND = """
sys.argv = ["perfmodel", "interval"]
from perfmodel.__main__ import run
run()
"""


def ended(code):
    done = [sys.executable, "-c", WITHOUT + code]
    return subprocess.run(done, capture_output=True, text=True, check=False)


def test_formulas_answers_and_plans_need_numpy_and_scipy_alone():
    done = ended(PLAN)
    assert done.stderr == ""
    assert done.stdout == "4320\n4320\n"


def test_the_command_names_the_extra():
    done = ended(COMMAND)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: the command needs click: pip install 'perfmodel[cli]'\n"


def test_the_simulator_names_the_extra():
    done = ended(PLAY)
    hint = "ModuleNotFoundError: the simulator needs numba: pip install 'perfmodel[replay]'"
    assert done.stderr.splitlines()[-1] == hint


def test_the_recipe_of_conda_asks_for_what_the_command_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = {*project["dependencies"], *extras["replay"], *extras["cli"]} - {"perfmodel[replay]"}
    recipe = (ROOT / "packaging" / "conda" / "meta.yaml").read_text()
    asked = re.search(r"  run:\n((?:    - .*\n)+)", recipe)[1].replace("    - ", "").split("\n")
    assert {line.replace(" ", "") for line in asked if line} - {"python>=3.11"} == wanted
    assert f'version: "{project["version"]}"' in recipe
