#!/usr/bin/env python3
"""Writes a test of what generate_interfaces.py has written: values, sizes and offsets in C and in
Fortran.

    write_interface_checks.py FOLDER HEADER...

Names are found in another way than there: all words WEFT_..., and in structs all that stands before
a semicolon. What is not in the modules of Fortran does not compile.
"""

import re
import sys
from pathlib import Path

folder, headers = Path(sys.argv[1]), sys.argv[2:]
text = "\n".join(Path(header).read_text("utf-8") for header in headers)
text = re.sub(r"//.*|#.*", "", text)
text = re.sub(r"static inline .*?\n\}", "", text, flags=re.DOTALL)

checks = []  # name, value in C, value in Fortran
for name in sorted(set(re.findall(r"\bWEFT_\w+", text))):
    own = "weft_error_not_created" if name == "WEFT_ERROR_NULL_HANDLE" else name.lower()
    checks.append((name, name, own))
variables = []
for body, struct in re.findall(r"struct \w+ \{(.*?)\n\} weft_(\w+);", text, re.DOTALL):
    variables.append(f"type(c_{struct}), target :: {struct}_")
    checks.append((f"size of {struct}", f"sizeof(weft_{struct})", f"c_sizeof({struct}_)"))
    for member in re.findall(r"(\w+)(?:\[[^]]*\])?;", body):
        here, there = f"weft_{struct}, {member}", f"{struct}_%{member}"
        checks.append((f"offset of {struct}.{member}", f"offsetof({here})",
                       f"from_to(c_loc({struct}_), c_loc({there}))"))  # fmt: skip
        checks.append((f"size of {struct}.{member}", f"sizeof(((weft_{struct}*)0)->{member})",
                       f"c_sizeof({there})"))  # fmt: skip
assert len(variables) > 15 and len(checks) > 300

rows = ",\n".join(f'  {{"{name}", (int64_t)({value})}}' for name, value, _ in checks)
(folder / "interfaces.c").write_text(f"""\
#include <stdio.h>

#include "weft/weft.h"

static const struct {{
  const char* name;
  int64_t value;
}} rows[] = {{
{rows}}};

/* 1 where Fortran has something else in this row, which is then told. */
int differs(int row, int64_t value) {{
  if (rows[row].value == value) return 0;
  printf("%s is %lld in C, %lld in Fortran\\n", rows[row].name, (long long)rows[row].value,
         (long long)value);
  return 1;
}}
""")
calls = "\n".join(f"  failures = failures + differs({row}, &\n    int({value}, c_int64_t))"
                  for row, (_, _, value) in enumerate(checks))  # fmt: skip
declared = "\n".join(f"  {one}" for one in variables)
(folder / "interfaces.f90").write_text(f"""\
program interfaces
  use weft_c
  use weft_constants
  implicit none
  interface
    integer(c_int) function differs(row, value) bind(C)
      import
      integer(c_int), value :: row
      integer(c_int64_t), value :: value
    end function differs
  end interface
  integer :: failures = 0
{declared}

{calls}
  if (failures > 0) error stop 1

contains

  integer(c_int64_t) function from_to(from, to)
    type(c_ptr), intent(in) :: from, to

    from_to = transfer(to, from_to) - transfer(from, from_to)
  end function from_to
end program interfaces
""")
