#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "weft/axes.hpp"
#include "weft/error.hpp"

namespace weft {

/// There is not enough memory that the ranks of a node can share.
class SharedMemoryError : public Error {
 public:
  using Error::Error;
};

/// Memory of this rank that the other ranks of its node can read and write (a shared window of
/// MPI-3). First everybody who needs some reserves it, then it is allocated, once.
///
/// What is used at different times lies in the same place: take a mark, reserve, and rewind to the
/// mark before reserving for another time.
class NodeWindow {
 public:
  using Mark = Index;

  /// Collective.
  explicit NodeWindow(const Communicator& comm);
  ~NodeWindow();
  NodeWindow(const NodeWindow&) = delete;
  NodeWindow& operator=(const NodeWindow&) = delete;

  /// Returns the place of memory that this rank offers, relative to its beginning.
  Index reserve(Index bytes);
  Mark mark() const { return top_; }
  void rewind(Mark mark) { top_ = mark; }
  /// Memory that is never shared with other times, and zero at first.
  Index reserve_counter();

  /// Collective. Throws SharedMemoryError on all ranks when there is not enough on some node.
  void allocate();
  /// Address of what `node_rank` has reserved at `place`.
  std::byte* address(int node_rank, Index place) const;
  /// Address of a counter.
  std::byte* counter(int node_rank, Index place) const;

  const Communicator& node() const { return node_; }
  Index bytes() const { return bytes_; }

 private:
  const Communicator& comm_;
  Communicator node_;
  Index top_ = 0;
  Index bytes_ = 0;     // largest top
  Index counters_ = 0;  // bytes of counters, which come first
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::byte*> base_;      // by node rank
  std::vector<Index> counter_bytes_;  // by node rank
};

}  // namespace weft
