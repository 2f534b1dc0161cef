#!/usr/bin/env python3
"""Writes the modules of Fortran that repeat what C declares: weft_constants and weft_c.

    generate_interfaces.py FOLDER

reads include/weft/c/*.h, and here dimensions.h and the functions `weft_fortran_...` of the sources
in C++, and writes to the folder

* weft_constants.f90: every enumerator under its name in lower case, with its comment;
* weft_c.f90: every struct `weft_NAME` as `type(c_NAME)`, all zero, and an interface for every
  function: `c_NAME` for `weft_NAME` of C, and those of C++ under their own names. Left out are
  functions of C that take a communicator, which Fortran has as another type, and inline ones, which
  have no symbol.

Arguments that are not pointers are passed by value. Pointers to numbers, structs and handles are
arguments with intent(in) where they are constant, otherwise with intent(inout); texts are arrays of
characters, descriptors of arrays (CFI_cdesc_t) any arrays; all other pointers are of type(c_ptr).
Headers and sources are regular: what the expressions below do not describe is an error.
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "include/weft/c"

NUMBERS = {
    "int": "integer(c_int)",  # and what is an enumerator
    "MPI_Fint": "integer(c_int)",
    "weft_status": "integer(c_int)",
    "int64_t": "integer(c_int64_t)",
    "uint64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)",
    "double": "real(c_double)",
}
#: Arguments that point to several values, as all constant pointers to numbers do.
LISTS = {"dimensions", "kinds", "local_derivative_k", "local_k", "lower", "upper"}
INTERNAL_ENUMS = {"weft_precision"}  # reals of Fortran have kinds
NAMES = {"WEFT_ERROR_NULL_HANDLE": "weft_error_not_created"}  # there are objects, not handles

COMMENT = re.compile(r"[ \t]*//(?P<text>/?.*)\n")
ENUM = re.compile(r"(?:typedef )?enum (?P<name>\w* ?)\{(?P<body>.*?)\n\}[ \w]*;", re.DOTALL)
STRUCT = re.compile(r"typedef struct (?P<name>\w+) \{(?P<body>.*?)\n\} \w+;", re.DOTALL)
HANDLE = re.compile(r"typedef struct \w+\* (?P<name>\w+);")
CALLBACK = re.compile(r"typedef \w+ \(\*(?P<name>\w+)\)\([^()]*\);")
FUNCTION = re.compile(r"(?P<type>(?:const )?\w+\*?) (?P<name>weft_\w+)\((?P<arguments>[^()]*)\)")
INLINE = re.compile(r"static inline .*?\n\}", re.DOTALL)
IGNORED = re.compile(r"#.*|extern \"C\" \{|[};\s]")
#: const, type, pointers, name, extent: of a member or an argument
DECLARED = re.compile(r"(const )?(?:std::)?(\w+)(\*| const\*|\*\*|\* const\*|) (\w+)(?:\[(.+)\])?")
OWNED = re.compile(r"using (\w+) = weft::fortran::Owned<")


class NotUnderstood(Exception):
    """What a declaration has that this script does not know."""


class Enum(NamedTuple):
    name: str
    doc: list[str]
    values: list[tuple[str, int, list[str]]]  #: name, number, comment


@dataclass
class Declared:
    """All that headers and sources declare, by the names of C."""

    enums: list[Enum] = field(default_factory=list)
    structs: dict[str, str] = field(default_factory=dict)
    functions: list[tuple[str, str, str]] = field(default_factory=list)  #: type, name, arguments
    pointers: dict[str, str] = field(default_factory=dict)  #: handles and callbacks
    opaque: set[str] = field(default_factory=lambda: {"void"})  #: what only pointers refer to
    files: set[Path] = field(default_factory=set)


def read_enum(name: str, doc: list[str], body: str) -> Enum:
    enum, before = Enum(name, doc, []), []
    for line in body.strip().splitlines():
        code, _, comment = (part.strip() for part in line.partition("///"))
        if code:
            match = re.fullmatch(r"(WEFT_\w+)(?: = (\d+))?,?", code)
            if not match:
                raise NotUnderstood(f"enum {name}: {code}")
            number = match[2] or (enum.values[-1][1] + 1 if enum.values else 0)
            enum.values.append((match[1], int(number), before))
            before = []
        (enum.values[-1][2] if comment.startswith("<") else before).append(comment.lstrip("< "))
    return enum


def read_header(file: Path, into: Declared) -> None:
    """After the headers that it includes."""
    if file in into.files:
        return
    into.files.add(file)
    text = file.read_text("utf-8")
    for name in re.findall(r'#include "weft/c/(\w+\.h)"', text):
        read_header(HEADERS / name, into)
    place, doc = 0, []
    while place < len(text):
        if match := COMMENT.match(text, place):
            doc.append(match["text"].lstrip("/ "))
            place = match.end()
            continue
        if match := ENUM.match(text, place):
            into.enums.append(read_enum(match["name"].strip(), doc, match["body"]))
        elif match := STRUCT.match(text, place):
            into.structs[match["name"]] = match["body"]
        elif match := HANDLE.match(text, place):
            into.pointers[match["name"]] = "type(c_ptr)"
        elif match := CALLBACK.match(text, place):
            into.pointers[match["name"]] = "type(c_funptr)"
        elif match := FUNCTION.match(text, place):
            if "MPI_Comm" not in match["arguments"]:
                into.functions.append(match.groups())
        elif not (match := INLINE.match(text, place) or IGNORED.match(text, place)):
            line = text.count("\n", 0, place) + 1
            raise NotUnderstood(f"{file}:{line}: {text[place:].splitlines()[0]}")
        place, doc = match.end(), []


def read_source(file: Path, into: Declared) -> None:
    """Only the functions for Fortran, and names of types that they may have."""
    text = file.read_text("utf-8")
    into.opaque |= set(OWNED.findall(text))
    found = re.findall(rf"^{FUNCTION.pattern} \{{", text, re.MULTILINE)
    found = [one for one in found if one[1].startswith("weft_fortran_")]
    into.functions += found
    for name in re.findall(r"^\w.* (weft_fortran_\w+)\(", text, re.MULTILINE):
        if name not in (known for _, known, _ in found):
            raise NotUnderstood(f"{file}: {name}")


def fortran_name(name: str) -> str:
    return name if name.startswith("weft_fortran_") else "c_" + name.removeprefix("weft_")


def component(code: str, struct: str, known: Declared) -> str:
    match = DECLARED.fullmatch(code)
    _, base, pointers, name, extent = match.groups() if match else [None] * 5
    kind, value = NUMBERS.get(base), "0"
    if pointers or base in known.pointers:
        kind = "type(c_ptr)" if pointers else known.pointers[base]
        value = kind.replace("type(c_", "c_null_").rstrip(")")
    elif base in known.structs:
        kind, value = f"type({fortran_name(base)})", f"{fortran_name(base)}()"
    if not kind:
        raise NotUnderstood(f"{struct}: {code}")
    return f"{kind} :: {name}{f'({extent.lower()})' if extent else ''} = {value}"


def argument(code: str, function: str, known: Declared) -> tuple[str, str]:
    """Name and declaration."""
    match = DECLARED.fullmatch(code)
    const, base, pointers, name, extent = match.groups() if match else [None] * 5
    intent = "value" if not pointers else "intent(in)" if const else "intent(inout)"
    depth = (pointers or "").count("*") - (base in known.opaque)
    kind, shape = None, "(*)" if name in LISTS else ""
    if (const, base, pointers) == ("const ", "char", "*"):
        kind, shape = "character(kind=c_char)", "(*)"
    elif (base, pointers) == ("CFI_cdesc_t", "*"):
        return name, f"type(*), dimension(..) :: {name}"
    elif pointers and "const*" in pointers:
        kind, intent, shape = "type(c_ptr)", "intent(in)", "(*)"
    elif base in known.opaque and depth in (0, 1):
        kind, intent = "type(c_ptr)", "intent(inout)" if depth else "value"
    elif const and depth == 2:  # where a pointer to something constant is to be written
        kind, intent = "type(c_ptr)", "intent(inout)"
    elif depth in (0, 1) and base in known.pointers:
        kind = known.pointers[base]
    elif depth == 1 and base in known.structs:
        kind = f"type({fortran_name(base)})"
    elif depth in (0, 1) and base in NUMBERS:
        kind, shape = NUMBERS[base], "(*)" if const else shape
    if extent or not kind:
        raise NotUnderstood(f"{function}: {code}")
    return name, f"{kind}, {intent} :: {name}{shape}"


def interface(kind: str, name: str, arguments: str, known: Declared) -> list[str]:
    given = [" ".join(part.split()) for part in arguments.split(",") if part not in ("", "void")]
    declared = [argument(part, name, known) for part in given]
    result = "type(c_ptr)" if "*" in kind or kind in known.pointers else NUMBERS.get(kind)
    if not result and kind != "void":
        raise NotUnderstood(f"{name}: {kind} as the result")
    word = "function" if result else "subroutine"
    head = f"{word} {fortran_name(name)}({', '.join(one for one, _ in declared)}) "
    head += f"bind(C, name='{name}')" + (" result(returned)" if result else "")
    body = [declaration for _, declaration in declared]
    body += [f"{result} :: returned"] if result else []
    return [" &\n        ".join(textwrap.wrap(head, 88)), "  import",
            *(f"  {line}" for line in body), f"end {word} {fortran_name(name)}"]  # fmt: skip


def comment(lines: list[str]) -> list[str]:
    text = re.sub(r"\bWEFT_\w+", lambda match: match[0].lower(), " ".join(filter(None, lines)))
    return [f"  !> {line}" for line in textwrap.wrap(text, 95)]


def constants(enums: list[Enum]) -> list[str]:
    """Each enum is a heading of the reference."""
    lines = []
    for enum in enums:
        lines.append("")
        if enum.name:
            lines += [f"  !> @name {enum.name}", *comment(enum.doc), "  !> @{"]
        for name, number, doc in enum.values:
            constant = NAMES.get(name, name.lower())
            lines += [*comment(doc), f"  integer, parameter, public :: {constant} = {number}"]
    return lines


def modules() -> dict[str, str]:
    """Texts of both, by the names of their files."""
    known = Declared()
    for header in [*sorted(HEADERS.glob("*.h")), HERE / "dimensions.h"]:
        read_header(header, known)
    for source in sorted(HERE.glob("*.cpp")):
        read_source(source, known)
    types = []
    for name, body in known.structs.items():
        types += ["", f"  type, bind(C) :: {fortran_name(name)}"]
        for member in re.sub(r"//.*", "", body).split(";")[:-1]:
            types.append(f"    {component(' '.join(member.split()), name, known)}")
        types.append(f"  end type {fortran_name(name)}")
    calls = [f"    {line}" for one in known.functions for line in interface(*one, known)]
    own = [enum for enum in known.enums if enum.name in INTERNAL_ENUMS]
    public = [enum for enum in known.enums if enum.name not in INTERNAL_ENUMS]
    of_constants = [
        "!> Names for what is done along an axis, how results are scaled, and the like.",
        "module weft_constants", "  implicit none", "  private", *constants(public),
        "end module weft_constants\n"]  # fmt: skip
    of_c = ["!> Structs and functions of C, and functions of C++ for Fortran.", "module weft_c",
            "  use, intrinsic :: iso_c_binding", "  use weft_constants, only: weft_max_axes",
            "  implicit none", *constants(own), *types, "", "  interface", *calls,
            "  end interface", "end module weft_c\n"]  # fmt: skip
    return {"weft_constants.f90": "\n".join(of_constants), "weft_c.f90": "\n".join(of_c)}


if __name__ == "__main__":
    try:
        for file, text in modules().items():
            (Path(sys.argv[1]) / file).write_text(text, "utf-8")
    except NotUnderstood as error:
        sys.exit(f"error: generate_interfaces.py does not understand {error}")
