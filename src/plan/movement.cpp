#include "plan/movement.hpp"

#include <algorithm>
#include <cmath>

#include "codec/lossless.hpp"
#include "schedule/stage.hpp"

namespace weft {

namespace {

constexpr int length_tag = 1;  // messages of exchanges have 0

}  // namespace

Movement::Movement(Channel& channel, MessageSlots slots, const Communicator& everybody,
                   CopyElement element, Stream& stream)
    : channel_(channel), slots_(slots), everybody_(everybody.get()), element_(element) {
  // Filled in by every run: offsets depend on the codec in use.
  sends_.offsets.resize(messages().sends().size());
  receives_.offsets.resize(messages().receives().size());
  if (!on_host(stream) && channel.compresses()) {
    sums_ = std::make_unique<DeviceSums>(stream);
    sends_.sums = sums_->data();
  }
  if (channel.lossless) {
    check_mpi(MPI_Comm_rank(channel.group, &own_rank_), "MPI_Comm_rank");
    send_lengths_.resize(sends_.offsets.size());
    receive_lengths_.resize(receives_.offsets.size());
    length_requests_.resize(send_lengths_.size() + receive_lengths_.size(), MPI_REQUEST_NULL);
    packer_ = std::make_unique<PackedAlready>(send_lengths_);
  }
}

Movement::~Movement() {
  // The plan ends only when nothing is under way, unless an error came between.
  if (certificate_ != MPI_REQUEST_NULL) MPI_Request_free(&certificate_);
}

void Movement::use_rung(std::size_t rung, SlotBases& bases) {
  rung_ = rung;
  const Codec* codec = channel_.rungs[rung].codec.get();
  const auto use = [&](Encoding& encoding, const std::vector<Transfer>& transfers) {
    encoding.codec = codec;
    encoding.measure = {};
    encoding.faint = false;
    for (std::size_t i = 0; i < transfers.size(); ++i) encoding.offsets[i] = transfers[i].offset;
  };
  use(sends_, exchange().sends());
  use(receives_, exchange().receives());
  if (sums_ != nullptr && codec != nullptr) sums_->clear();
  if (std::byte* memory = exchange().receive_memory()) {
    const Slot arrives = channel_.lossless ? slots_.packed_receive : slots_.receive;
    bases[static_cast<std::size_t>(arrives)] = memory;
  }
}

void Movement::prepare(SlotBases& bases) {
  channel_.use = {};
  failed_error_ = 0;
  use_rung(channel_.preferred, bases);
}

bool Movement::ready() {
  // Rungs share the memory that messages are written to: the last use may have been by another one.
  return std::all_of(channel_.rungs.begin(), channel_.rungs.end(),
                     [](const Rung& rung) { return rung.exchange->ready(); });
}

void Movement::start(SlotBases& bases) {
  const auto base = [&](Slot slot) {
    return slot < 0 ? nullptr : bases[static_cast<std::size_t>(slot)];
  };
  if (channel_.lossless) {
    compress_messages(bases);
    exchange().start(base(slots_.packed_send), base(slots_.packed_receive), packer_.get());
    return;
  }
  const bool encoded = sends_.codec != nullptr;
  if (sums_ != nullptr && encoded) sums_->fetch();
  exchange().start(base(slots_.send), base(slots_.receive), packer_.get());
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
  return channel_.lossless || std::any_of(channel_.rungs.begin(), channel_.rungs.end(),
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
  channel_.use.bytes += sent_bytes();
}

Index Movement::sent_bytes() {
  if (!channel_.lossless) return exchange().bytes_to_others();
  Index bytes = 0;
  const auto& sends = exchange().sends();
  for (std::size_t i = 0; i < sends.size(); ++i) {
    if (sends[i].peer != own_rank_) bytes += send_lengths_[i];
  }
  return bytes;
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

void Movement::climb(SlotBases& bases) {
  const bool broken = is_broken();
  channel_.use.broken = channel_.use.broken || broken;
  ++channel_.use.repeated;
  if (!broken) {
    failed_rung_ = rung_;
    failed_error_ = error();
  }
  exchange().release();  // nobody will read what has arrived
  use_rung(channel_.after_failure(rung_, error(), broken), bases);
}

void Movement::accept(SlotBases& bases) {
  if (channel_.lossless) expand_messages(bases);
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

void Movement::compress_messages(SlotBases& bases) {
  const std::byte* const plain = bases[static_cast<std::size_t>(slots_.send)];
  std::byte* const packed = bases[static_cast<std::size_t>(slots_.packed_send)];
  const Index real_bytes = element_bytes(false, element_.precision);
  const auto& sends = exchange().sends();
  const auto& receives = exchange().receives();
  std::size_t next = 0;
  for (std::size_t i = 0; i < receives.size(); ++i) {
    receive_lengths_[i] = receives[i].bytes;
    if (receives[i].offset < 0) continue;
    check_mpi(MPI_Irecv(&receive_lengths_[i], 1, MPI_INT64_T, receives[i].peer, length_tag,
                        channel_.group, &length_requests_[next++]),
              "MPI_Irecv");
  }
  for (std::size_t i = 0; i < sends.size(); ++i) {
    send_lengths_[i] = sends[i].bytes;
    if (sends[i].offset < 0) continue;
    send_lengths_[i] = lossless_compress(plain + sends[i].offset, sends[i].bytes, real_bytes,
                                         packed + sends[i].offset);
    check_mpi(MPI_Isend(&send_lengths_[i], 1, MPI_INT64_T, sends[i].peer, length_tag,
                        channel_.group, &length_requests_[next++]),
              "MPI_Isend");
  }
  check_mpi(MPI_Waitall(static_cast<int>(next), length_requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  exchange().set_lengths(send_lengths_, receive_lengths_);
}

void Movement::expand_messages(SlotBases& bases) {
  std::byte* const plain = bases[static_cast<std::size_t>(slots_.receive)];
  const std::byte* const packed = bases[static_cast<std::size_t>(slots_.packed_receive)];
  const Index real_bytes = element_bytes(false, element_.precision);
  const auto& receives = exchange().receives();
  for (std::size_t i = 0; i < receives.size(); ++i) {
    if (receives[i].offset < 0) continue;
    lossless_expand(packed + receives[i].offset, receive_lengths_[i], receives[i].bytes, real_bytes,
                    plain + receives[i].offset);
  }
}

}  // namespace weft
