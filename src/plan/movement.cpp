#include "plan/movement.hpp"

#include <algorithm>
#include <cmath>

#include "plan/encoded_message.hpp"
#include "schedule/stage.hpp"

namespace weft {

Movement::Movement(Channel& channel, MessageBuffers buffers, const Communicator& everybody,
                   CopyElement element, Stream& stream)
    : channel_(channel),
      buffers_(std::move(buffers)),
      everybody_(everybody.get()),
      element_(element) {
  if (!on_host(stream) && channel.compresses()) {
    sums_ = std::make_unique<DeviceSums>(stream);
    sends_.sums = sums_->data();
  }
}

Movement::~Movement() {
  // The plan ends only when nothing is under way, unless an error came between.
  if (certificate_ != MPI_REQUEST_NULL) MPI_Request_free(&certificate_);
}

void Movement::use_rung(std::size_t rung, AddressTable& addresses) {
  rung_ = rung;
  const Codec* codec = channel_.rungs[rung].codec.get();
  for (MessageCodec* encoding : {&sends_, &receives_}) {
    encoding->codec = codec;
    encoding->measure = {};
    encoding->faint = false;
  }
  if (sums_ != nullptr && codec != nullptr) sums_->clear();
  const auto put = [&](const std::vector<BufferId>& ids, const std::vector<Message>& messages,
                       BufferId buffer) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Location& place = messages[i].place;
      if (place.in == Location::stays) continue;
      addresses[static_cast<std::size_t>(ids[i])] =
          place.of(addresses[static_cast<std::size_t>(buffer)]);
    }
  };
  put(buffers_.sends, exchange().sends(), buffers_.send);
  put(buffers_.receives, exchange().receives(), buffers_.receive);
  if (std::byte* memory = exchange().landing()) {
    addresses[static_cast<std::size_t>(buffers_.receive)] = memory;
  }
}

void Movement::prepare(AddressTable& addresses) {
  channel_.use = {};
  failed_error_ = 0;
  use_rung(channel_.preferred, addresses);
}

bool Movement::ready() {
  // Rungs share the memory that messages are written to: the last use may have been by another one.
  return std::all_of(channel_.rungs.begin(), channel_.rungs.end(),
                     [](const Rung& rung) { return rung.exchange->ready(); });
}

void Movement::start(AddressTable& addresses) {
  const auto base = [&](BufferId id) {
    return id < 0 ? nullptr : addresses[static_cast<std::size_t>(id)];
  };
  const bool encoded = sends_.codec != nullptr;
  if (sums_ != nullptr && encoded) sums_->fetch();
  exchange().start(
      {base(buffers_.send), base(buffers_.receive), packer_.get(), base(buffers_.work)});
  if (!encoded) return;
  // All ranks begin the sums of their errors in the same order, so it cannot wait until later.
  if (sums_ != nullptr) sums_->read(sends_);
  certify();
}

/// Sums up errors over all ranks, while messages are under way.
void Movement::certify() {
  mine_[0] = sends_.measure.squared_error;
  mine_[1] = sends_.measure.squared_norm;
  mine_[2] = sends_.measure.broken ? 1 : 0;
  // Inf and NaN would spread to the sums of others, who need them.
  if (!std::isfinite(mine_[0]) || !std::isfinite(mine_[1])) mine_[0] = mine_[1] = 0, mine_[2] = 1;
  mine_[3] = sends_.faint ? 1 : 0;
  check_mpi(MPI_Iallreduce(mine_, all_, 4, MPI_DOUBLE, MPI_SUM, everybody_, &certificate_),
            "MPI_Iallreduce");
}

bool Movement::blocks() const {
  return std::any_of(channel_.rungs.begin(), channel_.rungs.end(),
                     [](const Rung& rung) { return rung.exchange->blocks(); });
}

bool Movement::test() {
  bool done = exchange().test();
  if (certificate_ != MPI_REQUEST_NULL) {
    int arrived = 0;
    check_mpi(MPI_Test(&certificate_, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    done = done && arrived != 0;
  }
  return done;
}

void Movement::wait() {
  exchange().wait();
  if (certificate_ != MPI_REQUEST_NULL) {
    check_mpi(MPI_Wait(&certificate_, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  channel_.use.bytes += exchange().bytes_sent();
}

double Movement::error() const {
  return all_[0] > 0 ? std::sqrt(all_[0] / all_[1]) : 0;
}

bool Movement::is_broken() const {
  const bool measured = std::isfinite(all_[0]) && std::isfinite(all_[1]) &&
                        (all_[3] == 0 || all_[1] >= least_squared_norm);
  return all_[2] > 0 || !measured;
}

bool Movement::is_kept() const {
  return sends_.codec == nullptr || (!is_broken() && error() <= channel_.allowed);
}

void Movement::climb(AddressTable& addresses) {
  const bool broken = is_broken();
  channel_.use.broken = channel_.use.broken || broken;
  ++channel_.use.repeated;
  if (!broken) {
    failed_rung_ = rung_;
    failed_error_ = error();
  }
  exchange().release();  // nobody will read what has arrived
  use_rung(channel_.after_failure(rung_, error(), broken), addresses);
}

void Movement::accept() {
  ChannelUse& use = channel_.use;
  use.plain_bytes = messages().bytes_to_others();
  if (channel_.lossless && channel_.moved > 0) use.codec = "lossless";
  if (sends_.codec != nullptr) {
    use.codec = sends_.codec->name();
    use.predicted = sends_.codec->predicted_error() * std::sqrt(channel_.moved);
    use.squared_error = all_[0];
    use.squared_norm = all_[1];
  }
  if (!channel_.compresses()) return;
  if (failed_error_ > 0) channel_.remember_failure(failed_rung_, failed_error_, rung_, error());
  // Zeros say nothing of the data that follow.
  if (use.broken || sends_.codec == nullptr || all_[1] > 0) {
    channel_.learn(rung_, error(), use.broken);
  }
}

}  // namespace weft
