#!/usr/bin/env python3
"""Writes procedures of Fortran that differ from others in the type of an argument only.

    generate_overloads.py FOLDER

reads the modules here and writes to the folder, for MODULE to include,

* MODULE_f08.inc: for every NAME_with_integer, whose argument `comm` is a communicator of the module
  mpi, NAME_with_f08 for one of mpi_f08;
* MODULE_default.inc: for every NAME_int64, NAME_default, whose arguments of kind int64 are integers
  of the default kind. Those that are optional stay as they are.

Each hands its arguments on to the one that it is made from. Both belong to a generic interface.
"""

import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: A procedure up to the empty line behind its declarations.
PROCEDURE = re.compile(
    r"^ +(?P<prefix>(?:module |pure |real\(real64\) )*)(?P<kind>subroutine|function) "
    r"(?P<name>\w+)_(?P<given>with_integer|int64)\((?P<arguments>[^)]*)\)"
    r"(?P<result>[ &\n]*result\(\w+\))?\n(?P<declarations>(?:.*\S.*\n)+)",
    re.MULTILINE,
)
LONG = re.compile(r"integer\(int64\), intent\(in\) :: (.*)")
SUFFIXES = {"with_integer": "f08", "int64": "default"}


def wrapped(code: str, indent: str) -> str:
    lines = textwrap.wrap(code, 90, break_long_words=False)
    return indent + f" &\n{indent}  ".join(lines)


def overload(procedure: re.Match) -> str:
    name, given, kind = procedure["name"], procedure["given"], procedure["kind"]
    made = f"{name}_{'with_f08' if given == 'with_integer' else 'default'}"
    arguments = re.findall(r"\w+", procedure["arguments"])
    passed = {argument: argument for argument in arguments}
    result = re.search(r"\w+(?=\)$)", procedure["result"] or "")
    declared = []
    for line in procedure["declarations"].splitlines():
        code = line.strip()
        if code == "integer, intent(in) :: comm" and given == "with_integer":
            code, passed["comm"] = "type(MPI_Comm), intent(in) :: comm", "comm%MPI_VAL"
        elif given == "int64" and (long := LONG.fullmatch(code)):
            code = f"integer, intent(in) :: {long[1]}"
            passed |= {one: f"int({one}, int64)" for one in re.findall(r"\w+(?=[,(]|$)", long[1])}
        if re.match(r"include |.*intent\(", code) or (result and f":: {result[0]}" in code):
            declared.append(f"    {code}")
    head = f"{procedure['prefix'].replace('module ', '')}{kind} {made}({', '.join(arguments)})"
    call = f"{name}_{given}({', '.join(passed.values())})"
    call = f"{result[0] if result else made} = {call}" if kind == "function" else f"call {call}"
    head += f" result({result[0]})" if result else ""
    return "\n".join([wrapped(head, "  "), *declared, "", wrapped(call, "    "),
                      f"  end {kind} {made}\n"])  # fmt: skip


def overloads() -> dict[str, str]:
    """Texts by the names of their files."""
    texts: dict[str, str] = {}
    for source in sorted(HERE.glob("weft_*.[fF]90")):
        for procedure in PROCEDURE.finditer(source.read_text("utf-8")):
            file = f"{source.stem}_{SUFFIXES[procedure['given']]}.inc"
            texts[file] = texts.get(file, "") + overload(procedure) + "\n"
    return texts


if __name__ == "__main__":
    for file, text in overloads().items():
        (Path(sys.argv[1]) / file).write_text(text, "utf-8")
