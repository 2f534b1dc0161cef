"""Makes a notebook of each tutorial that has cells, and links it below the title of its page."""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from tutorial_page import Part, parts_of

FIGURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n", re.MULTILINE)
#: Pages are not beside a notebook that somebody has downloaded.
LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")


def parts_for_notebook(app: Sphinx, page: str) -> list[Part]:
    """The parts of a page, none if it has no cells."""
    parts = parts_of(Path(app.srcdir, f"{page}.md").read_text("utf-8"))
    return parts if any(part.kind == "cell" for part in parts) else []


def notebook(parts: list[Part]) -> dict:
    """In the format 4.5, without outputs and figures, which running it makes."""
    cells = []
    for number, part in enumerate(parts):
        text = part.text
        if part.kind == "text":
            text = LINK.sub(r"\1", FIGURE.sub("", text)).strip()
        elif part.kind == "file":
            text = f"%%writefile {part.name}\n{text}"
        elif part.kind == "run":
            text = f"%%bash\n{text}"
        if part.kind != "output" and text:
            cell = {"id": f"part-{number}", "metadata": {}, "source": text.rstrip("\n"),
                    "cell_type": "markdown" if part.kind == "text" else "code"}
            if cell["cell_type"] == "code":
                cell |= {"execution_count": None, "outputs": []}
            cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def is_tutorial(page: str) -> bool:
    return page.startswith("tutorials/") and page != "tutorials/index"


def link_notebook(app: Sphinx, document: nodes.document) -> None:
    page = app.env.docname
    if not is_tutorial(page) or not parts_for_notebook(app, page):
        return
    title = next(iter(document.findall(nodes.title)))
    link = f'<p><a href="{Path(page).name}.ipynb" download>Download as a notebook</a></p>'
    title.parent.insert(title.parent.index(title) + 1, nodes.raw("", link, format="html"))


def write_notebooks(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for page in filter(is_tutorial, app.env.found_docs):
        if parts := parts_for_notebook(app, page):
            text = json.dumps(notebook(parts), indent=1, ensure_ascii=False)
            Path(app.outdir, f"{page}.ipynb").write_text(f"{text}\n", "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", link_notebook)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
