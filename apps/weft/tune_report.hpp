#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case_options.hpp"
#include "tune/candidates.hpp"
#include "weft/plan_info.hpp"

namespace weft {

/// What tuning with one number of threads has found.
struct TuneResult {
  PlanInfo info;  ///< of the plan with the best settings
  /// The trials in their order, and then those that were not tried.
  std::vector<Candidate> candidates;
  std::optional<double> floor_seconds;
  double seconds = 0;      ///< that it took
  bool is_stored = false;  ///< in the file of wisdom
};

/// What `weft tune` has found.
struct TuneReport {
  CaseOptions given;
  int ranks = 1;
  std::string machine;  ///< for people
  std::string wisdom;   ///< path of the file; empty: none
  std::vector<TuneResult> results;
};

const PlanTrial& best_trial(const TuneResult& result);
/// Of several numbers of threads that with the shortest time.
const TuneResult& best_result(const TuneReport& report);

/// "2 threads of each rank"
std::string threads_text(const PlanInfo& info);
/// "chunks=8", or "the defaults"
std::string name_of_settings(const PlanTrial& trial);
/// Of the least time that there can be, "87%"; "-" where one of them is not known.
std::string floor_text(const TuneResult& result, const PlanTrial& trial);

/// Sentences: what is best and how fast, and what it took to find it and where it is stored.
std::vector<std::string> answer_of(const TuneReport& report);
/// For people.
std::string text_of(const TuneReport& report);
std::string json_text_of(const TuneReport& report);
/// A page without references to others: the answer, the trials, and maps of what was tried and what
/// was not.
std::string page_of(const TuneReport& report);

}  // namespace weft
