#pragma once

#include <vector>

#include "schedule/chunks.hpp"
#include "schedule/problem.hpp"
#include "schedule/step_memory.hpp"
#include "weft/options.hpp"

namespace weft {

/// One of the distributions that an array goes through, and what is transformed in it.
struct PathStep {
  Distribution distribution;
  AxisMask done_on_arrival = 0;
  AxisMask done_on_departure = 0;

  AxisMask transformed() const { return done_on_departure & ~done_on_arrival; }
};

/// Whether messages may be compressed.
bool compresses(const Options& options);

/// What else has to be chosen for a path.
struct PathDetails {
  AxisList message_order;           ///< of the elements within messages
  std::vector<AxisList> orders;     ///< of the array at each step, where the user has no say
  std::vector<Chunking> chunkings;  ///< entry i: of the redistribution that leads to step i, if any
};

/// On the host arrays keep the order of the input, as tiles are transposed in cache anyway. On
/// devices each step has an order that suits the library, and only such stages are cut into chunks
/// as need not make more calls of the library for it.
PathDetails choose_details(const std::vector<PathStep>& path, const ResolvedProblem& problem,
                           const Options& options);

}  // namespace weft
