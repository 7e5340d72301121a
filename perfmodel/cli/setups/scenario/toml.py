"""TOML that a person wrote."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

__all__ = ["read_toml"]

_MOST = 1_000_000  # bytes


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a file, or raise ValueError naming it."""
    size = path.stat().st_size
    if size > _MOST:
        raise ValueError(f"{path.name} must have at most {_MOST:,} bytes, got {size:,}")
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} must be UTF-8, got {error.reason}") from None
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        raise ValueError(f"{path.name} must be TOML, got {text[:1].lower()}{text[1:]}") from None
