"""Writes weft/_plan_options.py, what checkers of types know of the options of plans.

    python bindings/python/src/write_plan_options.py

Needs the package weft, built from the same sources: it follows its table of options.
"""

import pathlib

import weft

TYPES = {"text": "str", "yes or no": "bool | str", "integer": "int | str",
         "integers": "Sequence[int] | str", "number": "float | str"}


def module() -> str:
    lines = [
        '"""Written by bindings/python/src/write_plan_options.py from the table of options."""', "",
        "from __future__ import annotations", "",
        "from collections.abc import Sequence",
        "from typing import TypedDict", "", "",
        "class PlanOptions(TypedDict, total=False):",
        '    """How plans do their work: the arguments of `weft.Plan` of these names."""', "",
    ]
    lines += [f"    {option.name}: {TYPES[option.type]} | None" for option in weft.list_options()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    # Not by the shell, which would empty the file before a package that links to it is imported.
    (pathlib.Path(__file__).parents[1] / "weft/_plan_options.py").write_text(module(), "utf-8")
