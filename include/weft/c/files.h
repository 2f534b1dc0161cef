#ifndef WEFT_C_FILES_H
#define WEFT_C_FILES_H

#include "weft/c/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @file
/// NumPy files of the arrays of a plan.

/// Writes what the ranks of a plan hold as its input to one NumPy file (.npy), with MPI-IO.
/// Collective over the plan's communicator; `path` is the same on all ranks.
///
/// The file holds the global array in C order, whatever layouts the ranks have: of real or complex
/// numbers of the plan's precision, without halos and gaps, and of a batch as one axis more, the
/// first. Each rank needs memory for one more copy of its part meanwhile. The array may be memory
/// of the plan's device, or of the host.
///
/// The file appears whole or not at all. Returns WEFT_ERROR_FILE on every rank where it cannot be
/// written.
weft_status weft_plan_write_input(weft_plan plan, const char* path, const void* array);
/// Writes what the ranks hold as the plan's output, likewise.
weft_status weft_plan_write_output(weft_plan plan, const char* path, const void* array);

/// Reads an array from a NumPy file into what the ranks of a plan hold as its input. Collective.
/// The file may be in C or Fortran order, but its shape and type of numbers must be those of the
/// plan's input. Halos and gaps of the array stay as they are. Returns WEFT_ERROR_FILE on every
/// rank where the file cannot be read or is damaged; then the array may have been written in part.
weft_status weft_plan_read_input(weft_plan plan, const char* path, void* array);
/// Reads what the ranks hold as the plan's output, likewise.
weft_status weft_plan_read_output(weft_plan plan, const char* path, void* array);

#ifdef __cplusplus
}
#endif

#endif
