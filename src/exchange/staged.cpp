#include "exchange/device_side.hpp"
#include "exchange/exchange.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr const char* default_wire = "p2p_pipelined";

/// Memory of the host that a device reaches fast.
class Staging {
 public:
  Staging(Device& device, Index bytes)
      : device_(device),
        data_(bytes > 0 ? device.allocate_staging(static_cast<std::size_t>(bytes)) : nullptr) {}
  ~Staging() {
    if (data_ != nullptr) device_.free_staging(data_);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::byte* data() const { return data_; }

 private:
  Device& device_;
  std::byte* data_;
};

/// Messages go through memory of the host and an exchange between hosts. With one that packs
/// itself, messages are copied one by one while others travel.
class Staged : public Exchange, private PeerPacker {
 public:
  Staged(const ExchangeSetup& setup, std::unique_ptr<Exchange> wire, bool one_by_one)
      : Exchange(setup),
        side_(setup.device),
        wire_(std::move(wire)),
        one_by_one_(one_by_one),
        handover_(*side_->device),
        host_send_(*side_->device, wire_->send_bytes()),
        host_receive_(*side_->device, wire_->receive_bytes()) {
    sends_ = wire_->sends();
    receives_ = wire_->receives();
    send_bytes_ = wire_->send_bytes();
    receive_bytes_ = wire_->receive_bytes();
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      copied_.push_back(side_->device->make_event());
    }
  }

  bool blocks() const override { return wire_->blocks(); }

  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    Device& device = *side_->device;
    receive_ = receive;
    // What came last may still be on its way to the device.
    device.synchronize(*side_->own);
    handover_(*side_->compute, *side_->send);
    handover_(*side_->compute, *side_->own);
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (sends_[i].offset < 0) continue;
      device.copy(*side_->send, host_send_.data() + sends_[i].offset, send + sends_[i].offset,
                  static_cast<std::size_t>(sends_[i].bytes));
      device.record(*copied_[i], *side_->send);
    }
    if (!one_by_one_) device.synchronize(*side_->send);
    wire_->start(host_send_.data(), host_receive_.data(), one_by_one_ ? this : nullptr);
  }

  bool test() override { return wire_->test(); }

  void wait() override {
    wire_->wait();
    if (!one_by_one_) {
      for (std::size_t i = 0; i < receives_.size(); ++i) unpack(i);
    }
    handover_(*side_->own, *side_->compute);
    // The buffer of sends may be packed again.
    handover_(*side_->send, *side_->compute);
  }

 private:
  int fragments(std::size_t) const override { return 1; }
  Index pack_fragment(std::size_t send, int) override {
    if (sends_[send].offset >= 0) side_->device->synchronize(*copied_[send]);
    return sends_[send].bytes;
  }
  void unpack(std::size_t receive) override {
    const Transfer& from = receives_[receive];
    if (from.offset < 0) return;
    side_->device->copy(*side_->own, receive_ + from.offset, host_receive_.data() + from.offset,
                        static_cast<std::size_t>(from.bytes));
  }
  void copy_own() override {}

  const DeviceSide* side_;
  std::unique_ptr<Exchange> wire_;
  bool one_by_one_;
  Handover handover_;
  Staging host_send_;
  Staging host_receive_;
  std::vector<std::unique_ptr<Event>> copied_;
  std::byte* receive_ = nullptr;
};

/// MPI reads and writes the memory of the device itself.
class DeviceAware : public Exchange {
 public:
  DeviceAware(const ExchangeSetup& setup, std::unique_ptr<Exchange> wire)
      : Exchange(setup), side_(setup.device), wire_(std::move(wire)) {
    sends_ = wire_->sends();
    receives_ = wire_->receives();
    send_bytes_ = wire_->send_bytes();
    receive_bytes_ = wire_->receive_bytes();
  }

  bool blocks() const override { return wire_->blocks(); }
  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    // MPI knows nothing of queues.
    side_->device->synchronize(*side_->compute);
    wire_->start(send, receive, nullptr);
  }
  bool test() override { return wire_->test(); }
  void wait() override { wire_->wait(); }

 private:
  const DeviceSide* side_;
  std::unique_ptr<Exchange> wire_;
};

ExchangeChoice find_wire(const std::string& parameter) {
  return find_exchange(parameter.empty() ? default_wire : parameter);
}

void check_wire(const std::string& method, const std::string& parameter, bool may_pack) {
  const ExchangeTraits& traits = find_wire(parameter).method->traits;
  if (traits.direct || traits.places || traits.owns_receive || traits.device ||
      (traits.packs_itself && !may_pack)) {
    throw Error("exchange '" + method + ":" + parameter + "': " + parameter +
                " cannot carry messages of devices");
  }
}

std::unique_ptr<Exchange> make_wire(const ExchangeSetup& setup, const ExchangeChoice& choice) {
  ExchangeSetup wire = setup;
  wire.device = nullptr;
  wire.parameter = choice.parameter;
  return choice.method->make(wire);
}

}  // namespace

ExchangeMethod staged_method() {
  return {"staged",
          "messages of devices go through memory of the host",
          {.device = true},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            const ExchangeChoice choice = find_wire(setup.parameter);
            return std::make_unique<Staged>(setup, make_wire(setup, choice),
                                            choice.method->traits.packs_itself);
          },
          [](const std::string& parameter) { check_wire("staged", parameter, true); },
          "how they travel between hosts, as p2p"};
}

ExchangeMethod device_aware_method() {
  return {"mpi",
          "an MPI library that knows the memory of devices moves it",
          {.device = true},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            if (!setup.device->device->mpi_reaches()) {
              throw Error(
                  "exchange 'mpi': this MPI library does not know the memory of devices; "
                  "use 'staged'");
            }
            return std::make_unique<DeviceAware>(
                setup, make_wire(setup, setup.parameter.empty() ? find_exchange("p2p")
                                                                : find_wire(setup.parameter)));
          },
          [](const std::string& parameter) { check_wire("mpi", parameter, false); },
          "by which calls, as p2p"};
}

}  // namespace weft
