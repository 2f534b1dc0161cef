#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "exchange/decorator.hpp"
#include "exchange/environment.hpp"

namespace weft {

namespace {

constexpr const char* staged_wire = "p2p_pipelined";

Buffer pinned(Device& device, Index bytes) {
  return {device, static_cast<std::size_t>(bytes), MemoryKind::pinned};
}

/// Messages go through memory of the host and an exchange between hosts. With one that packs
/// itself, messages are copied one by one while others travel.
class Staged : public Decorator, private Packer {
 public:
  Staged(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Staged(spec, environment, find_wire(spec.parameter, staged_wire)) {}

  Staged(const ExchangeSpec& spec, const ExchangeEnvironment& environment,
         const ExchangeChoice& wire)
      : Decorator(spec, environment, make_wire(spec, environment, wire)),
        one_by_one_(wire.method->traits.family == ExchangeTraits::pipelined),
        handover_(streams_.device()) {
    collectively(environment.everybody, [&] {
      host_send_ = pinned(streams_.device(), send_bytes_);
      host_receive_ = pinned(streams_.device(), receive_bytes_);
      for (std::size_t i = 0; i < sends_.size(); ++i) {
        copied_.push_back(streams_.device().make_event());
      }
    });
  }

  void start(const ExchangeBuffers& buffers) override {
    receive_ = buffers.receive;
    // What came last may still be on its way to the device.
    streams_.own().synchronize();
    handover_(streams_.compute(), streams_.send());
    handover_(streams_.compute(), streams_.own());
    streams_.in_send_span("to the host", [&] { copy_to_host(buffers.send); });
    if (!one_by_one_) streams_.send().synchronize();
    start_wire({host_send_.data(), host_receive_.data(), one_by_one_ ? this : nullptr});
  }

  void wait() override {
    wait_for_wire();
    if (!one_by_one_) {
      for (std::size_t i = 0; i < receives_.size(); ++i) unpack(i);
    }
    handover_(streams_.own(), streams_.compute());
    // The buffer of sends may be packed again.
    handover_(streams_.send(), streams_.compute());
  }

 private:
  void copy_to_host(const std::byte* send) {
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      const Location& place = sends_[i].place;
      if (!place.is_moved()) continue;
      streams_.send().copy(host_send_.data() + place.offset, send + place.offset,
                           static_cast<std::size_t>(sends_[i].bytes));
      streams_.send().record(*copied_[i]);
    }
  }

  int fragments(std::size_t) const override { return 1; }
  Index pack_fragment(std::size_t send, int) override {
    if (sends_[send].place.is_moved()) copied_[send]->synchronize();
    return sends_[send].bytes;
  }
  void unpack(std::size_t receive) override {
    const Message& from = receives_[receive];
    if (!from.place.is_moved()) return;
    streams_.in_span(TraceLane::own, streams_.own(), step_, "from the host", [&] {
      streams_.own().copy(receive_ + from.place.offset, host_receive_.data() + from.place.offset,
                          static_cast<std::size_t>(from.bytes));
    });
  }
  void copy_own() override {}

  bool one_by_one_;
  Handover handover_;
  Buffer host_send_;
  Buffer host_receive_;
  std::vector<std::unique_ptr<Event>> copied_;
  std::byte* receive_ = nullptr;
};

}  // namespace

ExchangeMethod staged_method() {
  return {"staged",
          "messages of devices go through host memory",
          {.memory = ExchangeTraits::device},
          make_exchange<Staged>,
          [](const std::string& parameter) {
            const ExchangeTraits& traits = find_wire(parameter, staged_wire).method->traits;
            if (!is_wire(traits)) refuse_wire("staged", parameter);
          },
          "exchange between hosts, such as p2p"};
}

}  // namespace weft
