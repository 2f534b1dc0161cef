#pragma once

#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "schedule/machine.hpp"
#include "wisdom/key.hpp"

namespace weft {

/// What is known of a plan before it is made, the same on all ranks.
struct Known {
  std::string settings;           ///< options that were left open; empty: the defaults
  std::string why;                ///< who found them, "wisdom" or "tuned"; empty: nobody
  std::vector<std::string> near;  ///< settings of other problems on this machine, latest first
  std::string figures;            ///< of the machine, measured by `weft limits`; empty: none
  std::string remark;             ///< what is wrong with the file, if anything

  bool has_settings() const { return !why.empty(); }
  /// Settings that are known become some of those to begin with.
  void make_near();
};

/// What this process finds in its file of wisdom, whatever that holds.
Known look_up(const WisdomKey& key);
/// Collective: what rank 0 finds in its file of wisdom, whatever that holds.
Known look_up(const WisdomKey& key, const Communicator& comm);

/// "flops=4e+09, node.latency=2e-06". Figures that the text does not name stay as they are.
void set_figures(Machine& machine, const std::string& text);

}  // namespace weft
