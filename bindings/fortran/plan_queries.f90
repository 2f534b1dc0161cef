!> What plans tell.
submodule(weft_plans) plan_queries
  use weft_arrays, only: array_from_c
  use weft_c_fortran, only: weft_fortran_plan_communicator, weft_fortran_set_workspace, &
    weft_fortran_text
  use weft_c_library
  use weft_c_types
  use weft_errors, only: conclude, exists, text_of
  use weft_numbering, only: number_in_c
  implicit none

contains

  module procedure input
    type(c_local_array) :: told

    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_input(self%handle, told), stat, errmsg)
    array = array_from_c(told, self%dimensions(1))
  end procedure input

  module procedure output
    type(c_local_array) :: told

    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_output(self%handle, told), stat, errmsg)
    array = array_from_c(told, self%dimensions(2))
  end procedure output

  module procedure set_workspace
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(weft_fortran_set_workspace(self%handle, workspace), stat, errmsg)
  end procedure set_workspace

  module procedure workspace_bytes
    integer(c_size_t) :: told
    integer :: status

    bytes = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    status = c_plan_workspace_bytes(self%handle, told)
    if (status == weft_success) bytes = told
    call conclude(status, stat, errmsg)
  end procedure workspace_bytes

  module procedure shared_bytes
    integer(c_size_t) :: told
    integer :: status

    bytes = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    status = c_plan_shared_bytes(self%handle, told)
    if (status == weft_success) bytes = told
    call conclude(status, stat, errmsg)
  end procedure shared_bytes

  module procedure bytes_sent
    bytes = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_bytes_sent(self%handle, bytes), stat, errmsg)
  end procedure bytes_sent

  module procedure describe
    call tell(self, c_plan_describe, text, stat, errmsg)
  end procedure describe

  module procedure exchange_name
    call tell(self, c_plan_exchange_name, text, stat, errmsg)
  end procedure exchange_name

  module procedure local_name
    call tell(self, c_plan_local_name, text, stat, errmsg)
  end procedure local_name

  module procedure device_name
    call tell(self, c_plan_device_name, text, stat, errmsg)
  end procedure device_name

  !> A text that a function of C tells of the plan; '' where it cannot.
  subroutine tell(self, query, text, stat, errmsg)
    class(weft_plan), intent(in) :: self
    procedure(c_plan_describe) :: query
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: told
    integer :: status

    text = ''
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    status = query(self%handle, told)
    if (status == weft_success) text = text_of(weft_fortran_text(told))
    call conclude(status, stat, errmsg)
  end subroutine tell

  module procedure device_number
    number = -1
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_device_number(self%handle, number), stat, errmsg)
  end procedure device_number

  module procedure chunks
    number = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_chunks(self%handle, number), stat, errmsg)
  end procedure chunks

  module procedure receive_chunks
    number = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_receive_chunks(self%handle, number), stat, errmsg)
  end procedure receive_chunks

  module procedure threads
    number = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(c_plan_threads(self%handle, number), stat, errmsg)
  end procedure threads

  module procedure communicator
    comm = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call conclude(weft_fortran_plan_communicator(self%handle, comm), stat, errmsg)
  end procedure communicator

  module procedure timings
    type(c_ptr) :: list
    integer(c_size_t) :: count
    type(c_stage_timing), pointer :: told(:)
    integer :: i, status

    allocate (steps(0))
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    status = c_plan_timings(self%handle, count, list)
    call conclude(status, stat, errmsg)
    if (status /= weft_success .or. count == 0) return
    call c_f_pointer(list, told, [count])
    deallocate (steps)
    allocate (steps(count))
    do i = 1, int(count)
      steps(i)%name = text_of(weft_fortran_text(told(i)%name))
      steps(i)%seconds = told(i)%seconds
      steps(i)%bytes = told(i)%bytes
      steps(i)%moves_data = told(i)%moves_data /= 0
    end do
  end procedure timings

  module procedure report
    type(c_report) :: of_c
    type(c_redistribution_report), pointer :: parts(:)
    integer :: i, status

    allocate (told%redistributions(0))
    told%text = ''
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    if (present(field)) then
      status = c_plan_field_report(self%handle, number_in_c(int(field, int64)), of_c)
    else
      status = c_plan_report(self%handle, of_c)
    end if
    call conclude(status, stat, errmsg)
    if (status /= weft_success) return
    told%tolerance = of_c%tolerance
    told%predicted_error = of_c%predicted_error
    told%error = of_c%error
    told%bytes = of_c%bytes
    told%plain_bytes = of_c%plain_bytes
    told%text = text_of(of_c%text)
    if (of_c%redistribution_count == 0) return
    call c_f_pointer(of_c%redistributions, parts, [of_c%redistribution_count])
    deallocate (told%redistributions)
    allocate (told%redistributions(size(parts)))
    do i = 1, size(parts)
      told%redistributions(i)%codec = text_of(parts(i)%codec)
      told%redistributions(i)%predicted_error = parts(i)%predicted_error
      told%redistributions(i)%error = parts(i)%error
      told%redistributions(i)%bytes = parts(i)%bytes
      told%redistributions(i)%plain_bytes = parts(i)%plain_bytes
      told%redistributions(i)%repeated = parts(i)%repeated
      told%redistributions(i)%broken = parts(i)%broken /= 0
    end do
  end procedure report

  module procedure get_handle
    handle = self%handle
  end procedure get_handle

  module procedure get_dimensions
    dimensions = self%dimensions
  end procedure get_dimensions
end submodule plan_queries
