#pragma once

#include <memory>

#include "device/buffer.hpp"
#include "device/device.hpp"
#include "weft/plan.hpp"

namespace weft {

/// The numbers of an input or output of a plan where the host can reach them: the array, or a copy
/// of it if it is memory of a device.
class HostArray {
 public:
  /// Throws Error unless the array is what the plan needs: `planned` is that of the plan. `name` is
  /// that of the array in messages.
  HostArray(const Plan& plan, const LocalArray& planned, const detail::AnyArray& array,
            const char* name);

  const std::byte* data() const { return data_; }
  /// Of an array that the caller lets us write.
  std::byte* writable();
  /// What was written there becomes that of the array that this was made of.
  void copy_back(void* array);

 private:
  const std::byte* data_;
  Buffer copy_;
  std::shared_ptr<Stream> stream_;  ///< of the device, where this is a copy
};

}  // namespace weft
