"""Settings of Sphinx: `make docs` builds the pages of this folder."""

import sys
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers
from sphinx_gallery.sorting import ExplicitOrder

HERE = Path(__file__).resolve().parent
# The catalogue is written from perfmodel and validation, which are not installed in every case.
sys.path[:0] = [str(HERE.parent), str(HERE / "_extensions")]

from reference import LOOPS  # noqa: E402

project = "perfmodel"
author = "the maintainers"
release = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["version"]
extensions = [
    *("myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"),
    *("sphinx_gallery.gen_gallery", "catalogue", "mathml", "reference"),
]
# From the first question to a study; a script that is not named here is an error.
ORDER = (
    *("young_and_daly", "deadline", "training", "offers", "spares", "levels", "machines"),
    *("failure_log", "lemons", "ageing", "forecast", "from_a_log_to_a_plan", "advisor"),
    *("replay", "own_policy", "own_law", "study", "sweep", "paper", "benchmark_history"),
)
# Every script is run; one that raises or takes long is an error.
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "gallery_pages",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "min_reported_time": 20,
    "show_memory": False,
    "within_subsection_order": ExplicitOrder([f"plot_{name}.py" for name in ORDER]),
}
# Docstrings put names in single backticks, as NumPy's do.
default_role = "code"
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autosummary_generate = False
autodoc_mock_imports = [*LOOPS]
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
exclude_patterns = ["_build", "notebooks", "gallery"]
html_theme = "pydata_sphinx_theme"
html_title = f"perfmodel {release}"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["page.css"]

# Names in other projects are not looked up: a build needs no network. `make docs-links` asks.
nitpicky = False
linkcheck_timeout = 20
linkcheck_retries = 2

# Drawn where pages are read in the repository; shown as its source here, without a script.
lexers["mermaid"] = TextLexer()
