"""Finds figures in templates of pages that were written by hand instead of looked up.

Prose may have what was chosen: lengths, numbers of ranks and cores, rates of links, bits. What
looks measured may not stand there: numbers with a fraction or an exponent, numbers with a unit of
time, rate, power or share, factors, and numbers alone in a cell of a table. Neither may texts and
numbers within expressions bring figures in, except as what a look-up asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import jinja2
from jinja2 import nodes

NUMBER = r"\d[\d,]*(?:\.\d+)?"
UNITS = (r"ns|us|µs|ms|s|seconds?|minutes?|hours?|%|percent|per cent|[kMGT]B/s|[KMGT]iB/s|"
         r"[GT]FLOP/s|J|kJ|W|kW|times|x")
PATTERNS = (
    re.compile(r"(?<![\w.])\d+\.\d+(?![\w]|\.\d)"),  # a fraction, but no version such as 2.4.1
    re.compile(r"(?<![\w.])\d+(?:\.\d+)?e[+-]?\d+"),
    re.compile(rf"(?<![\w.^]){NUMBER}\s*(?:{UNITS})(?![\w/^])"),
    re.compile(rf"\|\s*\(?{NUMBER}\)?\s*(?=\|)"),
)
LOOKUPS = ("records", "where", "best", "fastest", "one", "all_of", "table", "curves")
#: Code in prose shows settings, such as `tolerance = 1e-6`; a unit is no part of one.
SETTING = re.compile(r"`[^`\n]*`")


def find(source: str) -> list[tuple[int, str]]:
    """Lines and what stands there."""
    tree = jinja2.Environment().parse(source)
    return sorted({*in_prose(tree), *in_expressions(tree)})


def figures(text: str) -> Iterator[tuple[int, str]]:
    """Places in a text, and what looks measured there."""
    plain = SETTING.sub(lambda code: "`" + " " * (len(code[0]) - 2) + "`", text)
    for pattern in PATTERNS:
        for match in pattern.finditer(plain):
            yield match.start(), match[0].strip("| \n")
    for code in SETTING.finditer(text):
        for match in PATTERNS[2].finditer(code[0]):
            yield code.start() + match.start(), match[0]


def in_prose(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for data in tree.find_all(nodes.TemplateData):
        for place, text in figures(data.data):
            yield data.lineno + data.data.count("\n", 0, place), text


def in_expressions(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Constants that are not an argument of a look-up."""
    asked = {id(constant) for call in tree.find_all(nodes.Call) if name_of(call) in LOOKUPS
             for given in (*call.args, *(pair.value for pair in call.kwargs))
             for constant in constants(given)}
    for constant in tree.find_all(nodes.Const):
        if id(constant) in asked or isinstance(constant.value, bool) or constant.value is None:
            continue
        number = isinstance(constant.value, (int, float))
        if number or re.fullmatch(rf"\s*{NUMBER}\s*", constant.value):
            yield constant.lineno, repr(constant.value)
        else:
            for _, text in figures(constant.value):
                yield constant.lineno, text


def name_of(call: nodes.Call) -> str:
    return str(getattr(call.node, "attr", None) or getattr(call.node, "name", ""))


def constants(node: nodes.Node) -> Iterator[nodes.Node]:
    if isinstance(node, nodes.Const):
        yield node
    elif isinstance(node, (nodes.List, nodes.Tuple)):
        for item in node.items:
            yield from constants(item)
    elif isinstance(node, nodes.Dict):  # whose keys are the headings of a table
        for pair in node.items:
            yield from constants(pair.value)
