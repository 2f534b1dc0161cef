#include "redistribution/redistribution.hpp"

#include <algorithm>

namespace weft {

Redistribution::Redistribution(std::vector<std::unique_ptr<Exchange>> exchanges, CodecLevels levels,
                               std::string compressor, const Communicator& everybody,
                               Stream& stream)
    : exchanges_(std::move(exchanges)),
      levels_(std::move(levels)),
      compressor_(std::move(compressor)),
      errors_(everybody, stream, levels_.compresses()) {}

void Redistribution::bind() {
  for (auto& exchange : exchanges_) exchange->bind();
}

Index Redistribution::largest(Index (Exchange::*bytes)() const) const {
  Index result = 0;
  for (const auto& exchange : exchanges_) result = std::max(result, (*exchange.*bytes)());
  return result;
}

void Redistribution::use_level(std::size_t level, AddressTable& addresses) {
  level_ = level;
  sends_.codec = receives_.codec = levels_.codec(level);
  errors_.clear(sends_);
  const auto put = [&](const std::vector<BufferId>& ids, const std::vector<Message>& messages,
                       BufferId buffer) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Location& place = messages[i].place;
      if (place.in == Location::stays) continue;
      addresses[ids[i]] = place.of(addresses[buffer]);
    }
  };
  put(buffers_.sends, exchange().sends(), buffers_.send);
  put(buffers_.receives, exchange().receives(), buffers_.receive);
  if (std::byte* memory = exchange().landing()) {
    addresses[buffers_.receive] = memory;
  }
}

void Redistribution::prepare(AddressTable& addresses) {
  use_ = {};
  failed_error_ = 0;
  use_level(levels_.preferred(), addresses);
}

bool Redistribution::ready() {
  // Exchanges share the memory that messages are written to: the last use may have been by another.
  return std::all_of(exchanges_.begin(), exchanges_.end(),
                     [](const auto& exchange) { return exchange->ready(); });
}

void Redistribution::start(AddressTable& addresses) {
  const auto base = [&](BufferId id) { return id == no_buffer ? nullptr : addresses[id]; };
  const bool encoded = sends_.codec != nullptr;
  if (encoded) errors_.fetch();
  exchange().start(
      {base(buffers_.send), base(buffers_.receive), packer_.get(), base(buffers_.work)});
  // All ranks begin the sums of their errors in the same order, so it cannot wait until later.
  if (encoded) errors_.start(sends_);
}

bool Redistribution::blocks() const {
  return std::any_of(exchanges_.begin(), exchanges_.end(),
                     [](const auto& exchange) { return exchange->blocks(); });
}

bool Redistribution::test() {
  const bool arrived = exchange().test();
  return errors_.test() && arrived;
}

void Redistribution::wait() {
  exchange().wait();
  errors_.wait();
  use_.bytes += exchange().bytes_sent();
}

bool Redistribution::is_kept() const {
  return sends_.codec == nullptr || (!errors_.is_broken() && errors_.error() <= levels_.allowed());
}

void Redistribution::climb(AddressTable& addresses) {
  const bool broken = errors_.is_broken();
  use_.broken = use_.broken || broken;
  ++use_.repeated;
  if (!broken) {
    failed_level_ = level_;
    failed_error_ = errors_.error();
  }
  exchange().release();  // nobody will read what has arrived
  use_level(levels_.after_failure(level_, errors_.error(), broken), addresses);
}

void Redistribution::accept() {
  use_.plain_bytes = messages().bytes_to_others();
  if (levels_.moved() > 0) use_.codec = compressor_;
  if (sends_.codec != nullptr) {
    use_.codec = sends_.codec->name();
    use_.predicted = levels_.predicted_error(level_);
    use_.squared_error = errors_.squared_error();
    use_.squared_norm = errors_.squared_norm();
  }
  if (!levels_.compresses()) return;
  const double error = errors_.error();
  if (failed_error_ > 0) levels_.remember_failure(failed_level_, failed_error_, level_, error);
  // Zeros say nothing of the data that follow.
  if (use_.broken || sends_.codec == nullptr || errors_.squared_norm() > 0) {
    levels_.learn(level_, error, use_.broken);
  }
}

Index Redistribution::bytes_sent() const {
  const bool ran = use_.plain_bytes > 0;
  return ran ? use_.bytes : exchanges_[levels_.preferred()]->bytes_to_others();
}

}  // namespace weft
