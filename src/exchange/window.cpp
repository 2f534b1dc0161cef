#include "exchange/window.hpp"

#include <cstdint>
#include <utility>

#include "exchange/agreement.hpp"

namespace weft {

Window::Window(const Communicator& comm, Index bytes) {
  // MPI libraries align less, some to 8 bytes only.
  void* base = nullptr;
  collectively(comm, [&] {
    check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(bytes + alignment), 1, MPI_INFO_NULL,
                               comm.get(), &base, &window_),
              "MPI_Win_allocate (with Open MPI 4 over TCP it needs --mca osc pt2pt, and no "
              "MPI_THREAD_MULTIPLE)");
  });
  MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  const auto beyond = static_cast<Index>(reinterpret_cast<std::uintptr_t>(base) % alignment);
  shift_ = static_cast<MPI_Aint>((alignment - beyond) % alignment);
  memory_ = static_cast<std::byte*>(base) + shift_;
  // No lock of another kind is ever taken.
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
}

Window::~Window() {
  if (window_ == MPI_WIN_NULL || mpi_is_finalized()) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

Window::Window(Window&& other) noexcept
    : window_(std::exchange(other.window_, MPI_WIN_NULL)),
      memory_(std::exchange(other.memory_, nullptr)),
      shift_(other.shift_) {}

Window& Window::operator=(Window&& other) noexcept {
  std::swap(window_, other.window_);
  std::swap(memory_, other.memory_);
  std::swap(shift_, other.shift_);
  return *this;
}

}  // namespace weft
