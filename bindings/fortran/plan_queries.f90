!> Inspecting plans.
submodule(weft_plans) plan_queries
  use weft_arrays, only: array_from_c
  use weft_c
  use weft_errors, only: conclude, text_of, translated
  use weft_numbering, only: number_in_c
  use weft_reports, only: weft_stage_parts
  implicit none

contains

  module procedure input
    type(c_local_array) :: told

    call conclude(c_plan_input(self%handle%to, told), stat, errmsg)
    array = array_from_c(told, self%dimensions(1))
  end procedure input

  module procedure output
    type(c_local_array) :: told

    call conclude(c_plan_output(self%handle%to, told), stat, errmsg)
    array = array_from_c(told, self%dimensions(2))
  end procedure output

  module procedure set_workspace
    call conclude(weft_fortran_set_workspace(self%handle%to, workspace), stat, errmsg)
  end procedure set_workspace

  module procedure info
    type(c_ptr) :: address
    type(c_plan_info), pointer :: of_c
    type(c_plan_choice), pointer :: choices(:)
    type(c_plan_trial), pointer :: trials(:)
    integer :: i, status

    allocate (told%choices(0), told%trials(0))
    status = c_plan_get_info(self%handle%to, address)
    call conclude(status, stat, errmsg)
    if (status /= weft_success) return
    call c_f_pointer(address, of_c)
    told%shape = of_c%shape(:of_c%axes)
    told%kinds = of_c%kinds(:of_c%axes)
    told%input_points = of_c%input_points(:of_c%axes)
    told%modes = of_c%modes(:of_c%axes)
    told%norm = of_c%norm
    told%orthogonal = of_c%orthogonal /= 0
    told%batch = of_c%batch
    told%exchange = text_of(of_c%exchange)
    told%local = text_of(of_c%local)
    told%device = text_of(of_c%device)
    told%device_number = of_c%device_number
    told%threads = of_c%threads
    told%chunks = of_c%chunks
    told%receive_chunks = of_c%receive_chunks
    told%workspace_bytes = of_c%workspace_bytes
    told%shared_bytes = of_c%shared_bytes
    told%bytes_sent = of_c%bytes_sent
    told%predicted_seconds = of_c%predicted_seconds
    told%text = text_of(of_c%text)
    call c_f_pointer(of_c%choices, choices, [of_c%choice_count])
    deallocate (told%choices)
    allocate (told%choices(size(choices)))
    do i = 1, size(choices)
      told%choices(i)%option = text_of(choices(i)%option)
      told%choices(i)%value = text_of(choices(i)%value)
      told%choices(i)%why = text_of(choices(i)%why)
    end do
    if (of_c%trial_count == 0) return
    call c_f_pointer(of_c%trials, trials, [of_c%trial_count])
    deallocate (told%trials)
    allocate (told%trials(size(trials)))
    do i = 1, size(trials)
      told%trials(i)%settings = text_of(trials(i)%settings)
      told%trials(i)%predicted_seconds = trials(i)%predicted_seconds
      told%trials(i)%seconds = trials(i)%seconds
      told%trials(i)%share = trials(i)%share
      told%trials(i)%remark = text_of(trials(i)%remark)
      told%trials(i)%chosen = trials(i)%chosen /= 0
    end do
  end procedure info

  module procedure describe
    type(c_ptr) :: told
    integer :: status

    text = ''
    status = c_plan_describe(self%handle%to, told)
    if (status == weft_success) text = translated(told)
    call conclude(status, stat, errmsg)
  end procedure describe

  module procedure communicator
    comm = 0
    call conclude(weft_fortran_plan_communicator(self%handle%to, comm), stat, errmsg)
  end procedure communicator

  module procedure timings
    type(c_ptr) :: list
    integer(c_size_t) :: count
    type(c_stage_timing), pointer :: told(:)
    integer :: i, status

    allocate (steps(0))
    status = c_plan_timings(self%handle%to, count, list)
    call conclude(status, stat, errmsg)
    if (status /= weft_success .or. count == 0) return
    call c_f_pointer(list, told, [count])
    deallocate (steps)
    allocate (steps(count))
    do i = 1, int(count)
      steps(i)%name = translated(told(i)%name)
      steps(i)%seconds = told(i)%seconds
      steps(i)%bytes = told(i)%bytes
      steps(i)%moves_data = told(i)%moves_data /= 0
      associate (parts => told(i)%parts)
        steps(i)%parts = weft_stage_parts(parts%unpack, parts%decode, parts%transform, &
          parts%callback, parts%encode, parts%pack, parts%exchange, parts%wait)
      end associate
    end do
  end procedure timings

  module procedure report
    type(c_report) :: of_c
    type(c_redistribution_report), pointer :: parts(:)
    integer :: i, status

    allocate (told%redistributions(0))
    told%text = ''
    if (present(field)) then
      status = c_plan_field_report(self%handle%to, number_in_c(int(field, int64)), of_c)
    else
      status = c_plan_report(self%handle%to, of_c)
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
    handle = self%handle%to
  end procedure get_handle

  module procedure get_dimensions
    dimensions = self%dimensions
  end procedure get_dimensions
end submodule plan_queries
