!> NumPy files of the arrays of plans.
submodule(weft_plans) plan_files
  use weft_c, only: weft_fortran_read_file, weft_fortran_write_file
  use weft_errors, only: c_string, conclude
  implicit none

  integer(c_int), parameter :: of_output = 0, of_input = 1

contains

  module procedure write_input
    call conclude(weft_fortran_write_file(self%handle%to, of_input, c_string(path), array, &
                                          self%dimensions), stat, errmsg)
  end procedure write_input

  module procedure write_output
    call conclude(weft_fortran_write_file(self%handle%to, of_output, c_string(path), array, &
                                          self%dimensions), stat, errmsg)
  end procedure write_output

  module procedure read_input
    call conclude(weft_fortran_read_file(self%handle%to, of_input, c_string(path), array, &
                                         self%dimensions), stat, errmsg)
  end procedure read_input

  module procedure read_output
    call conclude(weft_fortran_read_file(self%handle%to, of_output, c_string(path), array, &
                                         self%dimensions), stat, errmsg)
  end procedure read_output
end submodule plan_files
