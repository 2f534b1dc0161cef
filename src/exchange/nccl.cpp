#include <nccl.h>

#include "exchange/agreement.hpp"
#include "exchange/environment.hpp"
#include "exchange/packed.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

void check_nccl(ncclResult_t code, const char* call) {
  if (code == ncclSuccess) return;
  throw Error(std::string(call) + ": " + ncclGetErrorString(code), ErrorCode::device);
}

/// NCCL's communicator of the ranks of one of MPI's, kept as an attribute of it: it is made once
/// and ends with it.
class NcclCommunicator {
 public:
  /// Collective, when it is first asked for.
  static ncclComm_t of(const Communicator& comm, const Device& device) {
    device.use();
    void* found = nullptr;
    int is_there = 0;
    check_mpi(MPI_Comm_get_attr(comm.get(), key(), &found, &is_there), "MPI_Comm_get_attr");
    if (is_there != 0) return static_cast<ncclComm_t>(found);
    ncclUniqueId id{};
    collectively(comm, [&] {
      if (comm.rank() == 0) check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    });
    check_mpi(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm.get()), "MPI_Bcast");
    ncclComm_t made = nullptr;
    collectively(comm, [&] {
      check_nccl(ncclCommInitRank(&made, comm.size(), id, comm.rank()), "ncclCommInitRank");
    });
    check_mpi(MPI_Comm_set_attr(comm.get(), key(), made), "MPI_Comm_set_attr");
    return made;
  }

 private:
  static int key() {
    static const int value = [] {
      int made = MPI_KEYVAL_INVALID;
      check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, destroy, &made, nullptr),
                "MPI_Comm_create_keyval");
      return made;
    }();
    return value;
  }
  static int destroy(MPI_Comm, int, void* communicator, void*) {
    ncclCommDestroy(static_cast<ncclComm_t>(communicator));
    return MPI_SUCCESS;
  }
};

/// Packed messages, sent and received in one group of calls of NCCL.
class Nccl : public PackedExchange {
 public:
  Nccl(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : PackedExchange(spec, environment),
        streams_(*environment.streams),
        nccl_(NcclCommunicator::of(*spec.comm, streams_.device())),
        handover_(streams_.device()),
        arrived_(streams_.device().make_event()) {}

  void start(const ExchangeBuffers& buffers) override {
    auto* const stream = static_cast<cudaStream_t>(streams_.send().native());
    handover_(streams_.compute(), streams_.send());
    streams_.in_send_span("messages", [&] { put_into(stream, buffers.send, buffers.receive); });
    streams_.send().record(*arrived_);
  }

  bool test() override { return true; }
  void wait() override { streams_.compute().wait(*arrived_); }

 private:
  void put_into(cudaStream_t stream, const std::byte* send, std::byte* receive) const {
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (const Message& from : receives_) {
      if (!from.place.is_moved() || from.bytes == 0) continue;
      check_nccl(ncclRecv(receive + from.place.offset, static_cast<std::size_t>(from.bytes),
                          ncclChar, from.peer, nccl_, stream),
                 "ncclRecv");
    }
    for (const Message& to : sends_) {
      if (!to.place.is_moved() || to.bytes == 0) continue;
      check_nccl(ncclSend(send + to.place.offset, static_cast<std::size_t>(to.bytes), ncclChar,
                          to.peer, nccl_, stream),
                 "ncclSend");
    }
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }

  FieldStreams& streams_;
  ncclComm_t nccl_;
  Handover handover_;
  std::unique_ptr<Event> arrived_;
};

}  // namespace

ExchangeMethod nccl_method() {
  return {.name = "nccl",
          .description = "NCCL sends and receives packed messages",
          .traits = {.memory = ExchangeTraits::device, .own_devices = true},
          .make = make_exchange<Nccl>,
          .why_not = [](const DeviceInfo& device) -> std::string {
            const bool is_gpu = find_device_method(device.kind).is_gpu;
            return is_gpu ? "" : "needs GPUs, device '" + device.kind + "' has none";
          }};
}

}  // namespace weft
