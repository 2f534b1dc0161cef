#pragma once

#include "local/line_cursor.hpp"
#include "local/local_transform.hpp"
#include "local/stockham_plan.hpp"

namespace weft::stockham {

/// Whether lines lie beyond the caches.
struct LineMemory {
  bool input = false;
  bool output = false;
};

/// The transform along one axis of all lines of a batch. Lengths are logical, strides in reals.
template <class Real>
class LineBatch {
 public:
  LineBatch(const LocalAxis& line, Kind kind, Direction direction, const Axes<LocalAxis>& loops,
            int threads, const Kernels<Real>& kernels, LineMemory memory);

  /// Where contiguous lines go past the caches they are put together here.
  std::size_t work_bytes() const;
  /// `in` and `out` may be the same when their strides are. Takes up to 272 KiB of stack.
  void execute(const Real* in, Real* out, Real* work) const;

 private:
  void order_loops();
  void run_groups(Index from, Index to, const Real* in, Real* out, Real* work) const;
  void run_inside(Index from, Index to, const Real* in, Real* out, Real* buffer, Real* work) const;
  void run_lines(const Kernel<Real>& kernel, const Line<Real>& line, LineCursor<Real>& cursor,
                 Index lines, Real* buffer, Real* work) const;
  void fetch(LineCursor<Real>& ahead, Index lines) const;
  Access access(const Real* const* lines, int lanes, Index stride, Index unit) const;

  LinePlan<Real> plan_;
  LocalAxis line_;
  Axes<LocalAxis> loops_;  ///< the last one holds lines that are neighbors
  int threads_;
  Kernels<Real> kernels_;
  Index in_unit_, out_unit_;  ///< reals of an element
  Index lines_ = 1;
  Index rows_;      ///< lines of a group
  Index groups_;    ///< of as many lines as the wide kernel takes, the last one with the rest
  bool inside_;     ///< contiguous lines, each a group of its own
  bool fetches_;    ///< contiguous lines from memory, one group ahead
  bool streams_;    ///< contiguous lines to memory
  Index in_bytes_;  ///< of a line
  Index out_bytes_;
  Index row_;  ///< reals of a line on its way to memory and up to the next one
};

}  // namespace weft::stockham
