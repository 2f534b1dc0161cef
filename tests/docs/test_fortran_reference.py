"""What the reference of Fortran takes from sources, and what is written from the headers of C."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/_extensions"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/fortran"))

import generate_interfaces
import generate_overloads
from fortran_source import interface

LAYOUTS = """\
!> Which points each rank owns.
module layouts
  implicit none
  private
  public :: slab
  !> A layout; don't copy it.
  type, public :: layout
    integer :: axis = 1   !< don't forget: from 1
    !> Parts along
    !> each axis.
    integer, allocatable :: parts(:), order(:)
  end type layout
  integer, parameter, public :: block = 1 !< FFTW's rule
  integer, parameter :: hidden = 2
contains
  !> Split along `axis`.
  pure function slab(axis, &
                     order) result(made)
    integer, intent(in) :: axis !< from 1
    integer, intent(in), optional :: order(:)
    type(layout) :: made
    made%axis = axis
  end function slab

  subroutine helper(x)
    integer, intent(in) :: x
  end subroutine helper
end module layouts
"""
PLANS = """\
!> Plans.
module plans
  private
  !> A plan.
  type, public :: plan
    private
    integer :: handle
  contains
    procedure, private :: create_one
#ifdef SOMETHING
    procedure, private :: create_two
    generic :: create => create_two
#endif
    generic :: create => create_one
    procedure :: wait
  end type plan
  interface
    !> Makes it.
    module subroutine create_one(self, n)
      class(plan), intent(inout) :: self
      integer, intent(in) :: n
    end subroutine create_one
    module subroutine create_two(self)
      class(plan), intent(inout) :: self
    end subroutine create_two
    !> Waits.
    module subroutine wait(self)
      class(plan), intent(inout) :: self
    end subroutine wait
  end interface
  interface length
    module procedure length_32, length_64
  end interface length
  public :: length
end module plans
"""
ALL = """\
!> Everything.
module all
  use layouts, only: layout, slab, &
    block
  use plans
  implicit none
  public
end module all
"""


@pytest.fixture
def offered(tmp_path):
    for name, text in {"layouts.f90": LAYOUTS, "plans.F90": PLANS, "all.f90": ALL}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bodies.f90").write_text("submodule (plans) bodies\nend submodule bodies\n")
    module, found = interface([tmp_path], "all")
    assert module.doc == ["Everything."]
    return {part.name: {one.name: one for one in entities} for part, entities in found}


def test_what_is_public(offered):
    assert {name: set(entities) for name, entities in offered.items()} == {
        "layouts": {"layout", "slab", "block"},
        "plans": {"plan", "length"},
    }


def test_comments_before_and_behind(offered):
    layout = offered["layouts"]["layout"]
    assert layout.doc == ["A layout; don't copy it."]
    assert [(part.name, part.declaration, part.doc) for part in layout.parts] == [
        ("axis", "integer :: axis = 1", ["don't forget: from 1"]),
        ("parts", "integer, allocatable :: parts(:)", ["Parts along", "each axis."]),
        ("order", "integer, allocatable :: order(:)", ["Parts along", "each axis."]),
    ]
    assert offered["layouts"]["block"].doc == ["FFTW's rule"]


def test_arguments_and_result(offered):
    slab = offered["layouts"]["slab"]
    assert slab.declaration == "pure function slab(axis, order) result(made)"
    assert [part.declaration for part in slab.parts] == [
        "integer, intent(in) :: axis",
        "integer, intent(in), optional :: order(:)",
        "type(layout) :: made",
    ]
    assert slab.parts[0].doc == ["from 1"]


def test_procedures_of_types(offered):
    plan = offered["plans"]["plan"]
    assert plan.parts == [], "components are private"
    assert {name: targets for name, (_, targets) in plan.procedures.items()} == {
        "create": ["create_two", "create_one"],
        "wait": ["wait"],
    }
    length = offered["plans"]["length"]
    assert length.procedures == {"length": ([], ["length_32", "length_64"])}


OVERLOADED = """\
module weft_lines
  implicit none
  private
  interface line
    module procedure line_int64, line_default
  end interface line
  public :: line
contains
  include 'weft_lines_default.inc'

  subroutine draw_with_integer(at, &
                               comm, stat)
    real, intent(in) :: at
    integer, intent(in) :: comm
    integer, intent(out), optional :: stat
    integer :: local

    local = comm
  end subroutine draw_with_integer

  pure function line_int64(n, corners, steps) result(made)
    integer(int64), intent(in) :: n, corners(:, :)
    integer(int64), intent(in), optional :: steps(:)
    type(layout) :: made

    made%n = n
  end function line_int64
