!> Which points of a global array each rank owns, and how they lie in its memory.
module weft_layouts
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use weft_arrays, only: weft_array
  use weft_c, only: c_box, c_dimensions, c_layout, weft_fortran_layout_init, &
    weft_fortran_parse_layout
  use weft_constants
  use weft_errors, only: c_string, complain, conclude, expect_count
  use weft_numbering
  implicit none
  private
  public :: weft_slab_split, weft_pencil_along, weft_brick, weft_grid, weft_box, weft_boxes
  public :: weft_layout_of_array, weft_parse_layout
  public :: layout_in_c, dimensions_of

  !> Form of layouts of which nothing is said: slabs along the last axis; of outputs as the input.
  integer, parameter, public :: weft_form_default = -1

  !> A layout, made by one of the functions below. In memory an array has Fortran's order without
  !> gaps; components that are not allocated stand for the default.
  type, public :: weft_layout
    integer :: form = weft_form_default
    integer :: axis = 0            !< of slabs and pencils
    integer, allocatable :: parts(:) !< of a grid, along each axis
    integer(int64), allocatable :: lower(:) !< of the box of the calling rank
    integer(int64), allocatable :: upper(:)
    integer(int64), allocatable :: boxes_lower(:, :) !< (axis, rank + 1) of the boxes of all ranks
    integer(int64), allocatable :: boxes_upper(:, :)
    integer :: split = weft_split_balanced
    integer, allocatable :: order(:) !< axes from the fastest to the slowest in memory
    !> Widths of the halo before and after the box along each axis. Transforms neither read nor
    !> write it.
    integer, allocatable :: halo_lower(:)
    integer, allocatable :: halo_upper(:)
    !> Distance in elements between neighbors along each axis, followed by that between fields of a
    !> batch. An array is then passed by the first element owned, as u(i,j,k), and its size is not
    !> checked. There is no halo and no order. They may differ between ranks.
    integer(int64), allocatable :: strides(:)
    !> Pads the halved axis of the real array, which must be the fastest in memory and whole, to
    !> 2*(n/2+1) elements, so that the half spectrum fits in the same memory (in-place r2c).
    logical :: r2c_padding = .false.
  end type weft_layout

  !> A layout as a struct, and the boxes that it refers to.
  type, public :: layout_for_c
    type(c_layout) :: layout
    type(c_box), allocatable :: boxes(:)
  end type layout_for_c

  !> lower:upper is the box of the calling rank; together the boxes must tile the array.
  interface weft_box
    module procedure box_default, box_int64
  end interface weft_box

  !> lower(:, r+1):upper(:, r+1) is the box of rank r, the same lists on every rank; together the
  !> boxes must tile the array.
  interface weft_boxes
    module procedure boxes_default, boxes_int64
  end interface weft_boxes

