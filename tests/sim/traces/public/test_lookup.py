from sim.traces import locate


def test_the_folder_of_the_environment_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PERFMODEL_TRACES", str(tmp_path))
    assert locate("jobs/mine.swf") is None
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "mine.swf.xz").write_bytes(b"")
    for name in ("jobs/mine.swf", "jobs/mine.swf.xz", "jobs/mine.swf.gz"):
        assert locate(name) == tmp_path / "jobs" / "mine.swf.xz"
    (tmp_path / "jobs" / "mine.swf.gz").write_bytes(b"")
    assert locate("jobs/mine.swf.gz") == tmp_path / "jobs" / "mine.swf.gz"


def test_the_folder_beside_the_working_directory_is_searched_too(tmp_path, monkeypatch):
    monkeypatch.delenv("PERFMODEL_TRACES", raising=False)
    (tmp_path / "shared" / "traces").mkdir(parents=True)
    (tmp_path / "shared" / "traces" / "unlikely-name.swf").write_bytes(b"")
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    assert locate("unlikely-name.swf") is not None
