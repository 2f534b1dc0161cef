"""What Sphinx makes the documentation of. scripts/build-docs prepares what it reads."""

import os
import re
import sys
import textwrap
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_extensions"))
BUILD = Path(os.environ.get("WEFT_BUILD_DIR", ROOT / "build")).resolve()

project = "weft"
author = "the weft authors"
copyright = author
release = version = re.search(
    r"project\(weft VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")
)[1]

extensions = [
    "accessible",
    "breathe",
    "fortran_reference",
    "myst_parser",
    "notebooks",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.programoutput",
]

# Languages whose sources are not there have no page.
exclude_patterns = [
    f"reference/{name}.*"
    for name, sources in {"fortran": "fortran/*.f90", "python": "python/weft/*.py"}.items()
    if not any((ROOT / "bindings").glob(sources))
]
suppress_warnings = ["toc.excluded"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# Reference of C++ and C, by way of Doxygen.
breathe_projects = {"weft": str(BUILD / "docs/doxygen/xml")}
breathe_default_project = "weft"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_show_include = False
cpp_maximum_signature_line_length = c_maximum_signature_line_length = 160

# Reference of Fortran: where the modules are that are written from the headers of C.
fortran_generated = str(BUILD / "docs/fortran")

# Reference of Python, from the package as it is installed in the environment that Sphinx runs in.
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "none"  # docstrings say them in words
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
default_role = "literal"

# Names that have no page here: those of the standard libraries and of MPI, and template parameters,
# members that are private, and the types that handles of C point to.
nitpicky = True
nitpick_ignore_regex = [
    ("c:identifier", r"u?int\d+_t|size_t|MPI_Comm|weft_\w+_object"),
    ("py:class", r".*"),  # types in words: sequence of int, optional
    ("cpp:identifier", r"weft|std(::.*)?|MPI_\w+|Implementation"),
    ("cpp:identifier", r"detail(::.*)?|Extents::capacity"),
]

# Reference of the programs: what they say themselves.
os.environ["PATH"] = os.pathsep.join([str(BUILD / "bin"), str(ROOT / "bench"), os.environ["PATH"]])
os.environ["COLUMNS"] = "100"  # of what argparse prints
programoutput_prompt_template = "$ {command}\n{output}"

copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"  # not of what is printed

html_theme = "furo"
html_title = f"weft {version}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["weft.css"]
html_copy_source = False
html_show_sphinx = False


def wrap_help(app, document):
    """What programs print is wider than pages: the meaning of an option goes on below itself."""
    if app.env.docname != "reference/command-line":
        return
    for block in document.findall(nodes.literal_block):
        lines = []
        for line in block.astext().splitlines():
            meaning = re.match(r" {2,}\S.*? {2,}|", line).end()
            lines += textwrap.wrap(line, 100, subsequent_indent=" " * meaning) or [""]
        block[:] = [nodes.Text("\n".join(lines))]
        block.rawsource = block.astext()


def skip_fields_of_tuples(_app, _what, _name, member, skip, _options):
    """Fields of named tuples are described with the tuple."""
    return skip or (getattr(member, "__doc__", None) or "").startswith("Alias for field number")


def setup(app):
    app.connect("autodoc-skip-member", skip_fields_of_tuples)
    app.connect("doctree-read", wrap_help, priority=900)  # when programs have run
