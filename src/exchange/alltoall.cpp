#include <algorithm>

#include "exchange/environment.hpp"
#include "exchange/unit.hpp"

namespace weft {

namespace {

/// Every pair of ranks exchanges as many bytes as the largest message of any pair.
class Alltoall : public Exchange {
 public:
  Alltoall(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(spec.comm->get()),
        unit_(*spec.comm, largest(spec), environment.count_limit) {
    Index block = largest(spec);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &block, 1, MPI_INT64_T, MPI_MAX, comm_), "MPI_Allreduce");
    block = unit_.rounded_up(block);
    count_ = unit_.count(block);
    send_bytes_ = receive_bytes_ = block * spec.comm->size();
    for (Message& message : sends_) message.place = {Location::buffer, block * message.peer};
    for (Message& message : receives_) message.place = {Location::buffer, block * message.peer};
  }

  bool blocks() const override { return true; }

  void start(const ExchangeBuffers& buffers) override {
    check_mpi(MPI_Alltoall(buffers.send, count_, unit_.type(), buffers.receive, count_,
                           unit_.type(), comm_),
              "MPI_Alltoall");
  }

 private:
  static Index largest(const ExchangeSpec& spec) {
    Index bytes = 0;
    for (const Message& message : spec.sends) bytes = std::max(bytes, message.bytes);
    return bytes;
  }

  MPI_Comm comm_;
  Unit unit_;
  int count_ = 0;
};

}  // namespace

ExchangeMethod alltoall_method() {
  return {"alltoall", "MPI_Alltoall, messages padded to equal length", {}, make_exchange<Alltoall>};
}

}  // namespace weft
