#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/arrays.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// The value of an option, and the reason for it.
struct PlanChoice {
  std::string option;  ///< name, such as "exchange"
  std::string value;   ///< what the plan uses, such as "node_shared:alltoallv"
  /// "given", "default", the environment variable, such as "WEFT_EXCHANGE", or weft's reason.
  std::string why;
};

/// Settings that were tried while a plan was created (Tune::measure).
struct PlanTrial {
  std::string settings{};        ///< as parse_options reads them; empty: the defaults
  double predicted_seconds = 0;  ///< of forward and backward together
  /// Measured time of both, median, slowest rank; 0: could not be tried.
  double seconds = 0;
  /// Time relative to the defaults. It is more reliable than `seconds`, because it comes from runs
  /// in turn with the best settings so far, whose own share is known; 0: could not be tried.
  double share = 0;
  std::string remark{};  ///< empty, "gave up", or why it could not be tried
  bool chosen = false;   ///< whether the plan uses them
};

/// The properties and the cost of a plan, on this rank. They do not change while the plan exists;
/// Plan::report and Plan::timings are about the last transform.
struct PlanInfo {
  Extents shape;               ///< lengths of the transforms
  Axes<Kind> kinds;            ///< the kind of each axis
  Extents input_points;        ///< along each axis, of the array in physical space
  Extents modes;               ///< along each axis, of the array in spectral space
  Norm norm = Norm::backward;  ///< scaling
  bool orthogonal = false;  ///< cosine and sine transforms with orthogonal matrices, up to a factor
  Index batch = 1;          ///< fields transformed together
  LocalArray input;         ///< this rank's array in physical space
  LocalArray output;        ///< this rank's array in spectral space

  std::string exchange;      ///< name of the exchange
  std::string local;         ///< backend for 1-D FFTs
  std::string device;        ///< name of the device: "host", or what Options::device says
  int device_number = -1;    ///< number of the device in this process; -1 on the host
  int threads = 1;           ///< threads of this rank
  Index chunks = 1;          ///< largest number of chunks that a rank sends in forward
  Index receive_chunks = 1;  ///< largest number of chunks that it receives in forward
  /// All options, in the order of `weft list options`.
  std::vector<PlanChoice> choices;

  /// Trials while this plan was created, in order; the first one is that of the defaults. Empty
  /// unless the plan was tuned.
  std::vector<PlanTrial> trials;

  std::size_t workspace_bytes = 0;  ///< exact size of this rank's workspace
  /// Additional memory that other ranks write to (exchanges `node_shared`, `peer` and
  /// `peer_packed`; the windows of `one_sided` are not counted).
  std::size_t shared_bytes = 0;
  /// Bytes that this rank sends to others in one forward; compressed size if the codec has a fixed
  /// rate.
  Index bytes_sent = 0;
  double predicted_seconds = 0;  ///< time of one forward transform by the cost model
};
/// The information as readable text: a line for the transform, one for its cost, and one for each
/// choice.
std::string to_string(const PlanInfo& info);

}  // namespace weft
