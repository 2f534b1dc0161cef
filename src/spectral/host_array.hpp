#pragma once

#include "device/buffer.hpp"
#include "weft/plan.hpp"

namespace weft {

/// The numbers of an array in spectral space of a plan where the host can read them: the array, or
/// a copy of it if it is memory of a device.
class HostArray {
 public:
  /// Throws Error unless the array is what the plan needs. `name` is that of the array in messages.
  HostArray(const Plan& plan, const AnyArray& array, const char* name);

  const std::byte* data() const { return data_; }

 private:
  const std::byte* data_;
  Buffer copy_;
};

}  // namespace weft
