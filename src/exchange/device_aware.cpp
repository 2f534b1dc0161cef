#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include "exchange/device_side.hpp"
#include "exchange/device_wire.hpp"

namespace weft {

namespace {

constexpr const char* direct_wire = "p2p";

/// MPI reads and writes the memory of the device itself.
class DeviceAware : public OverWire {
 public:
  DeviceAware(const ExchangeSetup& setup, std::unique_ptr<Exchange> wire)
      : OverWire(setup, std::move(wire)) {}

  void start(const std::byte* send, std::byte* receive, PeerPacker*) override {
    // MPI knows nothing of streams.
    side_->compute->synchronize();
    start_wire(send, receive, nullptr);
  }
  void wait() override { wait_for_wire(); }
};

/// Exchanges that pass messages on have memory of the host for them.
bool is_direct_wire(const ExchangeChoice& choice) {
  const ExchangeTraits& traits = choice.method->traits;
  return is_wire(traits) && !traits.packs_itself && !traits.relays;
}

}  // namespace

/// What the library says of itself, when it was built and now.
bool mpi_knows_devices() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && !defined(WEFT_HIP)
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_ROCM_AWARE_SUPPORT) && defined(WEFT_HIP)
  return MPIX_Query_rocm_support() == 1;
#else
  return false;
#endif
}

ExchangeMethod device_aware_method() {
  return {"mpi",
          "an MPI library that knows the memory of devices moves it",
          {.device = true, .needs_aware_mpi = true},
          [](const ExchangeSetup& setup) -> std::unique_ptr<Exchange> {
            if (!setup.device->device().info().mpi_reaches && !mpi_knows_devices()) {
              throw Error(
                  "exchange 'mpi': this MPI library does not know the memory of devices; use "
                  "'staged'");
            }
            return std::make_unique<DeviceAware>(
                setup, make_wire(setup, find_wire(setup.parameter, direct_wire)));
          },
          [](const std::string& parameter) {
            if (!is_direct_wire(find_wire(parameter, direct_wire))) refuse_wire("mpi", parameter);
          },
          "by which calls, as p2p"};
}

}  // namespace weft
