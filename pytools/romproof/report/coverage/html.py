"""Coverage as pages for a browser: an index and one for each source, with nothing from elsewhere.

What a colour says is said by a word or a sign too. Pages are read at any width: lines of source
wrap.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html import escape

from romproof.measure.coverage.summary import (
    CoverageReport,
    FileReport,
    LineReport,
    percent,
)
from romproof.report.coverage.text import missing_of, percent_text, show_path

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1b1f;--soft:#5a5a66;--line:#d5d5dd;--back:#fff;
--miss:#fde4e1;
--part:#fdf0cf;--edge-miss:#b3261e;--edge-part:#8a5a00;--edge-hit:#1d6b35;--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e6ea;--soft:#a9a9b4;--line:#3c3c46;--back:#16161a;
--miss:#3d1f1d;--part:#3a2f12;--edge-miss:#ff9a92;--edge-part:#f0c060;--edge-hit:#7fd69a;
--link:#9cc1ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;color:var(--ink);background:var(--back);
font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.35rem;overflow-wrap:anywhere}
a{color:var(--link)}
p{max-width:46rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .5rem;text-align:right;vertical-align:top;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{text-align:left;overflow-wrap:anywhere}
td.missing{text-align:left;overflow-wrap:anywhere;color:var(--soft)}
th.missing{text-align:left}
td{white-space:nowrap}
td:first-child,td.missing{white-space:normal}
meter{width:4rem}
.source{list-style:none;margin:0;padding:0;font:.85rem/1.45 ui-monospace,monospace}
.source li{display:grid;grid-template-columns:3.5rem 5.5rem 1fr;gap:.6rem;
border-left:.3rem solid transparent}
.source .n,.source .c{text-align:right;color:var(--soft);user-select:none}
.source .n{scroll-margin-top:2rem}
.source pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;min-width:0}
.source .hit{border-left-color:var(--edge-hit)}
.source .miss{background:var(--miss);border-left-color:var(--edge-miss);border-left-style:double}
.source .part{background:var(--part);border-left-color:var(--edge-part);border-left-style:dashed}
.source .miss .c{color:var(--edge-miss);font-weight:bold}
.source .why{display:block;color:var(--edge-part);font:.8rem/1.4 system-ui,sans-serif}
@media(max-width:40rem){
.index thead{position:absolute;left:-999rem}
.index tr{display:grid;grid-template-columns:1fr 1fr;border-bottom:2px solid var(--line);
padding:.4rem 0}
.index td{border:0;padding:.1rem 0;text-align:left}
.index td:first-child,.index td.missing{grid-column:1/3}
.index td[data-head]::before{content:attr(data-head) ": ";color:var(--soft)}
.index tr{column-gap:.8rem}
meter{width:2.6rem}
.source li{grid-template-columns:2.2rem 3.6rem 1fr;gap:.35rem}
.source{font-size:.75rem}
}
"""
_BRANCH = {
    ("taken",): "branch never taken",
    ("not taken",): "branch always taken",
    ("taken", "not taken"): "branch not executed",
}
_HEADS = ("source", "cover", "lines", "branches", "instructions", "missing")


def coverage_pages(report: CoverageReport, folder: str) -> list[tuple[str, str]]:
    """The pages by the names of their files; paths below ``folder`` are shown from there."""
    pages = [("index.html", _page("Coverage", "".join(_index(report, folder))))]
    for file in report.files:
        name = show_path(file.path, folder)
        pages.append((page_name(file.path), _page(name, "".join(_file(file, name)))))
    return pages


def page_name(path: str) -> str:
    """The file name of a source's page: others of the same name have another digest."""
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", path.replace("\\", "/").rpartition("/")[2])[:80]
    return f"{stem}.{hashlib.sha256(path.encode('utf-8', 'replace')).hexdigest()[:8]}.html"


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>\n{body}</main></body></html>\n"
    )


