"""The one reader of TOML: scenarios, studies and grids, which people write and others send."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from .report import Findings
from .sources import Source, open_source

# The time of `tomllib` grows with the square of the parts of a key, and by 2 s for each megabyte.
_MOST_BYTES, _MOST_PARTS = 2_000_000, 16
# What dots are no parts of a key in; one that does not end goes to the end, so that none is
# looked at twice.
_APART = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\\?\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+(?:"|\\?(?=\n|\Z))'
    r"|'[^'\n]*+(?:'|(?=\n|\Z))"
    r"|#[^\n]*+",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{_MOST_PARTS}}}")


def read_toml(source: Source) -> tuple[str, dict[str, Any]]:
    """Read a file of TOML.

    Parameters
    ----------
    source : path or file object, or Limited
        At most 2 MB.

    Returns
    -------
    tuple of str and dict
        The name of the file and its tables.

    Raises
    ------
    ValueError
        If it is not TOML in UTF-8, is nested too deeply, has keys of more than 16 parts, or holds
        more than the limits; the last two are found out before it is parsed.
    """
    findings = Findings()
    content = open_source(source, findings)
    findings.report(content.name, records=0, rows=0, strict=True)
    name, data = content.name, content.data
    if len(data) > _MOST_BYTES:
        raise ValueError(f"{name} must have at most {_MOST_BYTES:,} bytes, got {len(data):,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} must be UTF-8, got {error.reason}") from None
    if (found := _LONG_KEY.search(_APART.sub("q", text))) is not None:
        raise ValueError(
            f"{name} must have keys of at most {_MOST_PARTS} parts, got more ({found[0][:30]}...)"
        )
    try:
        return name, tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"{name} must be TOML, got nested too deep") from None
    except ValueError as error:  # what TOML forbids, and endless numbers
        words = str(error)[:200]
        raise ValueError(f"{name} must be TOML, got {words[:1].lower()}{words[1:]}") from None
