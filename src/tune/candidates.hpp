#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pass/context.hpp"
#include "schedule/option_table.hpp"
#include "weft/options.hpp"

namespace weft {

/// Settings of which those that `change` names are others.
std::string changed(const std::string& settings, const std::string& change);

/// Settings that were tried, or might have been, and where they stand among the others.
struct Candidate {
  PlanTrial trial;       ///< without a measured time where it was not tried, or could not be
  std::string grid;      ///< "slab", "2x4", "auto" where it is none of these, "as given"
  std::string exchange;  ///< "auto" by the name of what it stands for
  std::string chunks;    ///< "auto", or how many
};

/// Settings that might be faster than the defaults, of what the caller and the environment have
/// left open. The same on all ranks of the plan whose context this is, which must outlive it.
class Candidates {
 public:
  explicit Candidates(const Context& context) : context_(context) {}

  /// What was best for others on this machine, or before.
  std::vector<PlanTrial> near() const;
  /// Each stage of the search changes the best settings so far in one respect.
  static constexpr int stages = 6;
  /// Most promising first: by predicted time, and of those alike by how often they win.
  std::vector<PlanTrial> of_stage(int stage, const std::string& best) const;
  /// Of forward and backward by the cost model.
  double predicted_seconds(const std::string& settings) const;
  /// All trials in their order, and then what is left of all process grids with all exchanges, and
  /// with all numbers of chunks, where the rest is as in the best trial. Combinations that there
  /// are not, and process grids that come to the same as one before, are left out.
  std::vector<Candidate> overview(const std::vector<PlanTrial>& trials) const;
  /// What forward and backward take at least by the cost model: as long as their bytes cross
  /// memory, or links if that takes longer, at the rates that `weft limits` has measured. Nothing
  /// where it has not. Arrays that stay in caches may take less.
  std::optional<double> floor_seconds() const;

 private:
  Machine machine_with(const Options& options) const;
  /// Empty where there is none.
  std::string schedule_text(const std::string& settings) const;
  Candidate placed(const PlanTrial& trial, const std::string& grid) const;
  /// Empty where there is no schedule.
  std::string grid_name(const std::string& settings) const;
  bool layouts_are_open() const;
  std::vector<std::string> all_layouts() const;
  std::vector<std::string> layouts(const std::string& best) const;
  std::vector<std::string> exchanges() const;
  std::vector<std::string> chunks() const;
  std::vector<std::string> local_libraries() const;
  std::vector<std::string> memory_access() const;
  std::vector<std::string> codecs() const;
  std::vector<PlanTrial> predicted(const std::vector<std::string>& settings) const;
  bool is_open(const char* option) const { return is_left_open(context_.given, option); }
  bool has_several_nodes() const {
    return context_.machine.ranks_per_node < context_.problem.ranks;
  }

  const Context& context_;
};

}  // namespace weft
