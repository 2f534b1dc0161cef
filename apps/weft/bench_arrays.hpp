#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/buffer.hpp"
#include "exchange/communicator.hpp"
#include "weft/plan.hpp"

namespace weft {

/// The arrays of all fields of this rank, where the plan works on them; one memory for input and
/// output where the transform runs in place.
class BenchArrays {
 public:
  /// Collective.
  BenchArrays(const Communicator& comm, const Plan& plan, const Options& options, Index fields,
              bool in_place);

  std::span<std::byte> in() const { return in_.front(); }
  std::span<std::byte> out() const { return fields_out().front(); }
  bool in_place() const { return in_place_; }

  /// Runs all fields.
  void run(Plan& plan, Direction direction) const;
  /// Waits for what the device still has to do.
  void finish() const;

  /// Fills an array with NaN: what is not written afterwards will show.
  void poison(std::span<std::byte> array) const;
  /// Of the host or the device, on which arrays are filled and checked.
  Stream& stream() const { return device_ ? *stream_ : host_stream(); }

 private:
  const std::vector<std::span<std::byte>>& fields_out() const { return in_place_ ? in_ : out_; }
  void add(std::vector<std::span<std::byte>>& arrays, std::size_t bytes);

  bool in_place_;
  std::unique_ptr<Device> device_;  // null: the host
  std::unique_ptr<Stream> stream_;
  std::vector<Buffer> memory_;
  std::vector<std::span<std::byte>> in_;
  std::vector<std::span<std::byte>> out_;
};

}  // namespace weft
