#include <algorithm>

#include "exchange/environment.hpp"
#include "exchange/packed.hpp"
#include "exchange/peer_order.hpp"
#include "exchange/peer_signals.hpp"
#include "exchange/shared_window.hpp"

namespace weft {

namespace {

/// What a message is copied in; its place in both buffers is rounded up to more.
constexpr CopyElement word{Precision::f64, true};

/// Devices write packed messages to where the receiver reads them, in memory that it shares.
class PeerPacked : public PackedExchange {
 public:
  PeerPacked(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : PackedExchange(spec, environment),
        group_(spec.comm),
        streams_(*environment.streams),
        window_(*environment.window),
        mover_(parse_mover("peer_packed", spec.parameter)),
        signals_(spec, environment),
        handover_(streams_.device()),
        arrived_(streams_.device().make_event()),
        place_(window_.reserve(receive_bytes_)) {
    receive_bytes_ = 0;
  }

  void bind() override {
    signals_.bind(sends_, receives_);
    // Where each rank has to write to.
    std::vector<Index> mine(static_cast<std::size_t>(group_->size())), theirs(mine.size());
    for (const Message& receive : receives_) {
      mine[static_cast<std::size_t>(receive.peer)] = place_ + receive.place.offset;
    }
    check_mpi(MPI_Alltoall(mine.data(), 1, MPI_INT64_T, theirs.data(), 1, MPI_INT64_T, comm_),
              "MPI_Alltoall");
    for (const std::size_t send : staggered(sends_, group_->rank())) {
      const Message& message = sends_[send];
      const Index words = unit_.rounded_up(message.bytes) / bytes_of(word);
      std::byte* const to = window_.address(window_rank(message.peer),
                                            theirs[static_cast<std::size_t>(message.peer)]);
      moves_.push_back({{words}, {nullptr, {1}}, {to, {1}}});
      offsets_.push_back(message.place.offset);
    }
    std::byte* const landing = window_.address(window_rank(group_->rank()), place_);
    for (Message& receive : receives_) {
      if (!receive.place.is_moved()) continue;
      receive.place = {Location::memory, 0, landing + receive.place.offset};
    }
  }

  void start(const ExchangeBuffers& buffers) override {
    Stream& stream = streams_.send();
    for (std::size_t i = 0; i < moves_.size(); ++i)
      moves_[i].from.data = buffers.send + offsets_[i];
    handover_(streams_.compute(), stream);
    signals_.signal_ready(stream);
    streams_.in_send_span("until receivers are ready", [&] { signals_.await_receivers(stream); });
    streams_.in_send_span("copies", [&] { stream.move(moves_, word, 1, mover_); });
    signals_.signal_sent(stream);
    stream.record(*arrived_);
  }

  bool test() override { return true; }
  void wait() override {
    streams_.compute().wait(*arrived_);
    signals_.await_senders(streams_.compute());
  }

 private:
  int window_rank(int rank) const { return group_->rank_in(window_.ranks(), rank); }

  const Communicator* group_;
  FieldStreams& streams_;
  SharedWindow& window_;
  Mover mover_;
  PeerSignals signals_;
  Handover handover_;
  std::unique_ptr<Event> arrived_;
  Index place_;
  std::vector<BlockMove> moves_;
  std::vector<Index> offsets_;  // of what is moved, in the send buffer
};

}  // namespace

ExchangeMethod peer_packed_method() {
  return {"peer_packed",
          "devices of one machine write packed messages to where the receiver reads them",
          {.memory = ExchangeTraits::device, .window = ExchangeTraits::machine},
          make_exchange<PeerPacked>,
          [](const std::string& parameter) { parse_mover("peer_packed", parameter); },
          "how: kernel or engine; otherwise by size"};
}

}  // namespace weft
