#include "exchange/window.hpp"

#include <cstdint>

#include "exchange/agreement.hpp"

namespace weft {

Window::Window(const Communicator& comm, Index bytes) {
  // MPI libraries align less, some to 8 bytes only.
  void* base = nullptr;
  MPI_Win made = MPI_WIN_NULL;
  collectively(comm, [&] {
    check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(bytes + alignment), 1, MPI_INFO_NULL,
                               comm.get(), &base, &made),
              "MPI_Win_allocate (with Open MPI 4 over TCP it needs --mca osc pt2pt, and no "
              "MPI_THREAD_MULTIPLE)");
  });
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
  window_ = WindowHandle(made);
  const auto beyond = static_cast<Index>(reinterpret_cast<std::uintptr_t>(base) % alignment);
  shift_ = static_cast<MPI_Aint>((alignment - beyond) % alignment);
  memory_ = static_cast<std::byte*>(base) + shift_;
  window_.lock_all();
}

}  // namespace weft
