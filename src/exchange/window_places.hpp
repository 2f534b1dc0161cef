#pragma once

#include <algorithm>

#include "weft/axes.hpp"

namespace weft {

/// Places in memory that this rank will offer to others. First everybody who needs some reserves
/// it, then it is allocated, once.
///
/// What is used at different times lies in the same place: take a mark, reserve, and rewind to the
/// mark before reserving for another time.
class WindowPlaces {
 public:
  using Mark = Index;

  /// Returns the place of memory, relative to its beginning.
  Index reserve(Index bytes) {
    const Index place = top_;
    top_ += rounded_up(bytes, alignment);
    bytes_ = std::max(bytes_, top_);
    return place;
  }
  Mark mark() const { return top_; }
  void rewind(Mark mark) { top_ = mark; }
  /// Memory of so many counters of 8 bytes that is never shared with other times, and zero at
  /// first.
  Index reserve_counters(Index count) {
    const Index place = counter_bytes_;
    counter_bytes_ += rounded_up(count * 8, alignment);
    return place;
  }

  Index bytes() const { return bytes_; }

 protected:
  /// Places are apart by this much, so that neighbours do not fetch each other's cache lines.
  static constexpr Index alignment = 128;

  static Index rounded_up(Index bytes, Index multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
  }
  Index counter_bytes() const { return counter_bytes_; }

 private:
  Index top_ = 0;
  Index bytes_ = 0;  // largest top
  Index counter_bytes_ = 0;
};

}  // namespace weft
