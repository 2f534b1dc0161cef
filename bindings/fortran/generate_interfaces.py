#!/usr/bin/env python3
"""Writes the modules of Fortran that repeat what C declares: weft_constants and weft_c.

    generate_interfaces.py FOLDER

reads include/weft/c/*.h and the functions `weft_fortran_...` of the C++ sources beside this script,
and writes to the folder

* weft_constants.f90: every enumerator under its name in lower case, with its comment;
* weft_c.f90: every struct `weft_NAME` as `type(c_NAME)`, all zero, and an interface for every
  function: of C `weft_NAME` as `c_NAME`, of C++ under its own name. Left out are functions that take
  a communicator, which Fortran has as another type, and inline ones, which have no symbol.

Arguments that are no pointers are passed by value. Of pointers to numbers and structs the constant
ones have intent(in), the others intent(inout); `const char*` is an optional argument, absent for
null; all other pointers are of type(c_ptr). Both headers and sources are regular: what is unlike
the rest of them is an error, with its place.
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "include/weft/c"

#: Numbers; enums are passed as int.
NUMBERS = {
    "int": "integer(c_int)",
    "MPI_Fint": "integer(c_int)",
    "weft_status": "integer(c_int)",
    "int64_t": "integer(c_int64_t)",
    "uint64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)",
    "double": "real(c_double)",
}
#: Pointers of these names point to several values; so do constant ones to numbers.
LISTS = {"dimensions", "kinds", "lower", "upper"}
#: Fortran has kinds of reals for these, so that programs have no use for the enumerators.
INTERNAL_ENUMS = {"weft_precision"}

COMMENT = re.compile(r"[ \t]*///?(?P<behind><)?(?P<text>.*)\n")
ENUM = re.compile(r"(?:typedef )?enum (?P<name>\w+ )?\{(?P<body>.*?)\} ?\w*;", re.DOTALL)
STRUCT = re.compile(r"(?:typedef )?struct (?P<name>\w+) \{(?P<body>.*?)\n\}[ \w]*;", re.DOTALL)
HANDLE = re.compile(r"typedef struct \w+\* (?P<name>\w+);")
CALLBACK = re.compile(r"typedef \w+ \(\*(?P<name>\w+)\)\([^()]*\);")
FUNCTION = re.compile(r"(?P<type>[\w:]+\**) (?P<name>weft_\w+)\((?P<arguments>[^()]*)\)(?:;| \{)")
INLINE = re.compile(r"static inline .*?\n\}", re.DOTALL)
IGNORED = re.compile(r"#.*|extern \"C\" \{|\}|\s")
DECLARED = re.compile(r"(const )?(?:std::|weft::fortran::)?(\w+)(\**)( const\*)? (\w+)(?:\[(.+)\])?")
OWNED = re.compile(r"using (\w+) = weft::fortran::Owned<")


class NotUnderstood(Exception):
    pass


@dataclass
class Declared:
    """All that headers and sources declare, by the names of C."""

    enums: list[tuple[str, list[str], list[tuple[str, int, list[str]]]]] = field(
        default_factory=list
    )
    structs: dict[str, str] = field(default_factory=dict)
    functions: list[tuple[str, str, str]] = field(default_factory=list)  # type, name, arguments
    #: Types that are pointers, and those of which only pointers are known.
    pointers: dict[str, str] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)


def read_enum(name: str, body: str) -> list[tuple[str, int, list[str]]]:
    """Names, values and comments."""
    found, before = [], []
    value = -1
    for line in body.strip().splitlines():
        code, _, comment = (part.strip() for part in line.partition("///"))
        if code:
            match = re.fullmatch(r"(WEFT_\w+)(?: = (\d+))?,?", code)
            if not match:
                raise NotUnderstood(f"enum {name}: {line.strip()}")
            value = int(match[2] or value + 1)
            found.append((match[1], value, before))
            before = []
        if comment.startswith("<"):
            found[-1][2].append(comment[1:].strip())
        elif comment:
            before.append(comment)
    return found


def read_header(file: Path, into: Declared) -> None:
    text = file.read_text("utf-8")
    place, doc = 0, []
    while place < len(text):
        if match := COMMENT.match(text, place):
            doc.append(match["text"].strip())
        elif match := ENUM.match(text, place):
            name = (match["name"] or "").strip()
            into.enums.append((name, doc, read_enum(name, match["body"])))
        elif match := STRUCT.match(text, place):
            into.structs[match["name"]] = match["body"]
        elif match := HANDLE.match(text, place):
            into.pointers[match["name"]] = "type(c_ptr)"
        elif match := CALLBACK.match(text, place):
            into.pointers[match["name"]] = "type(c_funptr)"
        elif match := FUNCTION.match(text, place):
            if "MPI_Comm" not in match["arguments"]:
                into.functions.append((match["type"], match["name"], match["arguments"]))
        elif not (match := INLINE.match(text, place) or IGNORED.match(text, place)):
            line = text.count("\n", 0, place) + 1
            raise NotUnderstood(f"{file}:{line}: {text[place:].splitlines()[0]}")
        if not COMMENT.match(text, place):
            doc = []
        place = match.end()


def read_source(file: Path, into: Declared) -> None:
    """Only what begins a line is looked at: functions for Fortran, and what they may refer to."""
    text = file.read_text("utf-8")
    into.opaque |= set(OWNED.findall(text))
    for match in re.finditer(rf"^{STRUCT.pattern}", text, re.MULTILINE | re.DOTALL):
        into.structs.setdefault(match["name"], match["body"])
    for match in re.finditer(rf"^{FUNCTION.pattern}", text, re.MULTILINE):
        if match["name"].startswith("weft_fortran_"):
            into.functions.append((match["type"], match["name"], match["arguments"]))


def struct_name(name: str) -> str:
    return "c_" + name.removeprefix("weft_").lower()


def component(code: str, known: Declared) -> str:
    """A member of a struct."""
    match = DECLARED.fullmatch(code)
    if not match:
        raise NotUnderstood(code)
    _, base, stars, _, name, extent = match.groups()
    shape = f"({extent.lower()})" if extent else ""
    if stars:
        return f"type(c_ptr) :: {name}{shape} = c_null_ptr"
    if base in known.pointers:
        null = known.pointers[base].replace("type(c_", "c_null_").rstrip(")")
        return f"{known.pointers[base]} :: {name}{shape} = {null}"
    if base in NUMBERS:
        return f"{NUMBERS[base]} :: {name}{shape} = 0"
    if base in known.structs:
        return f"type({struct_name(base)}) :: {name}{shape} = {struct_name(base)}()"
    raise NotUnderstood(code)


def argument(code: str, known: Declared) -> tuple[str, str]:
    """Name and declaration."""
    match = DECLARED.fullmatch(code)
    if not match or match[6]:
        raise NotUnderstood(code)
    const, base, stars, list_of_pointers, name, _ = match.groups()
    depth = len(stars)
    intent = "intent(in)" if const else "intent(inout)"
    shape = "(*)" if name in LISTS else ""
    if base in known.opaque or base == "void":
        kind, depth = "type(c_ptr)", depth - 1
    elif base == "CFI_cdesc_t":
        return name, f"type(*), dimension(..) :: {name}"
    elif base == "char" and const and depth == 1:
        return name, f"character(kind=c_char), intent(in), optional :: {name}(*)"
    elif base in known.pointers:
        kind = known.pointers[base]
    elif base in known.structs and depth == 1:
        kind = f"type({struct_name(base)})"
    elif base in NUMBERS and depth <= 1:
        kind = NUMBERS[base]
        if const:
            shape = "(*)"
    elif const and depth == 2:  # where to write a pointer
        kind, intent, depth = "type(c_ptr)", "intent(inout)", 1
    else:
        raise NotUnderstood(code)
    if list_of_pointers:
        return name, f"type(c_ptr), intent(in) :: {name}(*)"
    if depth not in (0, 1):
        raise NotUnderstood(code)
    return name, f"{kind}, {intent if depth else 'value'} :: {name}{shape}"


def interface(kind: str, name: str, arguments: str, known: Declared) -> list[str]:
    """Of a function, or of a subroutine if it returns nothing."""
    given = [" ".join(part.split()) for part in arguments.split(",")]
    try:
        declared = [argument(part, known) for part in given if part not in ("", "void")]
    except NotUnderstood as error:
        raise NotUnderstood(f"{name}: argument {error}") from None
    if "*" in kind or kind in known.pointers:
        result = "type(c_ptr)"
    elif kind in NUMBERS:
        result = NUMBERS[kind]
    elif kind == "void":
        result = None
    else:
        raise NotUnderstood(f"{name}: result {kind}")
    word = "function" if result else "subroutine"
    own_name = name if name.startswith("weft_fortran_") else "c_" + name.removeprefix("weft_")
    head = f"{word} {own_name}({', '.join(one for one, _ in declared)}) bind(C, name='{name}')"
    lines = textwrap.wrap(head + (" result(returned)" if result else ""), 90)
    lines = [f"{line} &" for line in lines[:-1]] + lines[-1:] + ["  import"]
    lines += [f"  {declaration}" for _, declaration in declared]
    lines += [f"  {result} :: returned"] if result else []
    return [*lines, f"end {word} {own_name}"]


def documented(lines: list[str], width: int = 96) -> list[str]:
    text = re.sub(r"\bWEFT_\w+", lambda match: match[0].lower(), " ".join(lines))
    return [f"  !> {line}" for line in textwrap.wrap(text, width)]


def enumerators(known: Declared, internal: bool) -> list[str]:
    lines = []
    for name, doc, values in known.enums:
        if (name in INTERNAL_ENUMS) != internal:
            continue
        if name:  # a heading of the reference
            lines += ["", f"  !> @name {name}", *documented(doc), "  !> @{"]
        for one, value, comment in values:
            lines += documented(comment)
            lines.append(f"  integer, parameter, public :: {one.lower()} = {value}")
    return lines


def constants(known: Declared) -> str:
    lines = ["!> Names for what is done along an axis, how results are scaled, and the like.",
             "module weft_constants", "  implicit none", "  private", "",
             *enumerators(known, internal=False), "end module weft_constants"]  # fmt: skip
    return "\n".join(lines) + "\n"


def c_interface(known: Declared) -> str:
    calls = [line for one in known.functions for line in interface(*one, known)]
    used = {name for name in known.structs if f"type({struct_name(name)})" in "\n".join(calls)}
    lines = ["!> Structs and functions of C, and functions of C++ for Fortran.", "module weft_c",
             "  use, intrinsic :: iso_c_binding", "  use weft_constants, only: weft_max_axes",
             "  implicit none", "  public", *enumerators(known, internal=True)]  # fmt: skip
    for name, body in known.structs.items():
        if not name.startswith("weft_") and name not in used:
            continue  # of C++ alone
        members = re.sub(r"///?.*", "", body).split(";")
        lines += ["", f"  type, bind(C) :: {struct_name(name)}"]
        for member in filter(None, (" ".join(one.split()) for one in members)):
            try:
                lines.append(f"    {component(member, known)}")
            except NotUnderstood as error:
                raise NotUnderstood(f"struct {name}: member {error}") from None
        lines.append(f"  end type {struct_name(name)}")
    lines += ["", "  interface", *(f"    {line}" for line in calls), "  end interface"]
    return "\n".join([*lines, "end module weft_c"]) + "\n"


def modules() -> dict[str, str]:
    """Texts of both, by the names of their files."""
    known = Declared()
    for file in sorted(HEADERS.glob("*.h")):
        read_header(file, known)
    for file in sorted([*HERE.glob("*.hpp"), *HERE.glob("*.cpp")]):
        read_source(file, known)
    # Types come before what is made of them, whatever the order of the headers is.
    depends = {name: [other for other in known.structs if re.search(rf"\b{other} \w", body)]
               for name, body in known.structs.items()}  # fmt: skip
    ordered: dict[str, str] = {}

    def add(name: str) -> None:
        for other in depends[name]:
            add(other)
        ordered[name] = known.structs[name]

    for name in known.structs:
        add(name)
    known.structs = ordered
    return {"weft_constants.f90": constants(known), "weft_c.f90": c_interface(known)}


def main() -> None:
    try:
        written = modules()
    except NotUnderstood as error:
        sys.exit(f"error: generate_interfaces.py does not understand {error}")
    for name, text in written.items():
        (Path(sys.argv[1]) / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
