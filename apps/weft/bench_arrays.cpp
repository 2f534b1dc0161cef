#include "bench_arrays.hpp"

#include <algorithm>

#include "exchange/agreement.hpp"
#include "execute.hpp"

namespace weft {

BenchArrays::BenchArrays(const Communicator& comm, const Plan& plan, const Options& options,
                         Index fields, bool in_place)
    : in_place_(in_place) {
  const std::size_t in = array_bytes(plan.input());
  const std::size_t out = array_bytes(plan.output());
  collectively(comm, [&] {
    if (plan.info().device != "host") {
      device_ = find_device_method(options.device).open(plan.info().device_number);
      stream_ = device_->adopt_stream(options.stream);
    }
    for (Index field = 0; field < fields; ++field) {
      add(in_, in_place ? std::max(in, out) : in);
      if (!in_place) add(out_, out);
    }
  });
}

void BenchArrays::add(std::vector<std::span<std::byte>>& arrays, std::size_t bytes) {
  memory_.emplace_back(device_ ? *device_ : host_device(), bytes);
  arrays.emplace_back(memory_.back().data(), bytes);
}

void BenchArrays::run(Plan& plan, Direction direction) const {
  const bool forward = direction == Direction::forward;
  const auto& from = forward ? in_ : fields_out();
  const auto& to = forward ? fields_out() : in_;
  if (from.size() == 1) {
    execute(plan, direction, from[0], to[0]);
  } else {
    execute_many(plan, direction, from, to);
  }
}

void BenchArrays::finish() const {
  if (device_) stream_->synchronize();
}

void BenchArrays::poison(std::span<std::byte> array) const {
  // All bits set is a NaN in both precisions.
  if (!device_) {
    std::fill(array.begin(), array.end(), std::byte{0xff});
    return;
  }
  const std::vector<std::byte> nan(std::min<std::size_t>(array.size(), 1 << 22), std::byte{0xff});
  stream_->copy(array.data(), nan.data(), nan.size());
  stream_->synchronize();
  for (std::size_t done = nan.size(); done < array.size(); done *= 2) {
    stream_->copy(array.data() + done, array.data(), std::min(done, array.size() - done));
  }
  stream_->synchronize();
}

}  // namespace weft
