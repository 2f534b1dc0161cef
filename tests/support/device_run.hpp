#pragma once

#include <memory>
#include <span>
#include <string>

#include "device/buffer.hpp"
#include "local/local_transform.hpp"

namespace weft::test {

struct OpenDevice {
  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
};

/// The first device of this kind, open until the process ends.
const OpenDevice& open_device(const std::string& kind);

/// Both memories in whole; the data lies at `shift` in them. The same memory twice: in place.
struct Memories {
  std::span<std::byte> in;
  std::size_t in_shift;
  std::span<std::byte> out;
  std::size_t out_shift;
};

/// Copies the memories to the device, executes there, with poisoned memory to work in and nothing
/// beyond it, and copies them back.
void execute_on(Stream& stream, const LocalTransform& transform, const Memories& memories);

}  // namespace weft::test
