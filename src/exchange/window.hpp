#pragma once

#include "exchange/unit.hpp"
#include "exchange/window_handle.hpp"

namespace weft {

/// Memory of this rank that the other ranks of a communicator may put data into at any time: it
/// stays locked by all for all. Making and destroying it is collective.
class Window {
 public:
  /// Messages in it begin at multiples of this: two cache lines, as processors fetch them in pairs.
  static constexpr Index alignment = 128;

  Window() = default;
  /// Collective; `bytes` may differ between ranks.
  Window(const Communicator& comm, Index bytes);

  MPI_Win get() const { return window_.get(); }
  /// Aligned to `alignment`.
  std::byte* memory() const { return memory_; }
  /// What other ranks have to name as displacement for an offset in memory().
  MPI_Aint displacement(Index offset) const { return shift_ + static_cast<MPI_Aint>(offset); }

 private:
  WindowHandle window_;
  std::byte* memory_ = nullptr;
  MPI_Aint shift_ = 0;
};

}  // namespace weft
