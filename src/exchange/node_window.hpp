#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "exchange/window_handle.hpp"
#include "exchange/window_places.hpp"
#include "weft/axes.hpp"
#include "weft/error.hpp"

namespace weft {

/// There is not enough memory that the ranks of a node can share.
class SharedMemoryError : public Error {
 public:
  using Error::Error;
};

/// Memory of this rank that the other ranks of its node can read and write (a shared window of
/// MPI-3).
class NodeWindow : public WindowPlaces {
 public:
  /// Collective.
  explicit NodeWindow(const Communicator& comm);
  NodeWindow(const NodeWindow&) = delete;
  NodeWindow& operator=(const NodeWindow&) = delete;

  /// Collective. Throws SharedMemoryError on all ranks when there is not enough on some node.
  void allocate();
  /// Address of what `node_rank` has reserved at `place`.
  std::byte* address(int node_rank, Index place) const;
  /// Address of a counter.
  std::byte* counter(int node_rank, Index place) const;

  const Communicator& node() const { return node_; }

 private:
  const Communicator& comm_;
  Communicator node_;
  WindowHandle window_;
  std::vector<std::byte*> base_;      // by node rank; counters come first
  std::vector<Index> counter_bytes_;  // by node rank
};

}  // namespace weft
