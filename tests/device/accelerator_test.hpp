#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace weft::test {

inline constexpr std::byte poison{0xa5};

/// A test on the first accelerator of a kind.
class AcceleratorTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const DeviceMethod& method = find_device_method(GetParam());
    if (method.count() == 0) GTEST_SKIP() << "no GPU here";
    device = method.open(0);
    queue = device->make_queue();
  }

  void put(std::byte* to, const std::vector<std::byte>& from) {
    device->copy(*queue, to, from.data(), from.size());
    device->synchronize(*queue);
  }
  std::vector<std::byte> get(const std::byte* from, std::size_t bytes) {
    std::vector<std::byte> result(bytes);
    device->copy(*queue, result.data(), from, bytes);
    device->synchronize(*queue);
    return result;
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Queue> queue;
};

inline std::vector<std::string> accelerators() {
  std::vector<std::string> names;
  for (const DeviceMethod& method : device_methods()) names.push_back(method.name);
  return names;
}

}  // namespace weft::test
