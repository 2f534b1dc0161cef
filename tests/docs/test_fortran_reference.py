"""What the reference of Fortran takes from sources."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/_extensions"))

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
    module, found = interface(tmp_path, "all")
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
    assert [(part.name, part.declaration, part.doc) for part input layout.parts] == [
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
