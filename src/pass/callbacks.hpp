#pragma once

#include <atomic>
#include <exception>

#include "device/device.hpp"
#include "pass/array_view.hpp"
#include "weft/pointwise.hpp"

namespace weft {

/// The first exception of a user's function: it must not leave the threads that call it. From then
/// on no function is called.
class CallbackFailure {
 public:
  bool happened() const { return happened_; }
  void keep(std::exception_ptr exception);
  std::exception_ptr exception() const { return exception_; }

 private:
  std::atomic<bool> happened_ = false;
  std::exception_ptr exception_;
};

/// The user's functions in the run of a program.
struct Callbacks {
  /// Numbers of a box in memory, which still have to be multiplied with `scale`.
  struct Numbers {
    Box box;
    std::byte* values;
    Strides stride;
    Index element_bytes;
    double scale = 1;
    ConstBlock from = {nullptr, {}};  ///< on a device: where they are read, unless in place
  };

  detail::PointFunctions functions;
  Index first_field = 0;  ///< number of the first field of the batch
  CallbackFailure* failure = nullptr;
  int axes = 0;  ///< without that of the batch
  Stream* stream = &host_stream();

  /// Calls a function for every number of a box; `array` is where the user's array has them. On a
  /// device: submits that to the stream.
  void apply(const detail::PointFunction& function, const Numbers& numbers,
             const ArrayView& array) const;
  /// The numbers as functions of blocks see them.
  PointBlock block_of(const Numbers& numbers, const ArrayView& array) const;

 private:
  Point point_at(const Extents& at, const ArrayView& array) const;
  void apply_to_lines(const detail::PointFunction& function, const Numbers& numbers,
                      const ArrayView& array) const;
};

/// Throws Error unless a device can apply a function. Devices load what they need for that.
void check_function(const detail::PointFunction& function, Device& device);

}  // namespace weft
