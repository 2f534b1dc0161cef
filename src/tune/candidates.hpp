#pragma once

#include <string>
#include <vector>

#include "pass/context.hpp"
#include "schedule/option_table.hpp"
#include "weft/options.hpp"

namespace weft {

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

 private:
  Machine machine_with(const Options& options) const;
  std::string schedule_text(const std::string& settings) const;
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
