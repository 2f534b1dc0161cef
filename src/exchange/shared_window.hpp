#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exchange/exchange.hpp"
#include "weft/axes.hpp"
#include "weft/error.hpp"

namespace weft {

/// There is not enough memory that ranks can share.
class SharedMemoryError : public Error {
 public:
  explicit SharedMemoryError(const std::string& text) : Error(text, ErrorCode::memory) {}
};

/// Memory of this rank that other ranks can read and write. First everybody who needs some reserves
/// a place in it, then it is allocated, once.
///
/// What is used at different times lies in the same place: take a mark, reserve, and rewind to the
/// mark before reserving for another time.
class SharedWindow {
 public:
  using Mark = Index;

  virtual ~SharedWindow() = default;
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;

  /// Collective. Throws SharedMemoryError on all ranks where there is not enough on some, or where
  /// it cannot be shared.
  virtual void allocate() = 0;
  /// The ranks that share it.
  virtual const Communicator& ranks() const = 0;
  /// Address, for this rank, of what one of these ranks has reserved at `place`.
  std::byte* address(int rank, Index place) const {
    const auto at = static_cast<std::size_t>(rank);
    return base_[at] + counter_bytes_[at] + place;
  }
  std::uint64_t* counter(int rank, Index place) const {
    return reinterpret_cast<std::uint64_t*>(base_[static_cast<std::size_t>(rank)] + place);
  }

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
    const Index place = own_counter_bytes_;
    own_counter_bytes_ += rounded_up(count * 8, alignment);
    return place;
  }

  Index bytes() const { return bytes_; }

 protected:
  SharedWindow() = default;

  /// Places are apart by this much, so that neighbors do not fetch each other's cache lines.
  static constexpr Index alignment = 128;

  static Index rounded_up(Index bytes, Index multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
  }
  /// Of this rank.
  Index counter_bytes() const { return own_counter_bytes_; }

  std::vector<std::byte*> base_;      // by rank; counters come first
  std::vector<Index> counter_bytes_;  // by rank

 private:
  Index top_ = 0;
  Index bytes_ = 0;  // largest top
  Index own_counter_bytes_ = 0;
};

class Device;

/// Collective over `comm`, which outlives it: memory of this kind, of this device if it is not
/// that of nodes; null where exchanges share none.
std::unique_ptr<SharedWindow> make_window(ExchangeTraits::Window kind, const Communicator& comm,
                                          Device& device);

/// What is reserved for different times lies in the same place, and what is reserved after all of
/// them behind the largest. Does nothing without a window.
class PlacesInTurn {
 public:
  explicit PlacesInTurn(SharedWindow* window) : window_(window) { restart(); }
  ~PlacesInTurn() {
    if (window_ != nullptr) window_->rewind(std::max(end_, window_->mark()));
  }
  PlacesInTurn(const PlacesInTurn&) = delete;
  PlacesInTurn& operator=(const PlacesInTurn&) = delete;

  /// For another time.
  void next() {
    if (window_ == nullptr) return;
    end_ = std::max(end_, window_->mark());
    window_->rewind(begin_);
  }
  /// What has been reserved stays in use at the times that follow.
  void restart() {
    if (window_ == nullptr) return;
    begin_ = window_->mark();
    end_ = std::max(end_, begin_);
  }

 private:
  SharedWindow* window_;
  SharedWindow::Mark begin_ = 0;
  SharedWindow::Mark end_ = 0;
};

}  // namespace weft
