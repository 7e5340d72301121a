import zipfile
from functools import partial

import pytest

from sim.cluster.grid import read_grid
from sim.traces import read_failures, read_jobs


@pytest.mark.parametrize("read", [read_jobs, partial(read_failures, format="csv"), read_grid])
def test_a_file_that_is_not_there_is_named(read, tmp_path):
    with pytest.raises(FileNotFoundError) as refused:
        read(tmp_path / "none.swf")
    assert str(refused.value) == (
        f"source must be a readable file, got '{tmp_path}/none.swf' (no such file or directory)"
    )


def test_a_folder_is_not_a_log(tmp_path):
    with pytest.raises(
        IsADirectoryError, match=r"^source must be a readable file, got '.*' \(is a"
    ):
        read_jobs(tmp_path)


def test_a_long_path_shows_both_its_ends():
    with pytest.raises(OSError, match=r"^source must be a readable file, got '/xyxy") as refused:
        read_jobs("/" + "xy" * 5000 + "/log.swf")
    assert "xyxy/log.swf' (" in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("member", ["xl/workbook.xml", "META-INF/manifest.xml", None])
def test_a_workbook_is_refused_with_what_makes_a_table_of_it(tmp_path, member):
    path = tmp_path / "outages.xls"
    if member is None:
        path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    else:
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("[Content_Types].xml", "<Types/>")
            packed.writestr(member, "<workbook/>")
    for read in (read_failures, read_jobs):
        with pytest.raises(ValueError, match=r"^outages.xls must be text, got a workbook: .* csv "):
            read(path, "csv" if read is read_failures else "swf")
