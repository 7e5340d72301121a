"""Give `perfmodel` one changed file as it is imported: ``pytest -p tests.mutation.planted``.

Functions that run at import only cannot be changed in a process that has imported them.
"""

import os
from importlib.machinery import SourceFileLoader
from pathlib import Path

__all__ = ["FILE", "SOURCE", "plant"]

FILE, SOURCE = "MUTATION_FILE", "MUTATION_SOURCE"  # where the file is, and what to read for it


def plant(file: str, source: str) -> None:
    """Compile `source` where Python would import `file`; what it compiled before is not asked."""
    plain = SourceFileLoader.get_code

    def get_code(loader, name):
        if loader.get_filename(name) == file:
            return compile(source, file, "exec", dont_inherit=True)
        return plain(loader, name)

    SourceFileLoader.get_code = get_code


if FILE in os.environ:
    plant(os.environ[FILE], Path(os.environ[SOURCE]).read_text())
