#include "plan/device_context.hpp"

#include <cstdlib>

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

DeviceContext::DeviceContext(const Options& options, const Communicator& comm) {
  if (options.device != "host") {
    open(options, comm);
    return;
  }
  device_ = {&host_device(), [](Device*) {}};
  stream_ = {&host_stream(), [](Stream*) {}};
}

void DeviceContext::open(const Options& options, const Communicator& comm) {
  const Communicator node = Communicator::split_by_node(comm);
  on_one_machine_ = node.size() == comm.size();
  std::string identity;
  collectively(comm, [&] {
    const DeviceMethod& method = find_device_that_is_here(options.device);
    const int count = method.count();
    number_ = options.device_number >= 0 ? options.device_number : node.rank() % count;
    if (number_ >= count) {
      throw Error("device " + std::to_string(number_) + ": this process sees only " +
                  std::to_string(count) + " of kind '" + options.device + "'");
    }
    device_ = method.open(number_);
    stream_ = device_->adopt_stream(options.stream);
    identity = device_->info().identity;
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
      throw Error("two ranks of a machine work on the same device, " + device_->info().model +
                  ": start as many ranks as there are devices, or give each its device_number");
    }
  });
}

LaneStreams::LaneStreams(const DeviceContext& context, bool shares_compute)
    : own_compute(shares_compute ? nullptr : context.device().make_stream()),
      compute(shares_compute ? &context.stream() : own_compute.get()),
      send(context.device().make_stream(Priority::urgent)),
      own(context.device().make_stream()),
      handover(context.device()) {}

std::vector<Stream*> LaneStreams::all() const {
  return {compute, send.get(), own.get()};
}

void LaneStreams::enter(const DeviceContext& context) {
  if (own_compute) (*handover)(context.stream(), *compute);
}

void LaneStreams::leave(const DeviceContext& context) {
  if (own_compute) (*handover)(*compute, context.stream());
}

}  // namespace weft
