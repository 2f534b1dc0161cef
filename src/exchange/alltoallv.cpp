#include "exchange/unit.hpp"

namespace weft {

namespace {

class Alltoallv : public Exchange {
 public:
  explicit Alltoallv(const ExchangeSetup& setup)
      : Exchange(setup),
        comm_(setup.comm->get()),
        unit_(*setup.comm,
              std::max(packed_bytes(setup.sends, setup.comm->rank()),
                       packed_bytes(setup.receives, setup.comm->rank())),
              setup.count_limit) {
    send_bytes_ = place_messages(sends_, setup.comm->rank(), unit_);
    receive_bytes_ = place_messages(receives_, setup.comm->rank(), unit_);
    send_counts_ = arguments(sends_, setup.comm->size());
    receive_counts_ = arguments(receives_, setup.comm->size());
  }

  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    check_mpi(MPI_Alltoallv(send, send_counts_.count.data(), send_counts_.place.data(),
                            unit_.type(), receive, receive_counts_.count.data(),
                            receive_counts_.place.data(), unit_.type(), comm_),
              "MPI_Alltoallv");
  }

 private:
  struct Arguments {
    std::vector<int> count;
    std::vector<int> place;
  };

  Arguments arguments(const std::vector<Transfer>& transfers, int ranks) const {
    Arguments result{std::vector<int>(static_cast<std::size_t>(ranks)),
                     std::vector<int>(static_cast<std::size_t>(ranks))};
    for (const Transfer& transfer : transfers) {
      if (transfer.offset < 0) continue;
      const auto peer = static_cast<std::size_t>(transfer.peer);
      result.count[peer] = unit_.count(transfer.bytes);
      result.place[peer] = unit_.count(transfer.offset);
    }
    return result;
  }

  MPI_Comm comm_;
  Unit unit_;
  Arguments send_counts_;
  Arguments receive_counts_;
};

}  // namespace

ExchangeMethod alltoallv_method() {
  return {"alltoallv",
          "MPI_Alltoallv on packed messages",
          {},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallv>(setup);
          }};
}

}  // namespace weft
