#include "exchange/device_window.hpp"

#include <algorithm>

#include "exchange/agreement.hpp"

namespace weft {

namespace {

/// Collective. What fails on any rank fails on all, with an error of its own kind.
template <class Work>
void share_collectively(const Communicator& comm, Work&& work) {
  try {
    collectively(comm, work);
  } catch (const Error& error) {
    throw SharedMemoryError(error.what());
  }
}

}  // namespace

DeviceWindow::~DeviceWindow() {
  if (base_.empty()) return;
  const auto own = static_cast<std::size_t>(comm_.rank());
  for (std::size_t rank = 0; rank < base_.size(); ++rank) {
    if (rank != own && base_[rank] != nullptr) device_.unmap(base_[rank]);
  }
  // Memory may be freed when nobody has it mapped any more, or still sets flags in it.
  if (!mpi_is_finalized()) MPI_Barrier(comm_.get());
  if (base_[own] != nullptr) device_.free(base_[own], MemoryKind::shared);
}

void DeviceWindow::allocate() {
  const auto ranks = static_cast<std::size_t>(comm_.size());
  const auto own = static_cast<std::size_t>(comm_.rank());
  base_.assign(ranks, nullptr);
  SharedName name{};
  share_collectively(comm_, [&] {
    const Index needed = std::max<Index>(counter_bytes() + bytes(), alignment);
    base_[own] = device_.allocate(static_cast<std::size_t>(needed), MemoryKind::shared);
    if (ranks > 1) name = device_.share(base_[own]);
  });
  std::vector<SharedName> names(ranks);
  check_mpi(MPI_Allgather(name.data(), static_cast<int>(name.size()), MPI_BYTE, names.data(),
                          static_cast<int>(name.size()), MPI_BYTE, comm_.get()),
            "MPI_Allgather");
  const Index counters = counter_bytes();
  counter_bytes_.resize(ranks);
  check_mpi(
      MPI_Allgather(&counters, 1, MPI_INT64_T, counter_bytes_.data(), 1, MPI_INT64_T, comm_.get()),
      "MPI_Allgather");
  share_collectively(comm_, [&] {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (rank != own) base_[rank] = device_.map(names[rank]);
    }
  });
}

}  // namespace weft
