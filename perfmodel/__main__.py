"""Let ``python -m perfmodel`` be the command line."""

from __future__ import annotations

import os
import sys

__all__ = ["run"]

# Formulas do without them.
_NEEDED = frozenset(("click", "rich", "pandas", "numba"))


def run() -> None:
    """Run the command line; an interrupt while its modules load ends as quietly as a later one."""
    # Threads of linear algebra gain nothing on small matrices and wait for busy processors.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from .cli import main

        main(prog_name="perfmodel")
    except ModuleNotFoundError as error:
        if error.name not in _NEEDED:
            raise
        hint = f"Error: the command needs {error.name}: pip install 'perfmodel[cli]'"
        print(hint, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted: the same command begins anew.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
