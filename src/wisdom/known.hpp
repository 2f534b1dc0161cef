#pragma once

#include <functional>
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
  std::string told() const;  ///< for people
};

/// Whether settings are tried where none are known.
inline bool tries_settings(Tune tune) {
  return tune == Tune::measure || tune == Tune::again;
}

/// What this process finds in its file of wisdom, whatever that holds.
Known look_up(const WisdomKey& key);
/// Collective: what rank 0 finds in its file of wisdom, as far as it is wanted. Throws Error where
/// nothing is known but must be.
Known look_up(const WisdomKey& key, Tune tune, const Communicator& comm);

/// Collective: adds settings that are known to options that are at their defaults. What a file says
/// need not suit this build of weft: where `check` throws on any rank, settings are rejected.
void add_settings(Known& known, Options& options, const Communicator& comm,
                  const std::function<void(const Options&)>& check);

/// "flops=4e+09, node.latency=2e-06". Figures that the text does not name stay as they are, and so
/// do all where it names others than there are.
void set_figures(Machine& machine, const std::string& text);

}  // namespace weft
