#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "device/buffer.hpp"

namespace weft::test {

inline constexpr std::byte poison{0xa5};

/// A test on the first accelerator of a kind.
class AcceleratorTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const DeviceMethod& method = find_device_method(GetParam());
    if (method.count() == 0) GTEST_SKIP() << "no GPU here";
    device = method.open(0);
    stream = device->make_stream();
  }

  void put(std::byte* to, const std::vector<std::byte>& from) {
    stream->copy(to, from.data(), from.size());
    stream->synchronize();
  }
  std::vector<std::byte> get(const std::byte* from, std::size_t bytes) {
    std::vector<std::byte> result(bytes);
    stream->copy(result.data(), from, bytes);
    stream->synchronize();
    return result;
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Stream> stream;
};

inline std::vector<std::string> accelerators() {
  std::vector<std::string> names;
  for (const DeviceMethod& method : device_methods()) names.push_back(method.name);
  return names;
}

}  // namespace weft::test
