#include <optional>

#include "exchange/environment.hpp"
#include "exchange/packed.hpp"
#include "exchange/peer_order.hpp"

namespace weft {

namespace {

/// Receives of short messages first, then all sends, then receives of long messages. With those
/// first too, 128^3 on four hosts with links of 400 Mbit/s took 1.3 times as long (Open MPI 4.1
/// over TCP), as if long messages both ways between two ranks waited for each other.
class PointToPoint : public PackedExchange {
 public:
  PointToPoint(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : PackedExchange(spec, environment), most_under_way_(most_under_way("p2p", spec.parameter)) {
    if (!spec.parameter.empty()) {
      own_comm_ = Communicator::duplicate(comm_);
      comm_ = own_comm_->get();
    }
    const int rank = spec.comm->rank();
    const NodeMap nodes(*spec.comm, environment.node);
    send_sequence_ = targets_in_ring(spec.sends, rank, nodes);
    receive_sequence_ = sources_in_ring(spec.receives, rank, nodes);
    next_send_ = send_sequence_.size();  // nothing waits before the first start
    send_counts_.resize(send_sequence_.size());
    requests_.resize(send_sequence_.size() + receive_sequence_.size(), MPI_REQUEST_NULL);
  }

  void start(const ExchangeBuffers& buffers) override {
    packer_ = buffers.packer;
    send_ = buffers.send;
    next_send_ = sent_ = 0;
    for (std::size_t i = 0; i < send_counts_.size(); ++i) {
      send_counts_[i] = send_count(send_sequence_[i]);
    }
    post_receives(buffers.receive, false);
    // All are packed by now, also those that wait: the errors of encoding them are summed up next.
    for (std::size_t packed = 0; packed < send_sequence_.size(); ++packed) {
      if (packer_ != nullptr) packer_->pack(send_sequence_[packed]);
      send_more(packed + 1);
    }
    post_receives(buffers.receive, true);
    if (buffers.packer != nullptr) buffers.packer->copy_own();
  }

  bool test() override {
    int done = 1;
    while (packer_ != nullptr) {
      int arrived = 0;
      check_mpi(
          MPI_Testany(receive_requests(), requests_.data(), &arrived, &done, MPI_STATUS_IGNORE),
          "MPI_Testany");
      if (done == 0 || arrived == MPI_UNDEFINED) break;
      unpack(arrived);
    }
    if (!all_are_sent() || done == 0) return false;
    check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
  }

  void wait() override {
    while (!all_are_sent()) test();
    while (packer_ != nullptr) {
      int arrived = 0;
      check_mpi(MPI_Waitany(receive_requests(), requests_.data(), &arrived, MPI_STATUS_IGNORE),
                "MPI_Waitany");
      if (arrived == MPI_UNDEFINED) break;
      unpack(arrived);
    }
    check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  }

 private:
  // The communicator belongs to one plan, and messages between two ranks arrive in the order in
  // which exchanges are started. Not those that have waited for their turn.
  static constexpr int tag = 0;
  /// MPI libraries send longer messages only once the receiver has answered.
  static constexpr Index long_bytes = Index{64} << 10;

  void post_receives(std::byte* receive, bool are_long) {
    for (std::size_t number = 0; number < receive_sequence_.size(); ++number) {
      const std::size_t i = receive_sequence_[number];
      const Message& from = receives_[i];
      if ((from.bytes > long_bytes) != are_long) continue;
      check_mpi(MPI_Irecv(receive + from.place.offset, receive_count(i), unit_.type(), from.peer,
                          tag, comm_, &requests_[number]),
                "MPI_Irecv");
    }
  }

  /// As many of the first `packed` as may be under way.
  void send_more(std::size_t packed) {
    while (next_send_ < packed && next_send_ - sent_ < most_under_way_) {
      const Message& to = sends_[send_sequence_[next_send_]];
      check_mpi(MPI_Isend(send_ + to.place.offset, send_counts_[next_send_], unit_.type(), to.peer,
                          tag, comm_, &requests_[receive_sequence_.size() + next_send_]),
                "MPI_Isend");
      ++next_send_;
    }
  }

  /// Whether all sends are under way by now.
  bool all_are_sent() {
    while (next_send_ < send_sequence_.size()) {
      int sent = 0, done = 0;
      check_mpi(
          MPI_Testany(static_cast<int>(next_send_), requests_.data() + receive_sequence_.size(),
                      &sent, &done, MPI_STATUS_IGNORE),
          "MPI_Testany");
      if (done == 0) return false;
      ++sent_;
      send_more(send_sequence_.size());
    }
    return true;
  }

  int receive_requests() const { return static_cast<int>(receive_sequence_.size()); }
  void unpack(int arrived) {
    packer_->unpack(receive_sequence_[static_cast<std::size_t>(arrived)]);
  }

  std::optional<Communicator> own_comm_;  // where messages may have to wait
  std::size_t most_under_way_;
  std::vector<std::size_t> send_sequence_;
  std::vector<std::size_t> receive_sequence_;
  std::vector<int> send_counts_;       // of this start, in this sequence
  std::vector<MPI_Request> requests_;  // receives first
  std::size_t next_send_ = 0;          // in the sequence
  std::size_t sent_ = 0;               // how many are no longer under way
  const std::byte* send_ = nullptr;
  Packer* packer_ = nullptr;
};

}  // namespace

ExchangeMethod p2p_method() {
  return {"p2p",
          "MPI_Irecv and MPI_Isend of packed messages",
          {.any_length = true},
          make_exchange<PointToPoint>,
          [](const std::string& parameter) { most_under_way("p2p", parameter); },
          under_way_parameter};
}

ExchangeMethod p2p_pipelined_method() {
  return {"p2p_pipelined",
          "packs, sends, receives and unpacks message by message",
          {.family = ExchangeTraits::pipelined, .any_length = true},
          make_exchange<PointToPoint>,
          [](const std::string& parameter) { most_under_way("p2p_pipelined", parameter); },
          under_way_parameter};
}

}  // namespace weft
