"""Old names work for a version more, and say what takes their place."""

import importlib
import subprocess
import sys

import pytest

import perfmodel
from perfmodel._renamed import RENAMED


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_warns_and_is_what_took_its_place(old):
    module, now, instead = RENAMED[old]
    home = importlib.import_module(f"perfmodel.{module.partition('.')[0]}")
    for package in {perfmodel, home}:
        if not hasattr(package, "__path__"):
            continue  # a module beside the door has only its new name
        with pytest.warns(DeprecationWarning, match=f"{old} goes .* take {instead or now}") as told:
            value = getattr(package, old)
        assert told[0].filename == __file__
        assert value is getattr(importlib.import_module(f"perfmodel.{module}"), now)
        assert old not in package.__all__
        assert old not in dir(package)


def test_a_new_name_is_offered_without_a_warning():
    for module, now, instead in RENAMED.values():
        if not instead:
            assert getattr(perfmodel, now) is getattr(
                importlib.import_module(f"perfmodel.{module}"), now
            )


def test_an_import_of_an_old_name_says_the_line_that_has_it(tmp_path):
    script = tmp_path / "old.py"
    script.write_text("\nfrom perfmodel import waste_aupy\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert f"{script}:2: DeprecationWarning: perfmodel.waste_aupy goes" in done.stderr
    assert "take waste_predicted" in done.stderr


def test_an_old_name_is_not_one_of_another_folder():
    import perfmodel.makespan

    with pytest.raises(AttributeError, match="has no attribute 'waste_aupy'"):
        perfmodel.makespan.waste_aupy  # noqa: B018
