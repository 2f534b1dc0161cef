#include "exchange/environment.hpp"
#include "exchange/packed.hpp"

namespace weft {

namespace {

class Ialltoallv : public VectorCollective {
 public:
  Ialltoallv(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : VectorCollective(spec, environment) {}

  void start(const ExchangeBuffers& buffers) override {
    apply_lengths();
    check_mpi(MPI_Ialltoallv(send_address(buffers.send), send_.count.data(), send_.place.data(),
                             unit_.type(), receive_address(buffers.receive), receive_.count.data(),
                             receive_.place.data(), unit_.type(), comm_, &request_),
              "MPI_Ialltoallv");
  }
};

}  // namespace

ExchangeMethod ialltoallv_method() {
  return {"ialltoallv",
          "MPI_Ialltoallv on packed messages; progresses by itself as far as MPI does",
          {.any_length = true},
          make_exchange<Ialltoallv>};
}

}  // namespace weft