def _index(report: CoverageReport, folder: str) -> Iterator[str]:
    yield "<h1>Coverage</h1>\n"
    yield f"<p>{_text(_totals(report))}</p>\n"
    heads = "".join(
        f'<th scope="col"{" class=missing" if head == "missing" else ""}>{head}</th>'
        for head in _HEADS
    )
    yield f'<table class="index"><thead><tr>{heads}</tr></thead><tbody>\n'
    for file in report.files:
        share = percent(file.line_counts, file.branch_counts)
        name = _text(show_path(file.path, folder))
        missing = ", ".join(missing_of(file))
        yield (
            f'<tr><td><a href="{page_name(file.path)}">{name}</a></td>'
            f'<td data-head="cover"><meter min="0" max="100" value="{share:.1f}" '
            f'aria-hidden="true"></meter> {percent_text(share)}</td>'
            f'<td data-head="lines">{_of(file.line_counts)}</td>'
            f'<td data-head="branches">{_of(file.branch_counts)}</td>'
            f'<td data-head="instructions">{_of(file.instructions)}</td>'
            f'<td class="missing"{_head(missing)}>{_text(missing)}</td></tr>\n'
        )
    yield "</tbody></table>\n"
    yield (
        "<p>Lines and branches: all expansions of a macro or repeat count as one. Instructions: "
        "each expansion counts. A branch has two outcomes.</p>\n"
    )
    if report.notes:
        items = "".join(f"<li>{_text(note)}</li>" for note in report.notes)
        yield f"<h2>Not seen</h2>\n<ul>{items}</ul>\n"


def _head(missing: str) -> str:
    return ' data-head="missing"' if missing else ""


def _totals(report: CoverageReport) -> str:
    return (
        f"{percent_text(report.percent)}: {_of(report.line_counts)} lines with code and "
        f"{_of(report.branch_counts)} branch outcomes were executed."
    )


def _file(file: FileReport, name: str) -> Iterator[str]:
    yield f'<p><a href="index.html">All sources</a></p>\n<h1>{_text(name)}</h1>\n'
    share = percent(file.line_counts, file.branch_counts)
    yield (
        f"<p>{percent_text(share)}: {_of(file.line_counts)} lines with code, "
        f"{_of(file.branch_counts)} branch outcomes, {_of(file.instructions)} instructions, "
        f"where each expansion counts. The number left of a line says how often it was "
        f"executed; lines without a number have no code.</p>\n"
    )
    if file.labels_only:
        yield "<p>The lines of this source are not known, only its labels.</p>\n"
    by_line = {line.line: line for line in file.lines}
    last = max(by_line, default=0)
    texts = file.text.replace("\r\n", "\n").split("\n") if file.text else []
    if not texts:
        yield "<p>The source file does not exist: only the numbers of its lines are shown.</p>\n"
    yield '<ol class="source">\n'
    for number in range(1, max(len(texts), last) + 1):
        line = by_line.get(number)
        if line is None and not texts:
            continue
        yield _source_line(number, texts[number - 1] if number <= len(texts) else "", line)
    yield "</ol>\n"


def _source_line(number: int, text: str, line: LineReport | None) -> str:
    count, why, kind = "", "", ""
    if line is not None:
        kind = _kind(line)
        count = f"{line.count:,}\N{MULTIPLICATION SIGN}" if line.count else "missed"
        why = "; ".join(_reasons(line))
    mark = f' class="{kind}"' if kind else ""
    note = f'<span class="why">{_text(why)}</span>' if why else ""
    return (
        f'<li{mark} id="L{number}"><span class="n">{number}</span><span class="c">{count}</span>'
        f"<div><pre>{_text(text) or ' '}</pre>{note}</div></li>\n"
    )


def _kind(line: LineReport) -> str:
    if not line.count:
        return "miss"
    partly = line.executed < line.spots or any(branch.missing for branch in line.branches)
    return "part" if partly else "hit"


def _reasons(line: LineReport) -> Iterator[str]:
    """What is missing of a line that was executed."""
    if not line.count:
        return
    for branch in line.branches:
        if branch.missing:
            yield _BRANCH[branch.missing]
    if line.executed < line.spots:
        of = "instructions of this expansion" if line.calls else "expansions"
        yield f"{line.executed:,} of {line.spots:,} {of} executed"


def _of(counts: tuple[int, int]) -> str:
    return f"{counts[0]:,} of {counts[1]:,}"


def _text(text: str) -> str:
    """Text for a page: no tag, no control character, nothing that is no character at all."""
    clean = "".join(
        c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return escape(clean, quote=True)