contains

  !> `axis` is split over all ranks. The other arguments, of all constructors: the memory order,
  !> from the fastest axis to the slowest; how an axis is divided (weft_split_balanced or
  !> weft_split_block); widths of the halo along each axis, on both sides or on one; padding for r2c
  !> in place.
  pure function weft_slab_split(axis, order, split, halo, halo_lower, halo_upper, r2c_padding) &
    result(layout)
    integer, intent(in) :: axis
    integer, intent(in), optional :: order(:), split, halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_slab
    layout%axis = axis
    call place(layout, order, split, halo, halo_lower, halo_upper, r2c_padding)
  end function weft_slab_split

  !> `axis` is whole; the first two other axes are split over a near-square grid of ranks, the
  !> smaller factor first. A 2-D array has one other axis to split; a 1-D array lies on rank 0.
  pure function weft_pencil_along(axis, order, split, halo, halo_lower, halo_upper, r2c_padding) &
    result(layout)
    integer, intent(in) :: axis
    integer, intent(in), optional :: order(:), split, halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_pencil
    layout%axis = axis
    call place(layout, order, split, halo, halo_lower, halo_upper, r2c_padding)
  end function weft_pencil_along

  !> The first three axes are split over a near-cubic grid of ranks.
  pure function weft_brick(order, split, halo, halo_lower, halo_upper, r2c_padding) result(layout)
    integer, intent(in), optional :: order(:), split, halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_brick
    call place(layout, order, split, halo, halo_lower, halo_upper, r2c_padding)
  end function weft_brick

  !> parts(a) parts along axis a; ranks are numbered with the last axis varying fastest, as
  !> MPI_Cart_create numbers them. So [1, p_row, p_col], [p_row, 1, p_col] and [p_row, p_col, 1] are
  !> the x, y and z pencils of 2DECOMP&FFT.
  pure function weft_grid(parts, order, split, halo, halo_lower, halo_upper, r2c_padding) &
    result(layout)
    integer, intent(in) :: parts(:)
    integer, intent(in), optional :: order(:), split, halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_grid
    layout%parts = parts
    call place(layout, order, split, halo, halo_lower, halo_upper, r2c_padding)
  end function weft_grid

  pure function box_int64(lower, upper, strides, order, halo, halo_lower, halo_upper, &
                          r2c_padding) result(layout)
    integer(int64), intent(in) :: lower(:), upper(:)
    integer(int64), intent(in), optional :: strides(:)
    integer, intent(in), optional :: order(:), halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_own_box
    layout%lower = lower
    layout%upper = upper
    if (present(strides)) layout%strides = strides
    call place(layout, order, weft_split_balanced, halo, halo_lower, halo_upper, r2c_padding)
  end function box_int64

  pure function boxes_int64(lower, upper, order, halo, halo_lower, halo_upper, r2c_padding) &
    result(layout)
    integer(int64), intent(in) :: lower(:, :), upper(:, :)
    integer, intent(in), optional :: order(:), halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding
    type(weft_layout) :: layout

    layout%form = weft_form_boxes
    layout%boxes_lower = lower
    layout%boxes_upper = upper
    call place(layout, order, weft_split_balanced, halo, halo_lower, halo_upper, r2c_padding)
  end function boxes_int64

  include 'weft_layouts_default.inc'

  !> The layout of an existing array, such as a plan's, for a halo exchange: its own box and its
  !> strides. Pass such arrays by the first element owned.
  pure function weft_layout_of_array(array) result(layout)
    type(weft_array), intent(in) :: array
    type(weft_layout) :: layout

    ! Strides of ranks that own nothing are zero. The last entry is looked at with a batch only.
    layout = box_int64(array%lower(1:array%axes), array%upper(1:array%axes), &
                       strides=max(array%strides(1:array%axes + 1), 1_int64))
  end function weft_layout_of_array

  !> Reads a layout from text: "slab:3", "pencil:1", "brick", "grid:2x1x4", optionally followed by
  !> ",order=321" (the fastest axis first) and ",split=block".
  subroutine weft_parse_layout(text, layout, stat, errmsg)
    character(*), intent(in) :: text
    type(weft_layout), intent(out) :: layout
    include 'stat_and_errmsg.inc'
    type(c_layout) :: parsed
    integer :: status

    status = weft_fortran_parse_layout(c_string(text), parsed)
    if (status == weft_success) then
      layout%form = parsed%form
      layout%axis = parsed%axis + 1
      layout%split = parsed%split
      if (parsed%form == weft_form_grid) then
        layout%parts = int(parsed%parts(1:count(parsed%parts /= 0)))
      end if
      if (any(parsed%order /= 0)) then
        layout%order = order_in_fortran(parsed%order(1:maxval(parsed%order) + 1))
      end if
    end if
    call conclude(status, stat, errmsg)
  end subroutine weft_parse_layout

  !> What constructors are told of memory.
  pure subroutine place(layout, order, split, halo, halo_lower, halo_upper, r2c_padding)
    type(weft_layout), intent(inout) :: layout
    integer, intent(in), optional :: order(:), split, halo(:), halo_lower(:), halo_upper(:)
    logical, intent(in), optional :: r2c_padding

    if (present(order)) layout%order = order
    if (present(split)) layout%split = split
    if (present(halo)) layout%halo_lower = halo
    if (present(halo)) layout%halo_upper = halo
    if (present(halo_lower)) layout%halo_lower = halo_lower
    if (present(halo_upper)) layout%halo_upper = halo_upper
    if (present(r2c_padding)) layout%r2c_padding = r2c_padding
  end subroutine place

  !> `name` is input or output. What is wrong with the numbers of entries becomes a complaint, of
  !> which all ranks are to learn.
  subroutine layout_in_c(layout, axes, batch, name, room, complaint)
    type(weft_layout), intent(in) :: layout
    integer, intent(in) :: axes
    integer(int64), intent(in) :: batch
    character(*), intent(in) :: name
    type(layout_for_c), intent(out), target :: room
    character(:), allocatable, intent(inout) :: complaint
    integer :: form, rank, a

    form = layout%form
    if (form == weft_form_default) then
      form = merge(weft_form_as_input, weft_form_slab, name == 'output')
    end if
    associate (converted => room%layout)
      call weft_fortran_layout_init(converted, form, axis_in_c( &
                                    merge(axes, layout%axis, layout%form == weft_form_default)))
      converted%split = layout%split
      converted%r2c_padding = as_c_logical(layout%r2c_padding)
      call put_entries(layout%parts, axes, name // ' layout: parts', converted%parts, complaint)
      if (allocated(layout%lower) .and. allocated(layout%upper)) then
        call expect(size(layout%lower), axes, 'lower')
        call expect(size(layout%upper), axes, 'upper')
        converted%own = box_in_c(layout%lower, layout%upper)
      else if (form == weft_form_own_box) then
        call complain(complaint, name // ' layout: no box is given')
      end if
      call put_entries(layout%halo_lower, axes, name // ' layout: halo', converted%halo_lower, &
                       complaint)
      call put_entries(layout%halo_upper, axes, name // ' layout: halo', converted%halo_upper, &
                       complaint)
      if (allocated(layout%strides)) then
        ! A further entry means nothing without a batch.
        if (size(layout%strides) /= axes + 1) then
          call expect(size(layout%strides), axes + merge(1, 0, batch > 1), 'strides')
        end if
        converted%strides = padded(layout%strides, weft_max_axes + 1)
      end if
      if (allocated(layout%order)) then
        call expect(size(layout%order), axes, 'order')
        call expect_permutation(layout%order)
        converted%order = order_in_c(layout%order)
      else if (.not. allocated(layout%strides) .and. form /= weft_form_as_input) then
        converted%order = order_in_c([(a, a=1, axes)])
      end if
    end associate
    if (.not. (allocated(layout%boxes_lower) .and. allocated(layout%boxes_upper))) return
    call expect(size(layout%boxes_lower, 1), axes, 'lower of boxes')
    call expect(size(layout%boxes_upper, 1), axes, 'upper of boxes')
    call expect(size(layout%boxes_upper, 2), size(layout%boxes_lower, 2), 'boxes')
    if (allocated(complaint)) return
    room%boxes = [(box_in_c(layout%boxes_lower(:, rank), layout%boxes_upper(:, rank)), &
                   rank=1, size(layout%boxes_lower, 2))]
    room%layout%boxes = c_loc(room%boxes)
    room%layout%box_count = size(room%boxes)

  contains

    !> C takes an order of zeros only, which [1, 1] would become, for the default.
    subroutine expect_permutation(order)
      integer, intent(in) :: order(:)
      character(8) :: numbers(size(order))
      character(24) :: last
      character(:), allocatable :: list
      integer :: i

      if (all([(any(order == i), i=1, axes)])) return
      write (numbers, '(i0)') order
      write (last, '(i0)') axes
      list = ''
      do i = 1, size(order)
        list = list // ',' // trim(numbers(i))
      end do
      call complain(complaint, name // ' layout: memory order [' // list(2:) // &
                    '] is not a permutation of the axes 1 to ' // trim(last))
    end subroutine expect_permutation

    subroutine expect(given, needed, what)
      integer, intent(in) :: given, needed
      character(*), intent(in) :: what

      call expect_count(complaint, given, needed, name // ' layout: ' // what)
    end subroutine expect
  end subroutine layout_in_c

  !> What the dimensions of an array in this layout stand for. `input` is that of the input, for
  !> outputs that have its order.
  pure recursive function dimensions_of(layout, axes, batched, interleaved, input) &
    result(dimensions)
    type(weft_layout), intent(in) :: layout
    integer, intent(in) :: axes
    logical, intent(in) :: batched, interleaved
    type(weft_layout), intent(in), optional :: input
    type(c_dimensions) :: dimensions
    integer :: first, a

    if (allocated(layout%strides) .or. axes < 1 .or. axes > weft_max_axes) return
    if (present(input) .and. .not. allocated(layout%order)) then
      if (layout%form == weft_form_default .or. layout%form == weft_form_as_input) then
        dimensions = dimensions_of(input, axes, batched, interleaved)
        return
      end if
    end if
    first = merge(1, 0, batched .and. interleaved)
    dimensions%axes(first + 1:first + axes) = [(axis_in_c(a), a=1, axes)]
    if (allocated(layout%order)) then
      if (size(layout%order) /= axes) return ! which is refused
      dimensions%axes(first + 1:first + axes) = axis_in_c(layout%order)
    end if
    dimensions%count = axes
    if (.not. batched) return
    dimensions%count = axes + 1
    dimensions%axes(merge(1, axes + 1, interleaved)) = axes
  end function dimensions_of
end module weft_layouts
