"""Settings of Sphinx: `make docs` builds the pages of this folder."""

import sys
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

HERE = Path(__file__).resolve().parent
# The catalogue is written from perfmodel and validation, which are not installed in every case.
sys.path[:0] = [str(HERE.parent), str(HERE / "_extensions")]

project = "perfmodel"
author = "the maintainers"
release = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["version"]
extensions = ["myst_parser", "sphinx.ext.mathjax", "catalogue"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
exclude_patterns = ["_build", "notebooks"]
html_theme = "furo"
html_title = f"perfmodel {release}"
html_copy_source = False

# Names in other projects are not looked up: a build needs no network. `make docs-links` asks.
nitpicky = False
linkcheck_timeout = 20
linkcheck_retries = 2

# Drawn where pages are read in the repository; shown as its source here, without a script.
lexers["mermaid"] = TextLexer()
