#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case_options.hpp"
#include "machine_info.hpp"
#include "schedule/machine.hpp"
#include "weft/report.hpp"
#include "weft/timings.hpp"
#include "weft/trace.hpp"

namespace weft {

/// Over the repetitions, of the maximum over ranks.
struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
};

Spread spread_of(std::vector<double> values);

/// A step of the plan on the busiest rank.
struct StageFigures {
  Direction direction = Direction::forward;
  std::string name;
  double seconds = 0;  ///< median
  Index bytes = 0;
  bool moves_data = false;  ///< between ranks
  StageParts parts;         ///< mean over ranks and repetitions; zero unless the plan times them
};

/// What one run of `weft bench` has found. The same on all ranks.
struct BenchFigures {
  Extents shape;
  /// Where modes are dropped, or nothing is normalized: roundtrip_error is that of backward.
  bool has_no_roundtrip = false;
  std::string kinds;  ///< one name per axis
  int ranks = 1;
  int threads = 1;
  Index chunks = 1;
  Index receive_chunks = 1;
  bool overlaps = false;  ///< exchanges go on beside passes or within them: they show the wait left
  std::string exchange;   ///< what "auto" stands for
  std::string local;
  double plan_seconds = 0;
  Spread forward;
  Spread backward;
  double gflops = 0;
  double forward_error = 0;
  double roundtrip_error = 0;
  double error_bound = 0;
  double roundtrip_bound = 0;
  Report report;              ///< of a forward
  Index bytes_sent = 0;       ///< of the busiest rank, in one forward
  Index workspace_bytes = 0;  ///< of the busiest rank
  Index shared_bytes = 0;     ///< beside it, that others write to
  std::vector<StageFigures> stages;
  MachineInfo machine;
  std::optional<HiddenExchange> hidden;  ///< of a traced run
  std::optional<Machine> ceilings;       ///< what the machine can do at best

  /// What part of the memory's or the exchange's ceiling a step has reached, where that is known:
  /// exchanges that overlap with passes tell only how long these waited.
  std::optional<double> share_of_ceiling(const StageFigures& stage) const;
};

/// For people.
std::string bench_table(const CaseOptions& given, const BenchFigures& figures);
/// One line of JSON, without the line's end.
std::string bench_json(const CaseOptions& given, const Options& options, int repeat,
                       const BenchFigures& figures);

}  // namespace weft
