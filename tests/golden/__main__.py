"""Play the transcripts again and write what they print: ``python -m tests.golden --write``."""

import sys

from tests.golden import HELP, TRANSCRIPTS, blocks, help_page, kept, played, written


def main(arguments: list[str]) -> None:
    if "--write" not in arguments:
        raise SystemExit("usage: python -m tests.golden --write [name ...]")
    names = {name for name in arguments if name != "--write"}
    for path in TRANSCRIPTS:
        if not names or path.stem in names:
            wanted = list(blocks(path.read_text()))
            found = [kept(old, new) for old, new in zip(wanted, played(wanted), strict=True)]
            path.write_text(written(found))
    if not names or "help" in names:
        HELP.write_text(help_page())


main(sys.argv[1:])
