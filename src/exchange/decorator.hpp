#pragma once

#include <string>

#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"
#include "weft/error.hpp"

namespace weft {

/// The exchange that carries messages for another one: "p2p" of "staged:p2p".
inline ExchangeChoice find_wire(const std::string& parameter, const char* otherwise) {
  return find_exchange(parameter.empty() ? otherwise : parameter);
}

/// Whether it moves packed messages from one buffer of the caller to the other.
inline bool is_wire(const ExchangeTraits& traits) {
  return traits.family != ExchangeTraits::arrays && traits.memory == ExchangeTraits::host &&
         traits.window == ExchangeTraits::none;
}

[[noreturn]] inline void refuse_wire(const std::string& method, const std::string& parameter) {
  throw Error("exchange '" + method + ":" + parameter + "': " + parameter +
              " cannot carry messages of devices");
}

/// An exchange of messages of devices by one of the host, which says where messages lie.
class Decorator : public Exchange {
 public:
  bool blocks() const override { return wire_->blocks(); }
  bool test() override { return wire_->test(); }

 protected:
  Decorator(const ExchangeSpec& spec, const ExchangeEnvironment& environment,
            std::unique_ptr<Exchange> wire)
      : Exchange(spec), streams_(*environment.streams), wire_(std::move(wire)) {
    sends_ = wire_->sends();
    receives_ = wire_->receives();
    send_bytes_ = wire_->send_bytes();
    receive_bytes_ = wire_->receive_bytes();
  }

  void start_wire(const ExchangeBuffers& buffers) {
    step_ = streams_.recorder().step();
    if (streams_.is_traced()) sent_ = Recorder::now();
    wire_->start(buffers);
  }
  void wait_for_wire() {
    wire_->wait();
    if (!streams_.is_traced()) return;
    streams_.recorder().add(TraceLane::messages, step_, "", sent_, Recorder::now());
  }

  FieldStreams& streams_;
  std::unique_ptr<Exchange> wire_;
  TracedStep step_;  ///< that started it
  Moment sent_;      ///< when that was, where it is traced
};

/// Collective.
inline std::unique_ptr<Exchange> make_wire(const ExchangeSpec& spec,
                                           const ExchangeEnvironment& environment,
                                           const ExchangeChoice& choice) {
  ExchangeSpec wire = spec;
  wire.parameter = choice.parameter;
  return choice.method->make(wire, environment);
}

}  // namespace weft
