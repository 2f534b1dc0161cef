#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/plan_info.hpp"

namespace weft {

/// A way to carry out a transform, to be timed against others.
class Contestant {
 public:
  virtual ~Contestant() = default;
  /// Collective: seconds of forward and backward together, of the slowest rank, the same on all.
  virtual double run() = 0;
};

/// What one race is about. All functions are collective and give the same on all ranks, so that all
/// come to the same decisions.
struct RaceRules {
  /// By settings. Throws Error where these are not possible.
  std::function<std::unique_ptr<Contestant>(const std::string& settings)> make;
  std::function<double()> clock;  ///< seconds
  double seconds = 10;            ///< that the race may take
  int trials = 30;                ///< contestants, at most
};

/// Looks for the fastest settings. The defaults come first; then each challenger runs in turn with
/// the best so far, which it replaces if it is faster by 1% in the median of their ratios. It gives
/// up where it takes 1.5 times as long. In the end the best must be 2% faster than the defaults.
class Race {
 public:
  /// Times the defaults, which have settings "".
  Race(RaceRules rules, double predicted_of_defaults);

  /// Challenges the best by the settings of a trial that has not been made. False where there is no
  /// time or trial left; settings that have been tried are passed over.
  bool try_out(const PlanTrial& challenge);
  const std::string& best() const { return trials_[best_].settings; }
  /// The best once more against the defaults, which stay unless it is 2% faster. Afterwards best()
  /// has the last word.
  void finish();

  const std::vector<PlanTrial>& trials() const { return trials_; }
  const PlanTrial& best_trial() const { return trials_[best_]; }

 private:
  /// Medians of two contestants that run in turn.
  struct Duel {
    double ratio = 0;  ///< challenger / champion
    double champion = 0;
    double challenger = 0;
    bool gave_up = false;
  };
  Duel duel(Contestant& champion, Contestant& challenger, int rounds) const;
  /// As many as fit into a share of the time.
  int rounds(double share) const;
  bool has_time() const;

  RaceRules rules_;
  double begin_;
  double longest_trial_ = 0;
  std::vector<PlanTrial> trials_;  ///< of the defaults first
  std::size_t best_ = 0;
  std::unique_ptr<Contestant> champion_;
};

}  // namespace weft
