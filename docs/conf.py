"""What Sphinx makes the documentation of."""

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("WEFT_BUILD_DIR", ROOT / "build")).resolve()

project = "weft"
author = "the authors of weft"
copyright = author
version = release = re.search(
    r"project\(weft VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")
)[1]

extensions = [
    "myst_parser",
    "breathe",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.programoutput",
]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = []
nitpicky = True

breathe_projects = {"weft": str(BUILD / "docs/doxygen/xml")}
breathe_default_project = "weft"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_default_members = ("members",)

html_theme = "furo"
html_title = f"weft {version}"
