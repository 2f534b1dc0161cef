#pragma once

#include <ISO_Fortran_binding.h>

#include <optional>
#include <string>
#include <vector>

#include "fortran/dimensions.h"
#include "weft/weft.h"

namespace weft::fortran {

/// An array that a program in Fortran has passed, after it was compared with what is needed.
struct Passed {
  void* data = nullptr;  ///< null where there is a complaint
  std::optional<std::string> complaint;
};

/// Compares type, contiguity, rank, shape and size. `name` is "input" or the like, `user` works on
/// the array. Nothing is asked of a rank that owns nothing.
Passed examine(const CFI_cdesc_t& array, const weft_local_array& needed,
               const weft_dimensions& dimensions, const std::string& name, const std::string& user);

/// Fields of an array that has one more dimension for them, the last one; or what an array of
/// type(c_ptr) points to, of which nothing is known.
struct PassedFields {
  std::vector<void*> data;
  std::optional<std::string> complaint;
};
PassedFields examine_fields(const CFI_cdesc_t& array, const weft_local_array& needed,
                            const weft_dimensions& dimensions, const std::string& name,
                            const std::string& user);

/// Memory for a transform in place: any contiguous array of real or complex numbers.
struct PassedMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::optional<std::string> complaint;
};
PassedMemory examine_memory(const CFI_cdesc_t& array, const std::string& name);

}  // namespace weft::fortran
