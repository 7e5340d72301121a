"""Which Pythons `make wheels` tries."""

from tests.support.wheels import of_pyenv


def test_the_newest_of_a_version_is_found_where_shims_hide_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for name in ("3.12.9", "3.12.10", "3.13.0", "3.1.2"):
        python = tmp_path / "versions" / name / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.touch()
    assert of_pyenv("3.12") == str(tmp_path / "versions" / "3.12.10" / "bin" / "python")
    assert of_pyenv("3.13") == str(tmp_path / "versions" / "3.13.0" / "bin" / "python")
    assert of_pyenv("3.14") is None
