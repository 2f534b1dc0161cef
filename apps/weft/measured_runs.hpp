#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "schedule/machine.hpp"

namespace weft {

/// A measured time, and the schedules that took it.
struct MeasuredRun {
  std::string name;   ///< of the row
  std::string group;  ///< of runs that one set of figures is to explain
  Index nodes = 1;
  Index ranks = 1;
  Index ranks_per_node = 1;
  double seconds = 0;
  double scatter = 0;    ///< standard deviation of repetitions over `seconds`; 0: not told
  double forwards = 1;   ///< forward transforms that the time is for
  double backwards = 0;  ///< and backward ones
  Schedule forward;
  Schedule backward;
  Precision precision = Precision::f64;

  /// In fits: runs whose repetitions scatter by much more than a tenth hardly count.
  double weight() const { return 1 / std::sqrt(1 + 100 * scatter * scatter); }
  /// By the figures of a machine, but with the ranks per node of the run.
  double predicted(Machine machine) const;
};

struct MeasuredRuns {
  std::vector<MeasuredRun> runs;
  /// Names of rows that no schedule stands for or that lack something, by the reason.
  std::map<std::string, std::vector<std::string>> left_out;
};

/// From a file as read_measured_rows takes it. Throws Error also where what must be a number is
/// none. Schedules are those that the planner chooses with the process grid and chunks of the row.
MeasuredRuns read_measured_runs(const std::string& path);

}  // namespace weft
