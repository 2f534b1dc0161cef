#pragma once

#include <string>

#include "weft/plan.hpp"

namespace weft {

namespace detail {

void write_file(const Plan& plan, bool input, const std::string& path, const AnyArray& array);
void read_file(const Plan& plan, bool input, const std::string& path, const AnyArray& array);

}  // namespace detail

/// Writes the input arrays of a plan to one NumPy file (.npy, version 1.0), with MPI-IO. Collective
/// over the plan's communicator; `path` is the same on all ranks.
///
/// The file contains the global array in C order, whatever the layout: real or complex numbers in
/// the plan's precision, without halos and gaps. A batch is an additional first axis. Meanwhile
/// each rank needs memory for a copy of its part. The array may be memory of the plan's device, or
/// of the host.
///
/// The file appears complete or not at all: it is written under another name in the same folder,
/// flushed to disk, and renamed. Throws Error on every rank, with code file if the file cannot be
/// written.
template <NumberArray Array>
void write_input(const Plan& plan, const std::string& path, const Array& array) {
  detail::write_file(plan, true, path, detail::any_array(array));
}
/// Writes the output arrays of a plan; otherwise like write_input.
template <NumberArray Array>
void write_output(const Plan& plan, const std::string& path, const Array& array) {
  detail::write_file(plan, false, path, detail::any_array(array));
}

/// Reads a NumPy file into the input arrays of a plan. Collective; see write_input. The file may
/// have been written by any program, in C or Fortran order, but its shape and type of numbers must
/// be those of the plan's input. Halos and gaps of the array stay as they are. Throws Error on
/// every rank, with code file if the file cannot be read or is damaged; then the array may have
/// been written in part.
template <NumberArray Array>
requires WritableArray<Array>
void read_input(const Plan& plan, const std::string& path, Array&& array) {
  detail::read_file(plan, true, path, detail::any_array(array));
}
/// Reads the output arrays of a plan; otherwise like read_input.
template <NumberArray Array>
requires WritableArray<Array>
void read_output(const Plan& plan, const std::string& path, Array&& array) {
  detail::read_file(plan, false, path, detail::any_array(array));
}

}  // namespace weft
