#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/arrays.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// What was chosen for one of the Options, and by whom.
struct PlanChoice {
  std::string option;  ///< name, such as "exchange"
  std::string value;   ///< what the plan uses, such as "node_shared:alltoallv"
  /// Who chose: "given", "WEFT_EXCHANGE" where the environment said so, "default", or weft's
  /// reason.
  std::string why;
};

/// Settings that were tried while a plan was created (Tune::measure).
struct PlanTrial {
  std::string settings{};        ///< as parse_options reads them; empty: the defaults
  double predicted_seconds = 0;  ///< of forward and backward together
  /// Of both, measured: a median, of the slowest rank; 0: could not be tried.
  double seconds = 0;
  /// Time as a share of that of the defaults. It says more than `seconds`, as it comes from runs in
  /// turn, with the best so far, whose own share is known; 0: could not be tried.
  double share = 0;
  std::string remark{};  ///< empty, "gave up", or why it could not be tried
  bool chosen = false;   ///< whether the plan uses them
};

/// What a plan is and what it takes, on this rank. Nothing in it changes while the plan lives; what
/// the last transform did is in Plan::report and Plan::timings.
struct PlanInfo {
  Extents shape;               ///< lengths of the transforms
  Axes<Kind> kinds;            ///< the kind of each axis
  Extents input_points;        ///< along each axis, of the array in physical space
  Extents modes;               ///< along each axis, of the array in spectral space
  Norm norm = Norm::backward;  ///< scaling
  bool orthogonal = false;  ///< cosine and sine transforms with orthogonal matrices, up to a factor
  Index batch = 1;          ///< fields transformed together
  LocalArray input;   ///< what this rank owns in physical space, and how it has to lie in memory
  LocalArray output;  ///< this rank's part in spectral space

  std::string exchange;      ///< how messages travel
  std::string local;         ///< library of local transforms
  std::string device;        ///< name of the device: "host", or what Options::device says
  int device_number = -1;    ///< its number among this process's devices; -1 on the host
  int threads = 1;           ///< threads of this rank
  Index chunks = 1;          ///< parts in which what a rank sends leaves in forward, at most
  Index receive_chunks = 1;  ///< parts in which what it receives arrives in forward, at most
  /// All options, in the order of `weft list options`.
  std::vector<PlanChoice> choices;

  /// What was tried while this plan was created: the defaults first, then in the order of time.
  /// Empty unless it was tuned then.
  std::vector<PlanTrial> trials;

  std::size_t workspace_bytes = 0;  ///< exact size of this rank's workspace
  /// Beside it, memory that other ranks write to (exchanges `node_shared`, `peer` and
  /// `peer_packed`; the windows of `one_sided` are not counted).
  std::size_t shared_bytes = 0;
  /// That this rank sends to others in one forward; with a codec of fixed rate as compressed.
  Index bytes_sent = 0;
  double predicted_seconds = 0;  ///< time of one forward transform by the cost model
};
/// The information as text for people: a line for the transform, one for what it takes, and one for
/// each choice.
std::string to_string(const PlanInfo& info);

}  // namespace weft
