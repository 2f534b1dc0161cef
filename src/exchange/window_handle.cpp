#include "exchange/window_handle.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "exchange/communicator.hpp"

namespace weft {

namespace {

struct OpenWindow {
  MPI_Win window;
  bool locked;
};

void free_window(OpenWindow& open) {
  if (open.locked) MPI_Win_unlock_all(open.window);
  MPI_Win_free(&open.window);
}

/// The windows of this process, in the order in which they were made.
class OpenWindows {
 public:
  /// Never destroyed: plans that are global are destroyed late.
  static OpenWindows& instance() {
    static auto* const windows = new OpenWindows;
    return *windows;
  }

  void add(MPI_Win window) {
    const std::lock_guard guard(mutex_);
    // MPI_Finalize begins with deleting the attributes of MPI_COMM_SELF, while MPI still works.
    if (!frees_at_end_) {
      int key = MPI_KEYVAL_INVALID;
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_rest, &key, nullptr);
      MPI_Comm_set_attr(MPI_COMM_SELF, key, this);
      MPI_Comm_free_keyval(&key);  // it stays as long as the attribute
      frees_at_end_ = true;
    }
    windows_.push_back({window, false});
  }
  void note_lock(MPI_Win window) {
    const std::lock_guard guard(mutex_);
    find(window)->locked = true;
  }
  OpenWindow remove(MPI_Win window) {
    const std::lock_guard guard(mutex_);
    const auto found = find(window);
    const OpenWindow open = *found;
    windows_.erase(found);
    return open;
  }

 private:
  static int free_rest(MPI_Comm, int, void* windows, void*) {
    auto& of = *static_cast<OpenWindows*>(windows);
    for (OpenWindow& open : of.windows_) free_window(open);
    of.windows_.clear();
    return MPI_SUCCESS;
  }

  std::vector<OpenWindow>::iterator find(MPI_Win window) {
    return std::find_if(windows_.begin(), windows_.end(),
                        [&](const OpenWindow& open) { return open.window == window; });
  }

  std::mutex mutex_;
  std::vector<OpenWindow> windows_;
  bool frees_at_end_ = false;
};

}  // namespace

WindowHandle::WindowHandle(MPI_Win made) : window_(made) {
  OpenWindows::instance().add(made);
}

WindowHandle::~WindowHandle() {
  if (window_ == MPI_WIN_NULL || mpi_is_finalized()) return;
  OpenWindow open = OpenWindows::instance().remove(window_);
  free_window(open);
}

WindowHandle::WindowHandle(WindowHandle&& other) noexcept
    : window_(std::exchange(other.window_, MPI_WIN_NULL)) {}

WindowHandle& WindowHandle::operator=(WindowHandle&& other) noexcept {
  std::swap(window_, other.window_);
  return *this;
}

void WindowHandle::lock_all() {
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  OpenWindows::instance().note_lock(window_);
}

}  // namespace weft
