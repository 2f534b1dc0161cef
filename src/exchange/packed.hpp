#pragma once

#include <vector>

#include "exchange/unit.hpp"

namespace weft {

/// Base of exchanges between packed messages that lie one after another in the caller's buffers.
class PackedExchange : public Exchange {
 public:
  void set_lengths(const std::vector<Index>& sends, const std::vector<Index>& receives) override {
    send_lengths_ = sends;
    receive_lengths_ = receives;
  }

 protected:
  /// Collective: places the messages.
  PackedExchange(const ExchangeSpec& spec, const ExchangeEnvironment& environment);

  int send_count(std::size_t send) const { return unit_.count(send_lengths_[send]); }
  int receive_count(std::size_t receive) const { return unit_.count(receive_lengths_[receive]); }

  MPI_Comm comm_;
  Unit unit_;

 private:
  std::vector<Index> send_lengths_;  // of the next start
  std::vector<Index> receive_lengths_;
};

/// Base of exchanges by a collective with arrays of counts and places.
class VectorCollective : public PackedExchange {
 public:
  bool test() override;
  void wait() override;

 protected:
  /// Collective. The arrays have an entry for each rank of the communicator.
  VectorCollective(const ExchangeSpec& spec, const ExchangeEnvironment& environment);
  /// Collective. The arrays have an entry for each of these messages only, in this order.
  VectorCollective(const ExchangeSpec& spec, const ExchangeEnvironment& environment,
                   const std::vector<std::size_t>& sends, const std::vector<std::size_t>& receives);

  struct Arrays {
    std::vector<int> count;
    std::vector<int> place;
    std::vector<Index> entry;  // of each message, -1 where it is not carried
  };

  /// Counts of the next start. MPI reads the arrays while an exchange is under way, so that lengths
  /// that are set meanwhile have to wait until here.
  void apply_lengths();

  /// Addresses for MPI. Open MPI's libnbc takes equal ones for MPI_IN_PLACE, but those of a caller
  /// may also be equal because one of the buffers is empty.
  const std::byte* send_address(const std::byte* send) const {
    return send_bytes_ > 0 ? send : nullptr;
  }
  std::byte* receive_address(std::byte* receive) const {
    return receive_bytes_ > 0 ? receive : nullptr;
  }

  Arrays send_;
  Arrays receive_;
  MPI_Request request_ = MPI_REQUEST_NULL;  // null where the collective blocks

 private:
  void place(Arrays& arrays, const std::vector<Message>& messages) const;
};

}  // namespace weft
