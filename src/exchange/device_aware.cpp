#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include "exchange/decorator.hpp"
#include "exchange/environment.hpp"

namespace weft {

namespace {

constexpr const char* direct_wire = "p2p";

/// MPI reads and writes the memory of the device itself.
class DeviceAware : public Decorator {
 public:
  DeviceAware(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Decorator(spec, environment,
                  make_wire(spec, environment, find_wire(spec.parameter, direct_wire))) {}

  void start(const ExchangeBuffers& buffers) override {
    // MPI knows nothing of streams.
    streams_.compute().synchronize();
    start_wire(buffers);
  }
  void wait() override { wait_for_wire(); }
};

/// Exchanges that pass messages on have memory of the host for them.
bool is_direct_wire(const ExchangeChoice& choice) {
  const ExchangeTraits& traits = choice.method->traits;
  return is_wire(traits) && traits.family == ExchangeTraits::messages && !traits.relays;
}

/// What the library says of itself, when it was built and now.
bool mpi_knows([[maybe_unused]] const std::string& kind) {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (kind == "cuda") return MPIX_Query_cuda_support() == 1;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT)
  if (kind == "hip") return MPIX_Query_rocm_support() == 1;
#endif
  return false;
}

}  // namespace

ExchangeMethod device_aware_method() {
  return {.name = "mpi",
          .description = "a GPU-aware MPI library moves device memory",
          .traits = {.memory = ExchangeTraits::device},
          .make = make_exchange<DeviceAware>,
          .check_parameter =
              [](const std::string& parameter) {
                const ExchangeChoice wire = find_wire(parameter, direct_wire);
                if (!is_direct_wire(wire)) refuse_wire("mpi", parameter);
              },
          .parameter = "by which calls, as p2p",
          .why_not = [](const DeviceInfo& device) -> std::string {
            if (device.mpi_reaches || mpi_knows(device.kind)) return "";
            return "this MPI library does not know the memory of devices: use 'staged'";
          }};
}

}  // namespace weft
