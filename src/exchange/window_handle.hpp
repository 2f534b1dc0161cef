#pragma once

#include <mpi.h>

namespace weft {

/// Owns a window of MPI. One that outlives MPI is freed when MPI ends, by all ranks in the order in
/// which they were made: some MPI libraries end the program where a window is left.
class WindowHandle {
 public:
  WindowHandle() = default;
  /// Takes over a window that was just made.
  explicit WindowHandle(MPI_Win made);
  /// Collective.
  ~WindowHandle();
  WindowHandle(WindowHandle&& other) noexcept;
  WindowHandle& operator=(WindowHandle&& other) noexcept;

  MPI_Win get() const { return window_; }
  /// Locks all of it for as long as it exists. No lock of another kind may be taken.
  void lock_all();

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace weft
