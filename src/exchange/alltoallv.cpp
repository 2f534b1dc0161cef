#include "exchange/environment.hpp"
#include "exchange/packed.hpp"

namespace weft {

namespace {

class Alltoallv : public VectorCollective {
 public:
  Alltoallv(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : VectorCollective(spec, environment) {}

  bool blocks() const override { return true; }

  void start(const ExchangeBuffers& buffers) override {
    apply_lengths();
    check_mpi(MPI_Alltoallv(buffers.send, send_.count.data(), send_.place.data(), unit_.type(),
                            buffers.receive, receive_.count.data(), receive_.place.data(),
                            unit_.type(), comm_),
              "MPI_Alltoallv");
  }
};

}  // namespace

ExchangeMethod alltoallv_method() {
  return {"alltoallv",
          "MPI_Alltoallv on packed messages",
          {.any_length = true},
          make_exchange<Alltoallv>};
}

}  // namespace weft
