#pragma once

#include <string>

#include "weft/plan.hpp"

namespace weft {

namespace detail {

void write_file(const Plan& plan, bool input, const std::string& path, const AnyArray& array);
void read_file(const Plan& plan, bool input, const std::string& path, const AnyArray& array);

}  // namespace detail

/// Writes what the ranks of a plan hold as its input to one NumPy file (.npy, version 1.0), with
/// MPI-IO. Collective over the plan's communicator; `path` is the same on all ranks.
///
/// The file holds the global array in C order, whatever layouts the ranks have: of real or complex
/// numbers of the plan's precision, without halos and gaps, and of a batch as one axis more, the
/// first. Each rank needs memory for one more copy of its part meanwhile. The array may be memory
/// of the plan's device, or of the host.
///
/// The file appears whole or not at all: it is written under another name beside `path`, which it
/// takes when it is complete and on the disk. Throws Error on every rank, with code file where the
/// file cannot be written.
template <NumberArray Array>
void write_input(const Plan& plan, const std::string& path, const Array& array) {
  detail::write_file(plan, true, path, detail::any_array(array));
}
/// Writes what the ranks hold as the plan's output, likewise.
template <NumberArray Array>
void write_output(const Plan& plan, const std::string& path, const Array& array) {
  detail::write_file(plan, false, path, detail::any_array(array));
}

/// Reads an array from a NumPy file into what the ranks of a plan hold as its input. Collective;
/// see write_input. The file may have been written by any program, in C or Fortran order, but its
/// shape and type of numbers must be those of the plan's input. Halos and gaps of the array stay as
/// they are. Throws Error on every rank, with code file where the file cannot be read or is
/// damaged; then the array may have been written in part.
template <NumberArray Array>
requires WritableArray<Array>
void read_input(const Plan& plan, const std::string& path, Array&& array) {
  detail::read_file(plan, true, path, detail::any_array(array));
}
/// Reads what the ranks hold as the plan's output, likewise.
template <NumberArray Array>
requires WritableArray<Array>
void read_output(const Plan& plan, const std::string& path, Array&& array) {
  detail::read_file(plan, false, path, detail::any_array(array));
}

}  // namespace weft
