#pragma once

#include <vector>

#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"

namespace weft {

/// Flags by which ranks that write to each other's memory tell that a receiver has come to this
/// exchange, so that whatever lay there before has been read, and that all messages of a sender
/// have arrived. The host takes no part.
///
/// No flag is raised twice without being lowered: a receiver is ready again only after all messages
/// have arrived, and these are sent after the sender has lowered the flag that told it to.
class PeerSignals {
 public:
  /// Reserves the flags.
  PeerSignals(const ExchangeSpec& spec, const ExchangeEnvironment& environment);
  /// Collective over the exchange's communicator.
  void bind(const std::vector<Message>& sends, const std::vector<Message>& receives);

  /// The next exchange: this rank is ready for what others send.
  void signal_ready(Stream& stream) { stream.signal(ready_); }
  void await_receivers(Stream& stream) { stream.await(awaited_); }
  /// What was submitted before has sent everything.
  void signal_sent(Stream& stream) { stream.signal(sent_); }
  void await_senders(Stream& stream) { stream.await(came_); }

 private:
  const Communicator* comm_;
  SharedWindow& window_;
  Index flags_;
  Flags sent_;     // of receivers: all that this rank sends has come
  Flags came_;     // here: all from a sender has come
  Flags ready_;    // of senders: this rank is ready for what they send
  Flags awaited_;  // here: a receiver is
};

/// How the parameter of such an exchange says that blocks are moved.
Mover parse_mover(const std::string& method, const std::string& parameter);

}  // namespace weft
