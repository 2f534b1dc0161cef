#include "exchange/node_window.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "device/alignment.hpp"
#include "exchange/agreement.hpp"
#include "geometry/human_units.hpp"

namespace weft {

namespace {

constexpr Index page_bytes = 4096;
constexpr auto huge_page = static_cast<Index>(huge_page_bytes);
constexpr auto huge_memory = static_cast<Index>(huge_memory_bytes);

/// Windows come from here on Linux, both with Open MPI and with MPICH.
constexpr const char* shared_folder = "/dev/shm";

std::optional<std::string> find_shortage(Index bytes) {
  const auto needed = static_cast<std::uint64_t>(bytes);
  const auto text = [&](std::uint64_t there, const std::string& where) {
    return human_bytes(static_cast<double>(bytes)) +
           " of memory shared by the ranks of a node are needed, but " +
           human_bytes(static_cast<double>(there)) + " are " + where;
  };
  struct statvfs space {};
  if (statvfs(shared_folder, &space) == 0) {
    const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
    if (free < needed) return text(free, std::string("free in ") + shared_folder);
  }
  struct rlimit limit {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < needed) {
    return text(limit.rlim_cur, "allowed by the limit on file sizes (ulimit -f)");
  }
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < needed) {
    return text(limit.rlim_cur, "allowed by the limit on address space (ulimit -v)");
  }
  return std::nullopt;
}

/// Of a rank's part. MPI libraries may put it anywhere: with Open MPI 4.1 it lies 264 bytes behind
/// the beginning of a page, where nothing of 16 bytes could be stored past the caches.
std::byte* first_page(void* part) {
  const auto beyond = static_cast<Index>(reinterpret_cast<std::uintptr_t>(part) % page_bytes);
  return static_cast<std::byte*>(part) + (page_bytes - beyond) % page_bytes;
}

/// Collective: agree(), with an error of its own kind.
void agree_on_memory(const Communicator& comm, const std::optional<Error>& error) {
  try {
    agree(comm, error);
  } catch (const Error& shared) {
    throw SharedMemoryError(shared.what());
  }
}

}  // namespace

NodeWindow::NodeWindow(const Communicator& comm)
    : comm_(comm), node_(Communicator::split_by_node(comm)) {}

void NodeWindow::allocate() {
  const Index counters = rounded_up(counter_bytes(), page_bytes);
  const bool large = counters + bytes() >= huge_memory;
  const Index mine = rounded_up(counters + bytes(), large ? huge_page : page_bytes) + page_bytes;
  Index on_node = 0;
  check_mpi(MPI_Allreduce(&mine, &on_node, 1, MPI_INT64_T, MPI_SUM, node_.get()), "MPI_Allreduce");
  agree_on_memory(comm_, find_shortage(on_node));
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  // Every rank's part lies in pages of its own, in the memory next to it.
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  void* base = nullptr;
  MPI_Win made = MPI_WIN_NULL;
  const int code =
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(mine), 1, info, node_.get(), &base, &made);
  MPI_Info_free(&info);
  std::optional<std::string> error;
  if (code != MPI_SUCCESS) {
    error = "MPI_Win_allocate_shared of " + human_bytes(static_cast<double>(mine)) + " failed";
  }
  if (!error) window_ = WindowHandle(made);
  agree_on_memory(comm_, error);
  const Index usable = mine - page_bytes;
  std::byte* const begin = first_page(base);
  madvise(begin, static_cast<std::size_t>(usable), MADV_HUGEPAGE);  // a hint only
  if (counters > 0) std::memset(begin, 0, static_cast<std::size_t>(counters));
  // Pages lie next to the processor that touches them first: to be the one that reads them.
  for (Index at = counters; at < usable; at += page_bytes) begin[at] = std::byte{0};
  for (int rank = 0; rank < node_.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* theirs = nullptr;
    check_mpi(MPI_Win_shared_query(made, rank, &size, &unit, &theirs), "MPI_Win_shared_query");
    base_.push_back(first_page(theirs));
  }
  counter_bytes_.resize(static_cast<std::size_t>(node_.size()));
  check_mpi(
      MPI_Allgather(&counters, 1, MPI_INT64_T, counter_bytes_.data(), 1, MPI_INT64_T, node_.get()),
      "MPI_Allgather");
}

}  // namespace weft
