#include "exchange/packed.hpp"

namespace weft {

namespace {

class Alltoallv : public VectorCollective {
 public:
  explicit Alltoallv(const ExchangeSetup& setup) : VectorCollective(setup) {}

  bool blocks() const override { return true; }

  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    apply_lengths();
    check_mpi(MPI_Alltoallv(send, send_.count.data(), send_.place.data(), unit_.type(), receive,
                            receive_.count.data(), receive_.place.data(), unit_.type(), comm_),
              "MPI_Alltoallv");
  }
};

}  // namespace

ExchangeMethod alltoallv_method() {
  return {"alltoallv",
          "MPI_Alltoallv on packed messages",
          {.any_length = true},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            return std::make_unique<Alltoallv>(setup);
          }};
}

}  // namespace weft
