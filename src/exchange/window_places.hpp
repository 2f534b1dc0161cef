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

/// What is reserved for different times lies in the same place, and what is reserved after all of
/// them behind the largest. Does nothing without places.
class PlacesInTurn {
 public:
  explicit PlacesInTurn(WindowPlaces* places) : places_(places) { restart(); }
  ~PlacesInTurn() {
    if (places_ != nullptr) places_->rewind(std::max(end_, places_->mark()));
  }
  PlacesInTurn(const PlacesInTurn&) = delete;
  PlacesInTurn& operator=(const PlacesInTurn&) = delete;

  /// For another time.
  void next() {
    if (places_ == nullptr) return;
    end_ = std::max(end_, places_->mark());
    places_->rewind(begin_);
  }
  /// What has been reserved stays in use at the times that follow.
  void restart() {
    if (places_ == nullptr) return;
    begin_ = places_->mark();
    end_ = std::max(end_, begin_);
  }

 private:
  WindowPlaces* places_;
  WindowPlaces::Mark begin_ = 0;
  WindowPlaces::Mark end_ = 0;
};

}  // namespace weft
