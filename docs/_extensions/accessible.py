"""Mends what Sphinx and the theme leave without names for screen readers and keyboards.

tests/docs/test_site_accessible.py looks for the rest, with axe-core.
"""

from pathlib import Path

MENDED = {
    # Captions of groups of pages are headings of an unknown level.
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    # Both sidebars are landmarks, which must not have the same name.
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    # What scrolls must be reached by the keyboard.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    # The corner of a table is no heading.
    '<th class="head"><p></p></th>': "<td></td>",
    # Parameters below each other, which Sphinx writes as definitions of nothing.
    "<dl>\n<dd>": '<dl role="presentation">\n<dd>',
    # Results are shown without a heading.
    '<div id="search-results">': '<h1 class="visually-hidden">Search</h1><div id="search-results">',
}


def mend_pages(app, error):
    if error or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text("utf-8")
        for found, instead in MENDED.items():
            text = text.replace(found, instead)
        page.write_text(text, "utf-8")


def setup(app):
    app.connect("build-finished", mend_pages)
    return {"parallel_read_safe": True}
