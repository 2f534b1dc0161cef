#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "geometry/layout.hpp"

namespace weft {

/// One message of this rank.
struct Transfer {
  int peer = 0;       ///< rank in the exchange's communicator
  Box region;         ///< which points
  Index bytes = 0;    ///< payload
  Index offset = -1;  ///< of a packed message in its buffer, in bytes; set by the exchange. A
                      ///< message to oneself keeps -1 where the exchange does not carry it.
};

/// What an exchange is given when it is made. Collective over `comm`, same stage on all ranks.
struct ExchangeSetup {
  const Communicator* comm = nullptr;
  Index element_bytes = 0;
  std::vector<Transfer> sends;  ///< by increasing peer, own rank included
  std::vector<Transfer> receives;
  AxisList order;         ///< of the elements in a message, slowest axis first
  View from;              ///< where the data lies; for direct exchanges
  View to;                ///< where it goes; for direct exchanges
  Index count_limit = 0;  ///< largest count for one MPI argument
};

/// Packs and unpacks single messages for exchanges that interleave this with sending.
class PeerPacker {
 public:
  virtual ~PeerPacker() = default;
  virtual void pack(std::size_t send) = 0;
  virtual void unpack(std::size_t receive) = 0;
  /// Moves what stays on this rank.
  virtual void copy_own() = 0;
};

/// What an exchange needs from its caller.
struct ExchangeTraits {
  bool direct = false;        ///< from one View to the other, without packed messages
  bool packs_itself = false;  ///< calls a PeerPacker for each message
  bool carries_own = false;   ///< the message to oneself goes through it too
};

/// A way to carry out a redistribution, set up once and started many times. Buffers belong to the
/// caller; `send` and `receive` point to packed messages, or for direct exchanges to the arrays.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// `packer` is null unless the exchange packs itself.
  virtual void start(const std::byte* send, std::byte* receive, PeerPacker* packer) = 0;
  /// Returns when everything has arrived and the send buffer may be reused.
  virtual void wait() {}

  /// Payload sent to other ranks each time.
  Index bytes_to_others() const { return bytes_to_others_; }
  const std::vector<Transfer>& sends() const { return sends_; }
  const std::vector<Transfer>& receives() const { return receives_; }
  Index send_bytes() const { return send_bytes_; }        ///< size of the packed send buffer
  Index receive_bytes() const { return receive_bytes_; }  ///< size of the packed receive buffer

 protected:
  explicit Exchange(const ExchangeSetup& setup) : sends_(setup.sends), receives_(setup.receives) {
    for (const Transfer& transfer : sends_) {
      if (transfer.peer != setup.comm->rank()) bytes_to_others_ += transfer.bytes;
    }
  }

  std::vector<Transfer> sends_;
  std::vector<Transfer> receives_;
  Index send_bytes_ = 0;
  Index receive_bytes_ = 0;
  Index bytes_to_others_ = 0;
};

/// A row of the registry. Adding an exchange: a file with a class, and its row.
struct ExchangeMethod {
  const char* name;
  const char* description;
  ExchangeTraits traits;
  std::unique_ptr<Exchange> (*make)(const ExchangeSetup& setup);
};

const std::vector<ExchangeMethod>& exchange_methods();
/// By name. "auto" is alltoallv, which every MPI library tunes. Throws Error for unknown names.
const ExchangeMethod& find_exchange_method(const std::string& name);

}  // namespace weft
