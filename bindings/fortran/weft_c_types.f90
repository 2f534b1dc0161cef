!> The structs of C, and what their initialisers set.
module weft_c_types
  use, intrinsic :: iso_c_binding
  implicit none
  private

  integer, parameter :: max_axes = 6

  type, bind(C), public :: c_box
    integer(c_int64_t) :: lower(max_axes) = 0
    integer(c_int64_t) :: upper(max_axes) = 0
  end type c_box

  type, bind(C), public :: c_layout
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: form = 0
    integer(c_int) :: axis = 0
    integer(c_int64_t) :: parts(max_axes) = 0
    type(c_ptr) :: boxes = c_null_ptr
    integer(c_int64_t) :: box_count = 0
    type(c_box) :: own = c_box()
    integer(c_int) :: split = 0
    integer(c_int) :: order(max_axes) = 0
    integer(c_int64_t) :: halo_lower(max_axes) = 0
    integer(c_int64_t) :: halo_upper(max_axes) = 0
    integer(c_int64_t) :: strides(max_axes + 1) = 0
    integer(c_int) :: r2c_padding = 0
  end type c_layout

  type, bind(C), public :: c_local_array
    integer(c_int) :: axes = 0
    type(c_box) :: box = c_box()
    integer(c_int64_t) :: strides(max_axes + 1) = 0
    integer(c_int64_t) :: offset = 0
    integer(c_int64_t) :: size = 0
    integer(c_int) :: precision = 0
    integer(c_int) :: is_complex = 0
  end type c_local_array

  type, bind(C), public :: c_problem
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: shape(max_axes) = 0
    integer(c_int) :: kinds(max_axes) = 1
    type(c_ptr) :: input = c_null_ptr
    type(c_ptr) :: output = c_null_ptr
    integer(c_int) :: precision = 1
    integer(c_int) :: numbers = 0
    integer(c_int64_t) :: batch = 1
    integer(c_int) :: interleaved = 0
    integer(c_int) :: norm = 0
    integer(c_int) :: orthogonalize = -1
    integer(c_int64_t) :: input_points(max_axes) = 0
    integer(c_int64_t) :: modes(max_axes) = 0
  end type c_problem

  type, bind(C), public :: c_functions
    type(c_funptr) :: input = c_null_funptr
    type(c_ptr) :: input_data = c_null_ptr
    type(c_funptr) :: output = c_null_funptr
    type(c_ptr) :: output_data = c_null_ptr
  end type c_functions

  type, bind(C), public :: c_line
    type(c_ptr) :: values = c_null_ptr
    integer(c_int64_t) :: stride = 0
    integer(c_int64_t) :: count = 0
    integer(c_int64_t) :: index(max_axes) = 0
    integer(c_int) :: axis = 0
    integer(c_int64_t) :: field = 0
    integer(c_int64_t) :: offset = 0
    integer(c_int64_t) :: offset_stride = 0
  end type c_line

  type, bind(C), public :: c_plan_choice
    type(c_ptr) :: option = c_null_ptr
    type(c_ptr) :: value = c_null_ptr
    type(c_ptr) :: why = c_null_ptr
  end type c_plan_choice

  type, bind(C), public :: c_plan_info
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: shape(max_axes) = 0
    integer(c_int) :: kinds(max_axes) = 0
    integer(c_int64_t) :: input_points(max_axes) = 0
    integer(c_int64_t) :: modes(max_axes) = 0
    integer(c_int) :: norm = 0
    integer(c_int) :: orthogonal = 0
    integer(c_int64_t) :: batch = 0
    type(c_local_array) :: input = c_local_array()
    type(c_local_array) :: output = c_local_array()
    type(c_ptr) :: exchange = c_null_ptr
    type(c_ptr) :: local = c_null_ptr
    type(c_ptr) :: device = c_null_ptr
    integer(c_int) :: device_number = 0
    integer(c_int) :: threads = 0
    integer(c_int64_t) :: chunks = 0
    integer(c_int64_t) :: receive_chunks = 0
    integer(c_size_t) :: choice_count = 0
    type(c_ptr) :: choices = c_null_ptr
    integer(c_size_t) :: workspace_bytes = 0
    integer(c_size_t) :: shared_bytes = 0
    integer(c_int64_t) :: bytes_sent = 0
    real(c_double) :: predicted_seconds = 0
    type(c_ptr) :: text = c_null_ptr
  end type c_plan_info

  type, bind(C), public :: c_stage_timing
    type(c_ptr) :: name = c_null_ptr
    real(c_double) :: seconds = 0
    integer(c_int64_t) :: bytes = 0
    integer(c_int) :: moves_data = 0
  end type c_stage_timing

  type, bind(C), public :: c_redistribution_report
    type(c_ptr) :: codec = c_null_ptr
    real(c_double) :: predicted_error = 0
    real(c_double) :: error = 0
    integer(c_int64_t) :: bytes = 0
    integer(c_int64_t) :: plain_bytes = 0
    integer(c_int) :: repeated = 0
    integer(c_int) :: broken = 0
  end type c_redistribution_report

  type, bind(C), public :: c_report
    real(c_double) :: tolerance = 0
    real(c_double) :: predicted_error = 0
    real(c_double) :: error = 0
    integer(c_int64_t) :: bytes = 0
    integer(c_int64_t) :: plain_bytes = 0
    integer(c_size_t) :: redistribution_count = 0
    type(c_ptr) :: redistributions = c_null_ptr
    type(c_ptr) :: text = c_null_ptr
  end type c_report

  type, bind(C), public :: c_trace_span
    integer(c_int) :: rank = 0
    integer(c_int) :: place = 0
    integer(c_int) :: lane = 0
    integer(c_int) :: direction = 0
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: detail = c_null_ptr
    integer(c_int64_t) :: run = 0
    integer(c_int64_t) :: field = 0
    integer(c_int64_t) :: chunk = 0
    real(c_double) :: begin = 0
    real(c_double) :: end = 0
  end type c_trace_span

  type, bind(C), public :: c_trace
    integer(c_int) :: ranks = 0
    real(c_double) :: uncertainty = 0
    real(c_double) :: exchange_seconds = 0
    real(c_double) :: hidden_seconds = 0
    integer(c_size_t) :: span_count = 0
    type(c_ptr) :: spans = c_null_ptr
  end type c_trace

  type, bind(C), public :: c_halo_problem
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: shape(max_axes) = 0
    type(c_ptr) :: layout = c_null_ptr
    integer(c_int64_t) :: lower(max_axes) = -1
    integer(c_int64_t) :: upper(max_axes) = -1
    integer(c_int) :: periodic(max_axes) = 0
    integer(c_int) :: precision = 1
    integer(c_int) :: is_complex = 0
    integer(c_int64_t) :: batch = 1
    integer(c_int) :: interleaved = 0
  end type c_halo_problem

  type, bind(C), public :: c_convolution_problem
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: first(max_axes) = 0
    integer(c_int64_t) :: second(max_axes) = 0
    integer(c_int) :: periodic = 1
    type(c_ptr) :: input = c_null_ptr
    type(c_ptr) :: output = c_null_ptr
    integer(c_int) :: precision = 1
    integer(c_int) :: is_complex = 0
  end type c_convolution_problem

  type, bind(C), public :: c_long_problem
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: length = 0
    integer(c_int) :: order = 0
    integer(c_int) :: precision = 1
    integer(c_int) :: norm = 0
  end type c_long_problem

  type, bind(C), public :: c_sampled_error
    real(c_double) :: relative_l2 = 0
    real(c_double) :: largest = 0
    integer(c_int) :: samples = 0
  end type c_sampled_error

  type, bind(C), public :: c_transform
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: shape(max_axes) = 0
    integer(c_int) :: kinds(max_axes) = 1
    integer(c_int) :: norm = 0
    integer(c_int64_t) :: batch = 1
    type(c_local_array) :: physical = c_local_array()
    type(c_local_array) :: spectral = c_local_array()
    integer(c_int) :: threads = 1
    integer(c_int) :: orthogonal = 0
    integer(c_int64_t) :: input_points(max_axes) = 0
    integer(c_int64_t) :: modes(max_axes) = 0
  end type c_transform

  !> What the dimensions of an array stand for, from the first to the last: axes of C, and the
  !> number of axes for fields of a batch. None: the layout has explicit strides.
  type, bind(C), public :: c_dimensions
    integer(c_int) :: count = 0
    integer(c_int) :: axes(max_axes + 1) = 0
  end type c_dimensions
end module weft_c_types
