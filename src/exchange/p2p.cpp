#include "exchange/unit.hpp"

namespace weft {

namespace {

/// All receives posted, then all sends.
class PointToPoint : public Exchange {
 public:
  explicit PointToPoint(const ExchangeSetup& setup)
      : Exchange(setup),
        comm_(setup.comm->get()),
        unit_(*setup.comm,
              std::max(packed_bytes(setup.sends, setup.comm->rank()),
                       packed_bytes(setup.receives, setup.comm->rank())),
              setup.count_limit) {
    send_bytes_ = place_messages(sends_, setup.comm->rank(), unit_);
    receive_bytes_ = place_messages(receives_, setup.comm->rank(), unit_);
    send_sequence_ = staggered(sends_, setup.comm->rank());
    receive_sequence_ = staggered(receives_, setup.comm->rank());
    requests_.resize(send_sequence_.size() + receive_sequence_.size(), MPI_REQUEST_NULL);
  }

  void start(const std::byte* send, std::byte* receive, PeerPacker* packer) override {
    packer_ = packer;
    std::size_t next = 0;
    for (std::size_t i : receive_sequence_) {
      const Transfer& from = receives_[i];
      check_mpi(MPI_Irecv(receive + from.offset, unit_.count(from.bytes), unit_.type(), from.peer,
                          tag, comm_, &requests_[next++]),
                "MPI_Irecv");
    }
    for (std::size_t i : send_sequence_) {
      const Transfer& to = sends_[i];
      if (packer != nullptr) packer->pack(i);
      check_mpi(MPI_Isend(send + to.offset, unit_.count(to.bytes), unit_.type(), to.peer, tag,
                          comm_, &requests_[next++]),
                "MPI_Isend");
    }
    if (packer != nullptr) packer->copy_own();
  }

  void wait() override {
    if (packer_ != nullptr) {
      const int receives = static_cast<int>(receive_sequence_.size());
      for (int left = receives; left > 0; --left) {
        int done = 0;
        check_mpi(MPI_Waitany(receives, requests_.data(), &done, MPI_STATUS_IGNORE), "MPI_Waitany");
        packer_->unpack(receive_sequence_[static_cast<std::size_t>(done)]);
      }
    }
    check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  }

 private:
  static constexpr int tag = 0;  // the communicator belongs to one plan, stages follow each other

  MPI_Comm comm_;
  Unit unit_;
  std::vector<std::size_t> send_sequence_;
  std::vector<std::size_t> receive_sequence_;
  std::vector<MPI_Request> requests_;  // receives first
  PeerPacker* packer_ = nullptr;
};

std::unique_ptr<Exchange> make(const ExchangeSetup& setup) {
  return std::make_unique<PointToPoint>(setup);
}

}  // namespace

ExchangeMethod p2p_method() {
  return {"p2p", "MPI_Irecv and MPI_Isend of packed messages", {}, make};
}

ExchangeMethod p2p_pipelined_method() {
  return {"p2p_pipelined",
          "packs, sends, receives and unpacks message by message",
          {.packs_itself = true},
          make};
}

}  // namespace weft
