#pragma once

#include "adapter.hpp"
#include "driver/checks.hpp"
#include "driver/journal.hpp"

namespace weft::bench {

/// How long a block measures, and what.
struct Regime {
  double seconds = 1;  ///< of repetitions
  int least = 3;       ///< repetitions
  int most = 200;
  Thoroughness checks = Thoroughness::full;
  bool energy = true;                            ///< of a pair, where there are counters
  std::string powercap = "/sys/class/powercap";  ///< where Linux shows those of processors
};

/// Plans, checks and measures one library on one case, and writes down what happens. Collective.
void run_block(const Case& problem, const Library& library, const Regime& regime,
               const Journal& journal);

}  // namespace weft::bench
