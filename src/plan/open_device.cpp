#include "plan/open_device.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "exchange/agreement.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Ranks that share a device wait for each other in its time slices. For tests on machines with
/// fewer devices than ranks.
bool may_share_devices() {
  return std::getenv("WEFT_SHARE_DEVICES") != nullptr;
}

constexpr std::size_t identity_bytes = 128;

}  // namespace

void open_device(Context& context, const Communicator& node) {
  const Options& options = context.options;
  if (options.device == "host") {
    context.device = {&host_device(), [](Device*) {}};
    context.caller = {&host_stream(), [](Stream*) {}};
    return;
  }
  const Communicator& comm = context.comm;
  context.one_machine = node.size() == comm.size();
  std::string identity;
  collectively(comm, [&] {
    const DeviceMethod& method = find_device_that_is_here(options.device);
    const int count = method.count();
    const int number = options.device_number >= 0 ? options.device_number : node.rank() % count;
    if (number >= count) {
      throw Error("device " + std::to_string(number) + ": this process sees only " +
                  std::to_string(count) + " of kind '" + options.device + "'");
    }
    context.device_number = number;
    context.device = method.open(number);
    context.caller = context.device->adopt_stream(options.stream);
    identity = context.device->info().identity;
    identity.resize(identity_bytes);
  });
  std::vector<char> all(identity_bytes * static_cast<std::size_t>(node.size()));
  check_mpi(MPI_Allgather(identity.data(), identity_bytes, MPI_CHAR, all.data(), identity_bytes,
                          MPI_CHAR, node.get()),
            "MPI_Allgather");
  collectively(comm, [&] {
    for (int other = 0; other < node.size() && !may_share_devices(); ++other) {
      const std::string theirs(&all[identity_bytes * static_cast<std::size_t>(other)],
                               identity_bytes);
      if (other == node.rank() || theirs != identity) continue;
      throw Error("two ranks of a machine work on the same device, " +
                  context.device->info().model +
                  ": start as many ranks as there are devices, or give each its device_number");
    }
  });
}

}  // namespace weft
