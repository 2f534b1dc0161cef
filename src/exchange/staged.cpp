#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "exchange/device_side.hpp"
#include "exchange/device_wire.hpp"

namespace weft {

namespace {

constexpr const char* staged_wire = "p2p_pipelined";

Buffer pinned(Device& device, Index bytes) {
  return {device, static_cast<std::size_t>(bytes), MemoryKind::pinned};
}

/// Messages go through memory of the host and an exchange between hosts. With one that packs
/// itself, messages are copied one by one while others travel.
class Staged : public OverWire, private PeerPacker {
 public:
  Staged(const ExchangeSetup& setup, std::unique_ptr<Exchange> wire, bool one_by_one)
      : OverWire(setup, std::move(wire)), one_by_one_(one_by_one), handover_(side_->device()) {
    collectively(setup.everybody != nullptr ? *setup.everybody : *setup.comm, [&] {
      host_send_ = pinned(side_->device(), send_bytes_);
      host_receive_ = pinned(side_->device(), receive_bytes_);
      for (std::size_t i = 0; i < sends_.size(); ++i) {
        copied_.push_back(side_->device().make_event());
      }
    });
  }

  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    receive_ = receive;
    // What came last may still be on its way to the device.
    side_->own->synchronize();
    handover_(*side_->compute, *side_->send);
    handover_(*side_->compute, *side_->own);
    side_->in_send_span("to the host", [&] { copy_to_host(send); });
    if (!one_by_one_) side_->send->synchronize();
    start_wire(host_send_.data(), host_receive_.data(), one_by_one_ ? this : nullptr);
  }

  void wait() override {
    wait_for_wire();
    if (!one_by_one_) {
      for (std::size_t i = 0; i < receives_.size(); ++i) unpack(i);
    }
    handover_(*side_->own, *side_->compute);
    // The buffer of sends may be packed again.
    handover_(*side_->send, *side_->compute);
  }

 private:
  void copy_to_host(const std::byte* send) {
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (sends_[i].offset < 0) continue;
      side_->send->copy(host_send_.data() + sends_[i].offset, send + sends_[i].offset,
                        static_cast<std::size_t>(sends_[i].bytes));
      side_->send->record(*copied_[i]);
    }
  }

  int fragments(std::size_t) const override { return 1; }
  Index pack_fragment(std::size_t send, int) override {
    if (sends_[send].offset >= 0) copied_[send]->synchronize();
    return sends_[send].bytes;
  }
  void unpack(std::size_t receive) override {
    const Transfer& from = receives_[receive];
    if (from.offset < 0) return;
    side_->in_span(TraceLane::own, *side_->own, step_, "from the host", [&] {
      side_->own->copy(receive_ + from.offset, host_receive_.data() + from.offset,
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
          "messages of devices go through memory of the host",
          {.memory = ExchangeTraits::device},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            const ExchangeChoice choice = find_wire(setup.parameter, staged_wire);
            return std::make_unique<Staged>(
                setup, make_wire(setup, choice),
                choice.method->traits.family == ExchangeTraits::pipelined);
          },
          [](const std::string& parameter) {
            const ExchangeTraits& traits = find_wire(parameter, staged_wire).method->traits;
            if (!is_wire(traits)) refuse_wire("staged", parameter);
          },
          "how they travel between hosts, as p2p"};
}

}  // namespace weft
