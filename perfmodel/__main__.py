"""Let ``python -m perfmodel`` be the command line."""

from __future__ import annotations

import sys

__all__ = ["run"]


def run() -> None:
    """Run the command line; an interrupt while its modules load ends as quietly as a later one."""
    try:
        from .cli import main

        main(prog_name="perfmodel")
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
