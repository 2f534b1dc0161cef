"""The pages: links lead somewhere, nothing comes from elsewhere, nothing public is left out."""

import ast
import re
import xml.etree.ElementTree as ElementTree
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

#: What loads when a page is opened, by tag.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
#: Of Doxygen's, what has a place of its own in the reference.
ENTITIES = {"class", "struct", "concept", "function", "enum", "enumvalue", "typedef", "variable"}


class Page(HTMLParser):
    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if found.get("id"):
            self.anchors.add(found["id"])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if found.get(LOADED.get(tag, "")):
            self.loaded.append(found[LOADED[tag]])


def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


def test_links_lead_somewhere(site):
    found = pages(site)
    broken = []
    for file, page in found.items():
        for link in page.links:
            if urlsplit(link).scheme or urlsplit(link).netloc:
                continue
            path, anchor = urldefrag(link)
            target = (file.parent / unquote(path)).resolve() if path else file
            if not target.exists():
                broken.append(f"{file.relative_to(site)}: {link}")
            elif anchor and target in found and unquote(anchor) not in found[target].anchors:
                broken.append(f"{file.relative_to(site)}: {link}, which has no such place")
    assert len(found) > 30
    assert broken == []


def test_pages_load_nothing_from_elsewhere(site):
    foreign = [
        f"{file.relative_to(site)}: {source}"
        for file, page in pages(site).items()
        for source in page.loaded
        if urlsplit(source).scheme not in ("", "data") or urlsplit(source).netloc
    ]
    assert foreign == []


def documented(doxygen: Path) -> set[str]:
    """Qualified names of all that is public in the headers for C++ and C."""
    names = set()
    for compound in ElementTree.parse(doxygen / "index.xml").getroot():
        kind, name = compound.get("kind"), compound.findtext("name")
        definition = ElementTree.parse(doxygen / f"{compound.get('refid')}.xml").getroot()[0]
        if definition.get("language") != "C++" or definition.get("prot", "public") != "public":
            continue
        if kind in ENTITIES:
            names.add(name)
        for member in definition.iter("memberdef"):
            if member.get("kind") not in ENTITIES or member.get("prot") != "public":
                continue
            scope = "" if kind == "file" else f"{name}::"
            names.add(scope + member.findtext("name"))
    return names


def referenced(site: Path, domains: str) -> set[str]:
    """Names that the reference has, by the inventory of the site: four lines, then lines
    compressed together."""
    text = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    return set(re.findall(rf"^(.+?) (?:{domains}):\w+ -?\d+ ", text, re.MULTILINE))


def test_the_reference_has_all_that_is_public(site):
    wanted = {
        name.replace("< ", "<").replace(" >", ">").replace("T *", "T*")
        for name in documented(site.parent / "doxygen/xml")
    }
    found = {name.replace(".", "::") for name in referenced(site, "cpp|c")}
    assert len(wanted) > 400
    assert sorted(wanted - found) == []


def test_the_reference_has_all_of_the_python_package(site, root):
    package = root / "bindings/python/weft/__init__.py"
    if not package.exists():
        assert not (site / "reference/python.html").exists()
        return
    (names,) = (
        ast.literal_eval(statement.value)
        for statement in ast.parse(package.read_text("utf-8")).body
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "__all__"
    )
    found = referenced(site, "py")
    assert [name for name in names if f"weft.{name}" not in found] == []
