"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield where to write; what is there at the end then takes the place of `path`.

    A device or a pipe, and a file in a folder that cannot be written, are written directly.
    """
    try:
        if _only_directly(path):
            yield path
            return
        target = path.resolve()  # a link stays one
        with TemporaryDirectory(prefix=".perfmodel-", dir=target.parent) as folder:
            part = Path(folder) / target.name
            yield part
            if target.exists():
                shutil.copymode(target, part)
            os.replace(part, target)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.ClickException(f"{path} must be writable, got {reason!r}") from error


def _only_directly(path: Path) -> bool:
    special = path.exists() and not path.is_file()
    return (
        special
        or Path("/dev") in path.absolute().parents
        or not os.access(path.resolve().parent, os.W_OK)
    )
