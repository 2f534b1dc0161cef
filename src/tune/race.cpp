#include "tune/race.hpp"

#include <algorithm>
#include <utility>

#include "weft/error.hpp"

namespace weft {

namespace {

constexpr double hopeless = 1.5;
/// Of the first run, which also touches memory and opens connections.
constexpr double hopeless_at_first = 4;
constexpr double faster = 0.99;
constexpr double clearly_faster = 0.98;
constexpr int most_rounds = 15;
constexpr int least_rounds_of_final = 3;
/// Of the time of the race.
constexpr double share_of_trial = 1.0 / 30;
constexpr double share_of_final = 1.0 / 10;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Race::Race(RaceRules rules, double predicted_of_defaults)
    : rules_(std::move(rules)), begin_(rules_.clock()) {
  champion_ = rules_.make("");
  champion_->run();  // the first run of anything is not the second
  std::vector<double> times;
  for (int i = 0; i < least_rounds_of_final; ++i) times.push_back(champion_->run());
  trials_.push_back(
      {.predicted_seconds = predicted_of_defaults, .seconds = median(times), .share = 1});
  longest_trial_ = rules_.clock() - begin_;
}

int Race::rounds(double share) const {
  const double fitting = share * rules_.seconds / (2 * trials_[best_].seconds);
  return static_cast<int>(std::clamp(fitting, 1.0, double(most_rounds)));
}

bool Race::has_time() const {
  const double needed = longest_trial_ + (best_ == 0 ? 0 : share_of_final * rules_.seconds);
  return rules_.clock() - begin_ + needed < rules_.seconds;
}

Race::Duel Race::duel(Contestant& champion, Contestant& challenger, int rounds) const {
  std::vector<double> ratios, champions, challengers;
  bool gives_up = false;
  for (int i = 0; i < rounds && !gives_up; ++i) {
    champions.push_back(champion.run());
    challengers.push_back(challenger.run());
    ratios.push_back(challengers.back() / champions.back());
    gives_up = *std::min_element(ratios.begin(), ratios.end()) > hopeless;
  }
  return {median(ratios), median(champions), median(challengers), gives_up};
}

bool Race::try_out(const PlanTrial& challenge) {
  const bool was_tried = std::any_of(trials_.begin(), trials_.end(), [&](const PlanTrial& trial) {
    return trial.settings == challenge.settings;
  });
  if (was_tried) return true;
  if (static_cast<int>(trials_.size()) >= rules_.trials || !has_time()) return false;
  const double begin = rules_.clock();
  PlanTrial trial = challenge;
  try {
    auto challenger = rules_.make(challenge.settings);
    const double first = challenger->run();
    Duel result{first / trials_[best_].seconds, trials_[best_].seconds, first, true};
    if (result.ratio < hopeless_at_first) {
      result = duel(*champion_, *challenger, rounds(share_of_trial));
    }
    trial.seconds = result.challenger;
    trial.share = result.ratio * trials_[best_].share;
    if (result.gave_up) trial.remark = "gave up";
    if (result.ratio < faster) {
      best_ = trials_.size();
      champion_ = std::move(challenger);
    }
  } catch (const Error& error) {
    trial.remark = error.what();
  }
  trials_.push_back(trial);
  longest_trial_ = std::max(longest_trial_, rules_.clock() - begin);
  return true;
}

void Race::finish() {
  if (best_ != 0) {
    const auto defaults = rules_.make("");
    defaults->run();
    const Duel result =
        duel(*defaults, *champion_, std::max(least_rounds_of_final, rounds(share_of_final)));
    trials_[0].seconds = result.champion;
    trials_[best_].seconds = result.challenger;
    trials_[best_].share = result.ratio;
    if (result.ratio > clearly_faster) best_ = 0;
  }
  champion_.reset();
  trials_[best_].chosen = true;
}

}  // namespace weft
