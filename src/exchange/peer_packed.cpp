#include <algorithm>

#include "exchange/device_window.hpp"
#include "exchange/packed.hpp"
#include "exchange/peer_signals.hpp"

namespace weft {

namespace {

/// What a message is copied in; its place in both buffers is rounded up to more.
constexpr CopyElement word{Precision::f64, true};

/// Devices write packed messages to where the receiver reads them, in memory that it shares.
class PeerPacked : public PackedExchange {
 public:
  PeerPacked(const ExchangeSetup& setup, Mover mover)
      : PackedExchange(setup),
        group_(setup.comm),
        side_(setup.device),
        mover_(mover),
        signals_(setup),
        handover_(side_->device()),
        arrived_(side_->device().make_event()),
        place_(side_->window->reserve(receive_bytes_)) {}

  void bind() override {
    signals_.bind(sends_, receives_);
    // Where each rank has to write to.
    std::vector<Index> mine(static_cast<std::size_t>(group_->size())), theirs(mine.size());
    for (const Transfer& receive : receives_) {
      mine[static_cast<std::size_t>(receive.peer)] = place_ + receive.offset;
    }
    check_mpi(MPI_Alltoall(mine.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, comm_),
              "MPI_Alltoall");
    for (const std::size_t send : staggered(sends_, group_->rank())) {
      const Transfer& transfer = sends_[send];
      const Index words = unit_.rounded_up(transfer.bytes) / bytes_of(word);
      std::byte* const to = side_->window->address(window_rank(transfer.peer),
                                                   theirs[static_cast<std::size_t>(transfer.peer)]);
      moves_.push_back({{words}, {nullptr, {1}}, {to, {1}}});
      offsets_.push_back(transfer.offset);
    }
    memory_ = side_->window->address(window_rank(group_->rank()), place_);
  }

  void start(const std::byte* send, std::byte*, PeerPacker*) override {
    Stream& stream = *side_->send;
    for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i].from.data = send + offsets_[i];
    handover_(*side_->compute, stream);
    signals_.signal_ready(stream);
    side_->in_send_span("until receivers are ready", [&] { signals_.await_receivers(stream); });
    side_->in_send_span("copies", [&] { stream.move(moves_, word, 1, mover_); });
    signals_.signal_sent(stream);
    stream.record(*arrived_);
  }

  bool test() override { return true; }
  void wait() override {
    side_->compute->wait(*arrived_);
    signals_.await_senders(*side_->compute);
  }

  std::byte* receive_memory() override { return memory_; }

 private:
  int window_rank(int rank) const { return group_->rank_in(side_->window->communicator(), rank); }

  const Communicator* group_;
  const DeviceSide* side_;
  Mover mover_;
  PeerSignals signals_;
  Handover handover_;
  std::unique_ptr<Event> arrived_;
  Index place_;
  std::byte* memory_ = nullptr;
  std::vector<BlockMove> moves_;
  std::vector<Index> offsets_;  // of what is moved, in the send buffer
};

}  // namespace

ExchangeMethod peer_packed_method() {
  return {
      "peer_packed",
      "devices of one machine write packed messages to where the receiver reads them",
      {.memory = ExchangeTraits::device, .window = ExchangeTraits::machine, .owns_receive = true},
      [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
        return std::make_unique<PeerPacked>(setup, parse_mover("peer_packed", setup.parameter));
      },
      [](const std::string& parameter) { parse_mover("peer_packed", parameter); },
      "how: kernel or engine; otherwise by size"};
}

}  // namespace weft
