#ifndef WEFT_C_FILES_H
#define WEFT_C_FILES_H

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @file
/// NumPy files of the arrays of a plan.

/// Writes the input arrays of a plan to one NumPy file (.npy), with MPI-IO. Collective over the
/// plan's communicator; `path` is the same on all ranks.
///
/// The file contains the global array in C order, whatever the layout: real or complex numbers in
/// the plan's precision, without halos and gaps. A batch is an additional first axis. Meanwhile
/// each rank needs memory for a copy of its part. The array may be memory of the plan's device, or
/// of the host.
///
/// The file appears complete or not at all. Returns WEFT_ERROR_FILE on every rank if it cannot be
/// written.
weft_status weft_plan_write_input(weft_plan plan, const char* path, const void* array);
/// Writes the output arrays of a plan; otherwise like weft_plan_write_input.
weft_status weft_plan_write_output(weft_plan plan, const char* path, const void* array);

/// Reads a NumPy file into the input arrays of a plan. Collective. The file may be in C or Fortran
/// order, but its shape and type of numbers must be those of the plan's input. Halos and gaps of
/// the array stay as they are. Returns WEFT_ERROR_FILE on every rank if the file cannot be read or
/// is damaged; then the array may have been written in part.
weft_status weft_plan_read_input(weft_plan plan, const char* path, void* array);
/// Reads the output arrays of a plan; otherwise like weft_plan_read_input.
weft_status weft_plan_read_output(weft_plan plan, const char* path, void* array);

#ifdef __cplusplus
}
#endif

#endif
