#include "plan/device_sums.hpp"

namespace weft {

namespace {

constexpr std::size_t all_bytes = encoding_sums * sizeof(EncodingSums);

}  // namespace

DeviceSums::DeviceSums(Device& device, Queue& queue)
    : device_(device),
      queue_(queue),
      on_device_(device, all_bytes),
      on_host_(device.allocate_staging(all_bytes), FreeStaging{&device}),
      fetched_(device.make_event()) {}

void DeviceSums::clear() {
  device_.clear(queue_, on_device_.data(), all_bytes);
}

void DeviceSums::fetch() {
  device_.copy(queue_, on_host_.get(), on_device_.data(), all_bytes);
  device_.record(*fetched_, queue_);
}

void DeviceSums::read(Encoding& encoding) {
  device_.synchronize(*fetched_);
  const auto* const sums = reinterpret_cast<const EncodingSums*>(on_host_.get());
  bool nonzero = false;
  for (std::size_t i = 0; i < encoding_sums; ++i) {
    encoding.measure.squared_error += sums[i].squared_error;
    encoding.measure.squared_norm += sums[i].squared_norm;
    encoding.measure.broken = encoding.measure.broken || sums[i].broken != 0;
    nonzero = nonzero || sums[i].nonzero != 0;
  }
  encoding.faint = nonzero && encoding.measure.squared_norm < least_squared_norm;
}

}  // namespace weft
