#pragma once

#include <vector>

#include "exchange/exchange.hpp"

namespace weft {

/// The unit in which packed messages are counted, so that 32-bit counts suffice for any size: a
/// cache line, or a power-of-two multiple of it where a buffer would otherwise need a larger count
/// than the limit. The same on all ranks. (Large-count functions of MPI-4 are not everywhere.)
class Unit {
 public:
  /// Collective: `largest` bytes of any rank must be countable.
  Unit(const Communicator& comm, Index largest, Index count_limit);

  Index bytes() const { return bytes_; }
  MPI_Datatype type() const { return type_.get(); }
  Index rounded_up(Index bytes) const { return (bytes + bytes_ - 1) / bytes_ * bytes_; }
  int count(Index bytes) const { return static_cast<int>((bytes + bytes_ - 1) / bytes_); }

 private:
  Index bytes_;
  Datatype type_;
};

/// Bytes of all messages to and from other ranks, each rounded up to a cache line.
Index packed_bytes(const std::vector<Message>& messages, int own_rank);
/// Gives each message its place, one after another, and returns the size of the buffer. The message
/// to oneself gets none.
Index place_messages(std::vector<Message>& messages, int own_rank, const Unit& unit);

}  // namespace weft
