// The calls of MPI that exchanges are held against.
#include <mpi.h>

#include <vector>

#include "exchange/agreement.hpp"
#include "tune/block_transfer.hpp"

namespace weft {

namespace {

class CollectiveTransfer : public BlockTransfer {
 public:
  CollectiveTransfer(BlockSite& site, Collective call)
      : BlockTransfer(site, call == Collective::alltoall ? "MPI_Alltoall" : "MPI_Alltoallv"),
        call_(call),
        count_(static_cast<int>(site.bytes / 16)) {
    const auto ranks = static_cast<std::size_t>(site.comm().size());
    const std::size_t all = ranks * static_cast<std::size_t>(site.bytes);
    collectively(site.comm(), [&] {
      for (Buffer* buffer : {&send_, &receive_}) *buffer = Buffer(*site.context.device, all);
      if (site.mpi_reaches_device()) return;
      for (Buffer* buffer : {&host_send_, &host_receive_}) {
        *buffer = Buffer(*site.context.device, all, MemoryKind::pinned);
      }
    });
    counts_.assign(ranks, count_);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      places_.push_back(static_cast<int>(rank) * count_);
    }
  }

 private:
  void move() override {
    const bool by_host = host_send_.size() > 0;
    if (!by_host) return call(send_.data(), receive_.data());
    site_.stream().copy(host_send_.data(), send_.data(), send_.size());
    site_.stream().synchronize();
    call(host_send_.data(), host_receive_.data());
    site_.stream().copy(receive_.data(), host_receive_.data(), receive_.size());
  }

  void call(const std::byte* send, std::byte* receive) const {
    MPI_Datatype number = MPI_C_DOUBLE_COMPLEX;
    MPI_Comm comm = site_.comm().get();
    if (call_ == Collective::alltoall) {
      check_mpi(MPI_Alltoall(send, count_, number, receive, count_, number, comm), "MPI_Alltoall");
    } else {
      check_mpi(MPI_Alltoallv(send, counts_.data(), places_.data(), number, receive, counts_.data(),
                              places_.data(), number, comm),
                "MPI_Alltoallv");
    }
  }

  std::byte* outgoing(int peer) override { return send_.data() + peer * site_.bytes; }
  std::byte* incoming(int peer) override { return receive_.data() + peer * site_.bytes; }

  Collective call_;
  int count_;
  std::vector<int> counts_, places_;
  Buffer send_, receive_;
  Buffer host_send_, host_receive_;  // empty where MPI reaches the memory of the device
};

}  // namespace

std::unique_ptr<BlockTransfer> make_collective_transfer(BlockSite& site, Collective call) {
  return std::make_unique<CollectiveTransfer>(site, call);
}

}  // namespace weft
