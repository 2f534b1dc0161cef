#pragma once

#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "schedule/machine.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// Bytes per second by both ways to move memory.
struct MoverRates {
  double engine = 0;  ///< copy engines
  double kernel = 0;  ///< kernels that load and store
};

/// What one device can write to the memory of another one.
struct LinkRates {
  int from = 0;  ///< ranks
  int to = 0;
  MoverRates one_way;
  MoverRates both_ways;  ///< in each direction, while both write to each other
};

/// How fast the vendor's library transforms complex lines that do not fit any cache.
struct TransformRate {
  Precision precision = Precision::f64;
  bool strided = false;         ///< neighbors in memory belong to different lines
  Index points = 0;             ///< of a line
  double bytes_per_second = 0;  ///< read plus written
  double flops = 0;             ///< 5 n log2 n operations for a line
};

/// What the devices of all ranks can do at best, each figure by the slowest rank. Where nothing is
/// said, all ranks are busy.
struct DeviceLimits {
  std::string device;       ///< kind
  std::string description;  ///< of that of rank 0
  int ranks = 1;
  Index bytes = 0;  ///< that were moved each time
  double memory_bytes_per_second =
      0;                         ///< of each device: read plus written by a kernel that copies
  std::vector<LinkRates> links;  ///< of pairs of ranks on the machine of rank 0, alone
  MoverRates alltoall;           ///< that each device sends to others of its machine, all at once
  double flag_seconds = 0;     ///< until a stream goes on that waits for a flag of another device;
                               ///< between the first and the last rank of a machine, 0: just one
  double to_device = 0;        ///< bytes per second from pinned memory of the host
  double from_device = 0;      ///< back
  double both_directions = 0;  ///< in each, at the same time
  std::vector<TransformRate> transforms;
};

/// Collective; takes some seconds. `bytes` is what to move at a time, on each rank; it should be
/// several times the caches of a device. Throws Error where a rank has no such device.
DeviceLimits measure_device_limits(const Communicator& comm, const std::string& device,
                                   Index bytes);

/// What the cost model needs of them.
Machine machine_of(const DeviceLimits& limits);

}  // namespace weft
