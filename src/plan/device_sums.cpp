#include "plan/device_sums.hpp"

#include "plan/encoded_message.hpp"

namespace weft {

namespace {

constexpr std::size_t all_bytes = encoding_sums * sizeof(EncodingSums);

}  // namespace

DeviceSums::DeviceSums(Stream& stream)
    : stream_(stream),
      on_device_(stream.device(), all_bytes),
      on_host_(stream.device(), all_bytes, MemoryKind::pinned),
      fetched_(stream.device().make_event()) {}

void DeviceSums::clear() {
  stream_.clear(on_device_.data(), all_bytes);
}

void DeviceSums::fetch() {
  stream_.copy(on_host_.data(), on_device_.data(), all_bytes);
  stream_.record(*fetched_);
}

void DeviceSums::read(MessageCodec& encoding) {
  fetched_->synchronize();
  const auto* const sums = reinterpret_cast<const EncodingSums*>(on_host_.data());
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
