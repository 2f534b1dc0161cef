#pragma once

#include <vector>

#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"

namespace weft {

/// Counters in memory that devices share, set and awaited by their streams, by which ranks that
/// write to each other's memory tell that a receiver has come to this exchange, so that whatever
/// lay there before has been read, and that all messages of a sender have arrived. The host takes
/// no part.
class PeerSignals {
 public:
  /// Reserves the counters.
  PeerSignals(const ExchangeSpec& spec, const ExchangeEnvironment& environment);
  /// Collective over the exchange's communicator.
  void bind(const std::vector<Message>& sends, const std::vector<Message>& receives);

  /// The next exchange: this rank is ready for what others send.
  void signal_ready(Stream& stream) { stream.signal(ready_, true); }
  void await_receivers(Stream& stream) { stream.await(awaited_); }
  /// What was submitted before has sent everything.
  void signal_sent(Stream& stream) { stream.signal(sent_, false); }
  void await_senders(Stream& stream) { stream.await(came_); }

 private:
  const Communicator* comm_;
  SharedWindow& window_;
  Index counters_;
  Flags sent_;     // counters of receivers: all that this rank sends has come
  Flags came_;     // counters here: all from a sender has come
  Flags ready_;    // counters of senders: this rank is ready for what they send
  Flags awaited_;  // counters here: a receiver is
};

/// How the parameter of such an exchange says that blocks are moved.
Mover parse_mover(const std::string& method, const std::string& parameter);

}  // namespace weft
