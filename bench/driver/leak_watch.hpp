#pragma once

#include <mpi.h>

#include <cstdint>

#include "driver/memory.hpp"

namespace weft::bench {

/// Watches whether pairs of transforms make memory grow. What the harness itself takes between
/// them does not count.
class LeakWatch {
 public:
  /// `array_bytes`: of this rank's arrays, whose size tells how much growth is suspicious.
  LeakWatch(MPI_Comm comm, std::int64_t array_bytes);

  void before_pair() { before_ = memory_use(); }
  /// Collective. Whether so much is gone that repeating has to stop.
  bool too_much_after_pair();
  /// Collective.
  bool leaks() const;
  /// Bytes that a pair takes again and again: the mean without the pairs that took most and least,
  /// as the library or MPI may take something once, in whichever pair, and give it back in another.
  std::int64_t growth_per_pair() const;

 private:
  /// Pages that are touched for the first time, as of MPI's buffers, make resident memory grow too;
  /// that counts only where it is more than they can be.
  bool leaks_pages() const { return resident_ > allowed_; }
  std::int64_t growth() const { return leaks_pages() && resident_ > data_ ? resident_ : data_; }

  MPI_Comm comm_;
  std::int64_t allowed_;
  std::int64_t limit_;
  MemoryUse before_;
  std::int64_t resident_ = 0;
  std::int64_t data_ = 0;
  std::int64_t smallest_ = 0;  // of data_, in one pair
  std::int64_t largest_ = 0;
  std::int64_t pairs_ = 0;
};

}  // namespace weft::bench
