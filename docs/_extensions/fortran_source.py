"""Reads what modules of Fortran offer, with the comments `!>` before and `!<` behind it.

Only as much of the language as public parts of modules need: types with components and procedures,
interfaces, procedures, constants. Of the preprocessor all branches are read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROCEDURE = re.compile(
    r"^(?P<prefix>(?:[\w*(),=]+\s+)*?)(?P<kind>subroutine|function)\s+(?P<name>\w+)\s*"
    r"(?:\((?P<arguments>[^()]*)\))?(?P<suffix>.*)$"
)
TYPE = re.compile(r"^type\b(?!\s*\()[^:]*?(?:::\s*|\s)(?P<name>\w+)$")
INTERFACE = re.compile(r"^(?:abstract\s+)?interface\b\s*(?P<name>\w*)$")
DECLARATION = re.compile(r"^(?P<type>[^'\"]*?)\s*::\s*(?P<entities>.+)$")
CODE_AND_COMMENT = re.compile(r"""^((?:[^'"!]|'[^']*'|"[^"]*")*)(?:!(.*))?$""")
ONLY = re.compile(r"^use\s+(?P<module>\w+)(?:\s*,\s*only\s*:\s*(?P<names>.*))?$")


@dataclass
class Entity:
    """A variable, type, interface or procedure."""

    name: str
    declaration: str
    doc: list[str]
    #: Components, or arguments and the result.
    parts: list["Entity"] = field(default_factory=list)
    #: By name, the comment and the procedures that the name stands for.
    procedures: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    private: bool = False  # of types: whether their components are


@dataclass
class Module:
    name: str
    doc: list[str] = field(default_factory=list)
    public: set[str] = field(default_factory=set)
    entities: dict[str, Entity] = field(default_factory=dict)


def statements(text: str) -> Iterator[tuple[str, list[str]]]:
    """Statements, continuation lines joined, each with its comment."""
    before: list[str] = []
    code, behind = "", []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith(("!>", "!!")) and not code:
            before.append(line[2:].removeprefix(" "))
            continue
        if not line:
            before = [] if not code else before
        if not line or line.startswith("#"):
            continue
        bare, comment = CODE_AND_COMMENT.match(line).groups()
        if comment and comment.startswith("<"):
            behind.append(comment[1:].strip())
        code += bare.strip().removeprefix("&")
        if code.endswith("&"):
            code = code[:-1].rstrip() + " "
        elif code:
            yield code, before + behind
            before, code, behind = [], "", []


def split(text: str) -> list[str]:
    """At commas outside of parentheses and brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def declared(code: str, doc: list[str]) -> list[Entity]:
    match = DECLARATION.match(code)
    if not match:
        return []
    return [
        Entity(re.match(r"\w*", entity)[0], f"{match['type']} :: {entity}", doc)
        for entity in split(match["entities"])
    ]


def procedure_of(match: re.Match, doc: list[str]) -> Entity:
    prefix = re.sub(r"\bmodule\s+", "", match["prefix"])
    arguments = match["arguments"] or ""
    result = re.search(r"result\s*\((\w+)\)", match["suffix"])
    shown = f"{prefix}{match['kind']} {match['name']}({arguments})"
    entity = Entity(match["name"], f"{shown} {result[0]}" if result else shown, doc)
    entity.parts = [Entity(name, "", []) for name in split(arguments)]
    if match["kind"] == "function":
        entity.parts.append(Entity(result[1] if result else match["name"], "", []))
    return entity


def expanded(text: str, includes: dict[str, str]) -> str:
    """The text together with what it includes, from texts by the names of their files."""
    return re.sub(
        r"^ *include '(.+)'$",
        lambda match: expanded(includes[match[1]], includes),
        text,
        flags=re.MULTILINE,
    )


def read(file: Path, includes: dict[str, str]) -> Module | None:
    """The module of a file; none where it has something else."""
    module: Module | None = None
    open_blocks: list[Entity] = []  # innermost last
    bound = False  # in the second part of a type
    for code, doc in statements(expanded(file.read_text("utf-8"), includes)):
        inner = open_blocks[-1] if open_blocks else None
        if module is None:
            match = re.match(r"^module\s+(\w+)$", code)
            if not match:
                return None
            module = Module(match[1], doc)
        elif re.match(r"^end\s*(type|interface|subroutine|function)\b", code):
            open_blocks.pop()
        elif match := TYPE.match(code):
            open_blocks.append(Entity(match["name"], code, doc))
            bound = False
        elif match := INTERFACE.match(code):
            open_blocks.append(Entity(match["name"], code, doc))
        elif match := PROCEDURE.match(code):
            open_blocks.append(procedure_of(match, doc))
        elif inner is None and (match := re.match(r"^public\s*::\s*(.*)$", code)):
            module.public |= set(split(match[1]))
            continue
        elif inner is None:
            for entity in declared(code, doc):
                module.entities[entity.name] = entity
                if "public" in entity.declaration:
                    module.public.add(entity.name)
            continue
        elif code == "contains":
            bound = True
            continue
        else:
            add(inner, bound, code, doc)
            continue
        if open_blocks and open_blocks[-1] is not inner and open_blocks[-1].name:
            entity = open_blocks[-1]
            outer = open_blocks[:-1]
            if all(" interface" in f" {block.declaration}" for block in outer):
                module.entities.setdefault(entity.name, entity)
                if TYPE.match(code) and "public" in code:
                    module.public.add(entity.name)
    return module


def add(block: Entity, bound: bool, code: str, doc: list[str]) -> None:
    """Takes a statement within a block into what is known of it."""
    if match := re.match(r"^module procedure\s+(?:::\s*)?(.*)$", code):
        _, targets = block.procedures.setdefault(block.name, (block.doc, []))
        targets += split(match[1])
    elif TYPE.match(block.declaration):
        match = re.match(r"^(?:procedure|generic)\b(?P<attributes>[^:]*)::\s*(?P<names>.*)$", code)
        if not bound and code == "private":
            block.private = True
        elif not bound and not block.private:
            block.parts += declared(code, doc)
        elif bound and match and "private" not in match["attributes"]:
            name, _, targets = match["names"].partition("=>")
            for one in split(name):
                known = block.procedures.setdefault(one, (doc, []))[1]
                known += split(targets) or [one]
    else:
        for entity in declared(code, doc):
            for part in block.parts:
                if part.name == entity.name and not part.declaration:
                    part.declaration, part.doc = entity.declaration, doc


def interface(folders: list[Path], name: str) -> tuple[Module, list[tuple[Module, list[Entity]]]]:
    """A module that only hands on what others have, and what of each of them is public there."""
    files = [file for folder in folders for file in sorted(folder.glob("*.[fF]90"))]
    includes = {file.name: file.read_text("utf-8") for one in folders for file in one.glob("*.inc")}
    modules = {module.name: module for file in files if (module := read(file, includes))}
    offered = []
    (file,) = (file for file in files if file.stem == name)
    for code, _ in statements(file.read_text("utf-8")):
        if match := ONLY.match(code):
            module = modules[match["module"]]
            names = split(match["names"]) if match["names"] else module.entities
            public = [module.entities[one] for one in names if one in module.public]
            if public:
                offered.append((module, public))
    return modules[name], offered
