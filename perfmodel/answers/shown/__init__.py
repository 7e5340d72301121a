"""How answers are shown: numbers in words, parts of an answer, and a renderer for each form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .as_csv import csv_of as csv_of
    from .as_html import UNSEEN as UNSEEN
    from .as_html import facts_html as facts_html
    from .as_html import heading_html as heading_html
    from .as_html import html_of as html_of
    from .as_html import line_html as line_html
    from .as_html import table_html as table_html
    from .as_html import text_html as text_html
    from .as_latex import latex_of as latex_of
    from .as_markdown import markdown_of as markdown_of
    from .as_text import text_of as text_of
    from .numbers import chance as chance
    from .numbers import change as change
    from .numbers import in_one_unit as in_one_unit
    from .numbers import in_unit as in_unit
    from .numbers import money as money
    from .numbers import never_by as never_by
    from .numbers import percent as percent
    from .numbers import shared_unit as shared_unit
    from .numbers import step_words as step_words
    from .numbers import two_decimals as two_decimals
    from .numbers import whole_number as whole_number
    from .pieces import Facts as Facts
    from .pieces import Heading as Heading
    from .pieces import Lines as Lines
    from .pieces import Part as Part
    from .pieces import Table as Table
    from .rendered import FORMS as FORMS
    from .rendered import Answer as Answer
    from .rendered import Form as Form
    from .rendered import render as render
    from .unseen import plain as plain

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
