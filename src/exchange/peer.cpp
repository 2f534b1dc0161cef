#include "exchange/environment.hpp"
#include "exchange/peer_order.hpp"
#include "exchange/peer_signals.hpp"
#include "exchange/shared_window.hpp"
#include "exchange/unit.hpp"

namespace weft {

namespace {

/// Devices write regions of their array straight to where the receiver's array has them, in memory
/// that it shares.
class Peer : public Exchange {
 public:
  Peer(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(spec.comm),
        streams_(*environment.streams),
        window_(*environment.window),
        mover_(parse_mover("peer", spec.parameter)),
        element_(spec.element),
        element_bytes_(bytes_of(spec.element)),
        from_(spec.from),
        to_(spec.to),
        signals_(spec, environment),
        handover_(streams_.device()),
        arrived_(streams_.device().make_event()),
        moved_own_(streams_.device().make_event()) {
    place_ = window_.reserve(to_.size * element_bytes_);
    receive_bytes_ = to_.size * element_bytes_;
  }

  void bind() override {
    const std::vector<Offer> offers = exchange_offers();
    const int own = comm_->rank();
    const auto add = [&](const Message& send, std::vector<BlockMove>& moves,
                         std::vector<Index>& offsets) {
      const Offer& offer = offers[static_cast<std::size_t>(send.peer)];
      moves.push_back({send.region.extents(),
                       {nullptr, from_.stride},
                       {window_.address(window_rank(send.peer), offer.place) +
                            offer.position(send.region) * element_bytes_,
                        offer.strides(send.region.axes())}});
      offsets.push_back(from_.position(send.region.lower) * element_bytes_);
    };
    for (const std::size_t send : staggered(sends_, own)) add(sends_[send], moves_, offsets_);
    for (const Message& send : sends_) {
      if (send.peer == own) add(send, own_moves_, own_offsets_);
    }
    signals_.bind(sends_, receives_);
    memory_ = window_.address(window_rank(own), place_);
  }

  void start(const ExchangeBuffers& buffers) override {
    for (std::size_t i = 0; i < moves_.size(); ++i)
      moves_[i].from.data = buffers.send + offsets_[i];
    for (std::size_t i = 0; i < own_moves_.size(); ++i) {
      own_moves_[i].from.data = buffers.send + own_offsets_[i];
    }
    handover_(streams_.compute(), streams_.send());
    signals_.signal_ready(streams_.send());
    if (!own_moves_.empty()) {
      handover_(streams_.compute(), streams_.own());
      // On the device itself kernels copy faster than engines.
      streams_.in_span(TraceLane::own, streams_.own(), streams_.recorder().step(), "",
                       [&] { streams_.own().move(own_moves_, element_, 1, Mover::kernel); });
      streams_.own().record(*moved_own_);
    }
    streams_.in_send_span("until receivers are ready",
                          [&] { signals_.await_receivers(streams_.send()); });
    streams_.in_send_span("copies", [&] { streams_.send().move(moves_, element_, 1, mover_); });
    signals_.signal_sent(streams_.send());
    streams_.send().record(*arrived_);
  }

  void wait() override {
    streams_.compute().wait(*arrived_);
    if (!own_moves_.empty()) streams_.compute().wait(*moved_own_);
    signals_.await_senders(streams_.compute());
  }

  std::byte* landing() override { return memory_; }

 private:
  /// What a rank tells the others: where its array is, and how it lies.
  struct Offer {
    Index place;
    Index lower[Extents::capacity];
    Index stride[Extents::capacity];
    Index offset;

    Index position(const Box& region) const {
      Index at = offset;
      for (int axis = 0; axis < region.axes(); ++axis) {
        at += (region.lower[axis] - lower[axis]) * stride[axis];
      }
      return at;
    }
    Strides strides(int axes) const {
      Strides result;
      for (int axis = 0; axis < axes; ++axis) result.push_back(stride[axis]);
      return result;
    }
  };

  std::vector<Offer> exchange_offers() const {
    Offer mine{place_, {}, {}, to_.offset};
    for (int axis = 0; axis < to_.box.axes(); ++axis) {
      mine.lower[axis] = to_.box.lower[axis];
      mine.stride[axis] = to_.stride[axis];
    }
    std::vector<Offer> offers(static_cast<std::size_t>(comm_->size()));
    constexpr int bytes = sizeof(Offer);
    check_mpi(MPI_Allgather(&mine, bytes, MPI_BYTE, offers.data(), bytes, MPI_BYTE, comm_->get()),
              "MPI_Allgather");
    return offers;
  }

  int window_rank(int rank) const { return comm_->rank_in(window_.ranks(), rank); }

  const Communicator* comm_;
  FieldStreams& streams_;
  SharedWindow& window_;
  Mover mover_;
  CopyElement element_;
  Index element_bytes_;
  View from_;
  View to_;
  Index place_ = 0;
  PeerSignals signals_;
  Handover handover_;
  std::unique_ptr<Event> arrived_;
  std::unique_ptr<Event> moved_own_;
  std::vector<BlockMove> moves_;
  std::vector<BlockMove> own_moves_;
  std::vector<Index> offsets_;  // of what is moved, in the array before, in bytes
  std::vector<Index> own_offsets_;
  std::byte* memory_ = nullptr;
};

}  // namespace

ExchangeMethod peer_method() {
  return {.name = "peer",
          .description = "devices of one machine write straight into the receiver's array",
          .traits = {.family = ExchangeTraits::arrays,
                     .memory = ExchangeTraits::device,
                     .window = ExchangeTraits::machine},
          .make = make_exchange<Peer>,
          .check_parameter = [](const std::string& parameter) { parse_mover("peer", parameter); },
          .parameter = "how: kernel or engine; otherwise by size",
          .packed_twin = "peer_packed"};
}

}  // namespace weft