end module weft_lines
"""
OVERLOADS = {
    "weft_lines_f08.inc": """\
  subroutine draw_with_f08(at, comm, stat)
    real, intent(in) :: at
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: stat

    call draw_with_integer(at, comm%MPI_VAL, stat)
  end subroutine draw_with_f08
""",
    "weft_lines_default.inc": """\
  pure function line_default(n, corners, steps) result(made)
    integer, intent(in) :: n, corners(:, :)
    integer(int64), intent(in), optional :: steps(:)
    type(layout) :: made

    made = line_int64(int(n, int64), int(corners, int64), steps)
  end function line_default
""",
}


def test_overloads(tmp_path, monkeypatch):
    """They are written from what is there, and belong to the module that includes them."""
    monkeypatch.setattr(generate_overloads, "HERE", tmp_path)
    (tmp_path / "weft_lines.f90").write_text(OVERLOADED)
    written = generate_overloads.overloads()
    assert {file: text.removesuffix("\n") for file, text in written.items()} == OVERLOADS
    (tmp_path / "weft_lines_default.inc").write_text(written["weft_lines_default.inc"])
    (tmp_path / "all.f90").write_text("module all\n  use weft_lines\nend module all\n")
    _, [(module, (line,))] = interface([tmp_path], "all")
    assert line.procedures == {"line": ([], ["line_int64", "line_default"])}
    assert module.entities["line_default"].parts[0].declaration == "integer, intent(in) :: n"


HEADER = """\
#include <mpi.h>
/// How it goes.
typedef enum weft_way {
  WEFT_WAY_OUT,     ///< as {0}
  /// as WEFT_WAY_OUT, but in
  WEFT_WAY_IN = 7,
  WEFT_WAY_ON       ///< further,
                    ///< and further
} weft_way;
typedef struct weft_point_object* weft_point;
typedef struct weft_place {
  int64_t lower[WEFT_MAX_AXES + 1];  ///< one; for each
  const char* name;
} weft_place;
static inline int weft_one(void) {
  return 1;
}
weft_status weft_move(weft_point* point, const weft_place* place, const double* by,
                      const char* text, void* const* data);
weft_status weft_send(weft_point point, MPI_Comm comm);
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The modules that are written from the text of a header."""
    monkeypatch.setattr(generate_interfaces, "HEADERS", tmp_path)
    monkeypatch.setattr(generate_interfaces, "HERE", tmp_path)
    (tmp_path / "dimensions.h").write_text("")

    def write(text):
        (tmp_path / "way.h").write_text(text)
        return {name: [line.strip() for line in module.splitlines()]
                for name, module in generate_interfaces.modules().items()}  # fmt: skip

    return write


def test_modules_from_headers(written):
    modules = written(HEADER)
    constants = modules["weft_constants.f90"]
    assert constants[constants.index("!> @name weft_way") :][1:9] == [
        "!> How it goes.",
        "!> @{",
        "!> as {0}",
        "integer, parameter, public :: weft_way_out = 0",
        "!> as weft_way_out, but in",
        "integer, parameter, public :: weft_way_in = 7",
        "!> further, and further",
        "integer, parameter, public :: weft_way_on = 8",
    ]
    of_c = modules["weft_c.f90"]
    assert of_c[of_c.index("type, bind(C) :: c_place") :][1:4] == [
        "integer(c_int64_t) :: lower(weft_max_axes + 1) = 0",
        "type(c_ptr) :: name = c_null_ptr",
        "end type c_place",
    ]
    assert of_c[of_c.index("import") :][1:8] == [
        "type(c_ptr), intent(inout) :: point",
        "type(c_place), intent(in) :: place",
        "real(c_double), intent(in) :: by(*)",
        "character(kind=c_char), intent(in) :: text(*)",
        "type(c_ptr), intent(in) :: data(*)",
        "integer(c_int) :: returned",
        "end function c_move",
    ]
    assert not any("c_send" in line or "c_one" in line for line in of_c)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("int weft_tables[3];", "way.h:1: int weft_tables"),
        ("\nunion weft_any { int x; };", "way.h:2: union weft_any"),
        ("typedef enum weft_way {\n  WEFT_A = 1 << 2\n} weft_way;", "enum weft_way: WEFT_A"),
        ("typedef struct weft_x {\n  float y;\n} weft_x;", "weft_x: float y"),
        ("int weft_f(const weft_unknown* x);", "weft_f: const weft_unknown"),
        ("int weft_f(int a[3]);", "weft_f: int a"),
        ("float weft_f(void);", "weft_f: float"),
    ],
)
def test_what_headers_never_had_is_an_error(written, text, place):
    with pytest.raises(generate_interfaces.NotUnderstood, match=place):
        written(text + "\n")
