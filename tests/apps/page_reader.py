"""Pages of the command as trees, and whether they stand alone."""

import re
from html.parser import HTMLParser

# Elements without an end.
VOID = {"meta", "br", "link", "img", "input", "hr"}
# What makes a browser ask for something.
LOADING = {"script", "link", "img", "iframe", "object", "embed", "audio", "video", "base", "image"}


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    @property
    def classes(self):
        return (self.attributes.get("class") or "").split()

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag, kind=None):
        """Of this kind below this one, in their order."""
        found = []
        for child in self.children:
            if isinstance(child, str):
                continue
            if child.tag == tag and (kind is None or kind in child.classes):
                found.append(child)
            found += child.all(tag, kind)
        return found


class Reader(HTMLParser):
    """Takes no page whose elements do not end in the order in which they begin."""

    def __init__(self):
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes)
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.open[-1].children.append(Element(tag, attributes))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag, f"</{tag}> ends another element"

    def handle_data(self, text):
        self.open[-1].children.append(text)


def read_page(path):
    text = path.read_text()
    assert text.startswith("<!doctype html>\n<html lang=\"en\">") and text.endswith("</html>\n")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root]
    for tag in LOADING:
        assert not reader.root.all(tag), tag
    assert not re.search(r"\b(src|href|srcset|action|poster)=|url\(|@import|https?:", text)
    assert not re.search(r"\bnan\b|\binf\b", text)
    return reader.root
