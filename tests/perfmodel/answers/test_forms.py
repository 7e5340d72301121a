"""Parts of an answer in every form: no text of a user is markup, a command or a formula."""

import csv
import io
from html.parser import HTMLParser

import pytest

from asking.refusals import Field, Said
from perfmodel.answers import render
from perfmodel.answers.shown import FORMS, Facts, Heading, Lines, Table

NAME = "a{b}_&<c>|$x$%#~^\\[d].csv"


class Made:
    """An answer of given parts."""

    def __init__(self, *parts):
        self._parts = parts

    def parts(self):
        yield from self._parts


def words_of(page):
    """Return the texts between the tags of HTML, and the tags."""
    found, tags = [], []

    class Reader(HTMLParser):
        def handle_data(self, data):
            found.append(data)

        def handle_starttag(self, tag, attrs):
            tags.append(tag)

    Reader().feed(page)
    return found, tags


PARTS = (
    Heading(NAME),
    Facts.of([("log", f"{NAME}\nread"), ("", Said("{}: see {}", NAME, Field("as_json")))]),
    Lines.of("One.", "Two."),
    Table.of(["name", "wait\n[h]"], [[NAME, "1,234.00"], ["b", "-0.50"]]),
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_every_number_and_ends_with_a_line(form):
    text = render(Made(*PARTS), form)
    assert "1,234.00" in text
    assert "-0.50" in text
    assert "to_dict()" in text.replace("\\", "")
    assert text.endswith("</div>" if form == "html" else "\n")
    assert render(Made(), form).strip("\n") in {"", render(Made(), "html")}


def test_text_has_an_empty_line_between_parts_and_aligned_numbers():
    parts = (*PARTS[2:], Lines.of("Close.", close=True), Lines.of(), Lines.of("Apart."))
    assert render(Made(Heading("What"), *parts), "text").splitlines() == [
        "What",
        "====",
        "One.",
        "Two.",
        "",
        f"{'':{len(NAME)}}      wait",
        f"{'name':{len(NAME)}}       [h]",
        f"{NAME}  1,234.00",
        f"{'b':{len(NAME)}}     -0.50",
        "Close.",
        "",
        "Apart.",
    ]
    assert render(Made(Lines.of("one two three")), "text", width=8) == "one two\nthree\n"


def test_no_line_ends_between_a_number_and_its_unit():
    made = Made(Lines.of("in 3.5 h, 2 hosts"), Facts.of([("a", "in 97 % of it")]))
    assert render(made, "text", width=7) == "in\n3.5 h,\n2 hosts\n\na  in\n   97 %\n   of\n   it\n"


def test_html_shows_signs_as_they_are():
    texts, tags = words_of(render(Made(*PARTS), "html"))
    assert texts.count(NAME) == 3
    assert "c" not in tags
    control = words_of(render(Made(Lines.of("a\x1b[31m\u202eb")), "html"))[0]
    assert control[-1] == "a\ufffd[31m\ufffdb"


def test_markdown_escapes_every_sign_of_markup():
    lines = render(Made(*PARTS), "markdown").splitlines()
    escaped = r"a\{b\}\_\&\<c\>\|\$x\$%\#\~^\\\[d\].csv"
    assert lines == [
        f"## {escaped}",
        "",
        f"- **log:** {escaped}<br>read",
        f"- {escaped}: see to\\_dict()",
        "",
        "One.",
        "",
        "Two.",
        "",
        r"| name | wait<br>\[h\] |",
        "| --- | ---: |",
        f"| {escaped} | 1,234.00 |",
        "| b | -0.50 |",
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("- a", r"\- a"),
        ("+ a", r"\+ a"),
        ("12. a", r"12\. a"),
        ("3) a", r"3\) a"),
        ("===", r"\==="),
        ("2.5 h", r"2\.5 h"),
        ("25 h", "25 h"),
        ("# a", r"\# a"),
        ("> a", r"\> a"),
    ],
)
def test_a_line_of_markdown_begins_no_list(line, text):
    assert render(Made(Lines.of(line)), "markdown") == f"{text}\n"


def test_latex_has_no_command_of_a_user():
    escaped = (
        r"a\{b\}\_\&\textless{}c\textgreater{}\textbar{}\$x\$\%\#\textasciitilde{}"
        r"\textasciicircum{}\textbackslash{}{[}d{]}.csv"
    )
    parts = (*PARTS, Lines.of('--json, "quoted", `tick`'))
    assert render(Made(*parts), "latex").splitlines() == [
        rf"\subsection*{{{escaped}}}",
        "",
        r"\begin{description}",
        rf"\item[{{log}}] {escaped} \newline read",
        rf"\item[{{}}] {escaped}: see to\_dict()",
        r"\end{description}",
        "",
        "One.",
        "",
        "Two.",
        "",
        r"\begin{tabular}{lr}",
        r"name & wait {[}h{]} \\ \hline",
        rf"{escaped} & 1,234.00 \\",
        r"b & -0.50 \\",
        r"\end{tabular}",
        "",
        r"-{}-json, \textquotedbl{}quoted\textquotedbl{}, \textasciigrave{}tick\textasciigrave{}",
    ]


def test_csv_is_read_back_as_it_was():
    rows = list(csv.reader(io.StringIO(render(Made(*PARTS), "csv"))))
    assert rows == [
        [NAME],
        [],
        ["log", f"{NAME}\nread"],
        ["", f"{NAME}: see to_dict()"],
        [],
        ["One."],
        ["Two."],
        [],
        ["name", "wait [h]"],
        [NAME, "1,234.00"],
        ["b", "-0.50"],
    ]


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "--x"])
def test_no_cell_of_csv_is_a_formula(text):
    shown = render(Made(Table.of(["a"], [[text]])), "csv")
    assert next(csv.reader([shown.splitlines()[1]])) == [f"'{text}"]


@pytest.mark.parametrize("text", ["-0.50", "+1,234.5", "-1.2e+05", "-", "a=b", '"q", r'])
def test_numbers_and_words_of_csv_stay(text):
    shown = render(Made(Table.of(["a"], [[text]])), "csv")
    assert next(csv.reader([shown.splitlines()[1]])) == [text]


def test_another_form_is_refused():
    with pytest.raises(ValueError, match=r"form must be one of text, html, .*, got 'pdf'"):
        render(Made(), "pdf")


def test_equal_parts_are_equal_whatever_they_name():
    def made():
        return Facts.of([("log", Said("left out: {}", Field("downtime")))])

    assert made() == made()
    assert hash(made()) == hash(made())
    assert made() != Facts.of([("log", Said("left out: {}", Field("work")))])
