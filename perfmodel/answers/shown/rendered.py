"""What all answers share: their main table, and every form in which they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

from .pieces import Part

if TYPE_CHECKING:
    from pandas import DataFrame

Form: TypeAlias = Literal["text", "html", "markdown", "latex", "csv"]
FORMS: tuple[Form, ...] = get_args(Form)
_WIDTH = 100  # of text that is asked for from Python
# What answers say of options that are no fields of a request.
_IN_PYTHON: Mapping[str, str] = {"as_json": "to_dict()", "as_csv": "to_frame()"}


class Shown(Protocol):
    """What has parts to be shown."""

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order."""


class Answer:
    """An answer: plain numbers, its main table, a figure where there is one, and parts to show.

    Numbers of tables are in the units that their names end with: ``_s`` in [s], ``_j`` in [J].
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as its command prints it with ``--json``."""
        raise NotImplementedError

    def parts(self) -> Iterator[Part]:
        """Yield what the answer is shown as, in order; `render` makes text or a page of it."""
        raise NotImplementedError

    def rows(self) -> Iterable[Mapping[str, Any]]:
        """Return the main table, a row each under unit-named keys."""
        raise NotImplementedError

    def to_frame(self) -> DataFrame:
        """Return the main table as a frame of pandas; names of columns end with their unit."""
        from pandas import DataFrame

        return DataFrame([dict(row) for row in self.rows()])

    def plot(self, ax: Any = None) -> Any:
        """Draw the answer as its command does with ``--plot``; return the axes.

        Raises
        ------
        NotImplementedError
            If it has no figure.
        """
        del ax
        raise NotImplementedError(f"{type(self).__name__} must be shown as tables, got no figure")

    def _repr_html_(self) -> str:
        """Return the answer for a notebook."""
        return render(self, "html")


def render(answer: Shown, form: Form, *, width: int = _WIDTH) -> str:
    """Return an answer in a form, every text escaped as the form needs it.

    Parameters
    ----------
    answer : Answer
        Anything with `parts()`.
    form : {"text", "html", "markdown", "latex", "csv"}
        HTML is a piece to stand in a page; LaTeX needs no package; CSV has the numbers as they are
        shown, `to_frame` as they are.
    width : int, [-]
        Columns at which sentences of text are wrapped; > 0.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such form.

    Examples
    --------
    >>> from perfmodel.answers import IntervalRequest, interval, render
    >>> found = interval(IntervalRequest(mtbf=28_800.0, checkpoint_cost=360.0))
    >>> render(found, "markdown").splitlines()[0]
    '- **MTBF:** 8 h (as given)'
    """
    from .as_csv import csv_of
    from .as_html import html_of
    from .as_latex import latex_of
    from .as_markdown import markdown_of
    from .as_text import text_of

    if form == "text":
        return "\n".join(text_of(answer.parts(), _field, width=width)) + "\n"
    others = {"html": html_of, "markdown": markdown_of, "latex": latex_of, "csv": csv_of}
    if form not in others:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    return others[form](answer.parts(), _field)


def _field(name: str) -> str:
    """Return how Python knows what a command line knows as an option."""
    return _IN_PYTHON.get(name, name)
