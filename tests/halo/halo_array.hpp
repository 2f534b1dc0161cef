#pragma once

#include <functional>
#include <vector>

#include "support/global_array.hpp"
#include "weft/halo.hpp"

namespace weft::test {

/// The array of one rank with its halo, in the middle of memory that nobody may touch.
class HaloArray {
 public:
  /// Every byte is poison, which is a NaN.
  HaloArray(const Halo& halo, const HaloProblem& problem);

  /// What a user would pass.
  std::byte* data() { return memory_.data() + start_; }
  const LocalArray& layout() const { return layout_; }
  Complex get(const Extents& point, Index field) const;
  void set(const Extents& point, Index field, Complex value);
  /// The bytes of the array and of all around it.
  const std::vector<std::byte>& bytes() const { return memory_; }

  /// Calls visit(point, owned, global) for the box and the halo around it that exists: `global` is
  /// the point's place in the array, which differs from `point` beyond a periodic border.
  void for_each_point(const std::function<void(const Extents& point, bool owned,
                                               const Extents& global)>& visit) const;

 private:
  Index position(const Extents& point, Index field) const;

  LocalArray layout_;
  Extents lower_;
  Extents upper_;
  Extents shape_;
  Axes<bool> periodic_;
  std::vector<std::byte> memory_;
  std::size_t start_;
};

/// Runs an operation on untyped memory.
void exchange(Halo& halo, HaloArray& array);
void accumulate(Halo& halo, HaloArray& array);
void start_exchange(Halo& halo, HaloArray& array);
void start_accumulate(Halo& halo, HaloArray& array);

}  // namespace weft::test
