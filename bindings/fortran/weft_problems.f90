!> What plans compute.
module weft_problems
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_constants
  use weft_layouts, only: weft_layout
  implicit none
  private

  !> The transform to compute; the same on every rank. Components that are not allocated mean the
  !> default.
  type, public :: weft_problem
    !> Lengths of the transforms, 1 to 6 axes. This is the shape of the global array in physical
    !> space, unless `input_points` is smaller.
    integer(int64), allocatable :: shape(:)
    integer, allocatable :: kinds(:) !< for each axis; default: weft_kind_c2c
    type(weft_layout) :: input  !< in physical space; default: slabs along the last axis
    type(weft_layout) :: output !< in spectral space; default: like the input
    integer :: precision = real64 !< kind of the numbers: real32 or real64
    integer :: numbers = weft_numbers_automatic !< real or complex, in physical space
    integer(int64) :: batch = 1 !< number of fields transformed together
    logical :: interleaved = .false. !< fields interleaved per point, otherwise one after another
    integer :: norm = weft_norm_backward
    !> SciPy's argument of that name for cosine and sine transforms: their matrices become
    !> orthogonal with weft_norm_ortho. Default: with weft_norm_ortho only.
    logical, allocatable :: orthogonalize
    !> Zero padding: number of points along each axis that exist in physical space, the first ones.
    !> The others are zeros, which are not stored, not communicated and, where possible, not
    !> computed.
    integer(int64), allocatable :: input_points(:)
    !> Truncation: number of modes along each axis that exist in spectral space, the low ones. m
    !> modes are, with c2c, the frequencies 0 ... (m-1)/2, then -(m/2) ... -1; with r2c 0 ... m/2;
    !> otherwise the first m.
    integer(int64), allocatable :: modes(:)
  end type weft_problem
end module weft_problems
