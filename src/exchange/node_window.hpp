#pragma once

#include "exchange/shared_window.hpp"
#include "exchange/window_handle.hpp"

namespace weft {

/// Memory of this rank that the other ranks of its node can read and write (a shared window of
/// MPI-3).
class NodeWindow : public SharedWindow {
 public:
  /// Collective.
  explicit NodeWindow(const Communicator& comm);

  void allocate() override;
  const Communicator& ranks() const override { return node_; }

 private:
  const Communicator& comm_;
  Communicator node_;
  WindowHandle window_;
};

}  // namespace weft
