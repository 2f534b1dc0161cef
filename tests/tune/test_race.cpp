// The decisions of tuning, with a clock that is made up.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tune/race.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// Contestants that take as long as they are told, on a clock that they alone drive.
class StubTrack {
 public:
  std::map<std::string, double> seconds;
  double noise = 0;    ///< relative, uniform
  double to_make = 0;  ///< seconds
  double now = 100;
  int runs = 0;
  int alive = 0, most_alive = 0;

  RaceRules rules(double limit = 10, int trials = 30) {
    return {[this](const std::string& settings) { return make(settings); }, [this] { return now; },
            limit, trials};
  }

 private:
  struct Runner : Contestant {
    Runner(StubTrack& track, double seconds) : track(track), seconds(seconds) {
      track.most_alive = std::max(track.most_alive, ++track.alive);
    }
    ~Runner() override { --track.alive; }
    double run() override {
      ++track.runs;
      const bool first = !warm;
      warm = true;
      std::uniform_real_distribution<double> factor(1, 1 + track.noise);
      const double taken = seconds * factor(track.random) * (first ? 1.8 : 1);
      track.now += taken;
      return taken;
    }
    StubTrack& track;
    double seconds;
    bool warm = false;
  };

  std::unique_ptr<Contestant> make(const std::string& settings) {
    now += to_make;
    const auto found = seconds.find(settings);
    if (found == seconds.end()) throw Error("cannot " + settings);
    return std::make_unique<Runner>(*this, found->second);
  }

  std::mt19937 random{27};
};

std::string winner_of(StubTrack& track, const std::vector<std::string>& challengers,
                      double limit = 10, int trials = 30) {
  Race race(track.rules(limit, trials), 1);
  for (const std::string& settings : challengers)
    race.try_out({.settings = settings, .predicted_seconds = 1});
  race.finish();
  int chosen = 0;
  for (const PlanTrial& trial : race.trials()) chosen += trial.chosen ? 1 : 0;
  EXPECT_EQ(chosen, 1);
  EXPECT_TRUE(race.best_trial().chosen);
  return race.best();
}

TEST(Race, TheFastestWins) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"a", 0.009}, {"b", 0.006}, {"c", 0.007}};
  EXPECT_EQ(winner_of(track, {"a", "b", "c"}), "b");
  EXPECT_EQ(track.alive, 0);
}

TEST(Race, TheFirstRunIsNotCounted) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"a", 0.0095}};
  EXPECT_EQ(winner_of(track, {"a"}), "a");
}

TEST(Race, DefaultsStayUnlessClearlyBeaten) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"a", 0.00985}};
  EXPECT_EQ(winner_of(track, {"a"}), "");
  track.seconds["a"] = 0.0097;
  EXPECT_EQ(winner_of(track, {"a"}), "a");
}

TEST(Race, NoiseDoesNotBeatTheDefaults) {
  for (unsigned trial = 0; trial < 50; ++trial) {
    StubTrack track;
    track.noise = 0.2;
    track.now = trial;
    track.seconds = {{"", 0.01}};
    std::vector<std::string> same;
    for (int i = 0; i < 20; ++i) {
      same.push_back("same " + std::to_string(i));
      track.seconds[same.back()] = 0.0105;
    }
    EXPECT_EQ(winner_of(track, same), "");
  }
}

TEST(Race, TheSlowGiveUpSoon) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"slow", 0.016}, {"very slow", 1}};
  Race race(track.rules(), 1);
  race.try_out({.settings = "slow", .predicted_seconds = 1});
  const int before = track.runs;
  race.try_out({.settings = "very slow", .predicted_seconds = 1});
  EXPECT_EQ(track.runs - before, 1);
  EXPECT_EQ(race.trials()[1].remark, "gave up");
  EXPECT_EQ(race.trials()[2].remark, "gave up");
  EXPECT_DOUBLE_EQ(race.trials()[1].seconds, 0.016);
}

TEST(Race, KeepsToItsTimeAndTrials) {
  StubTrack track;
  track.seconds = {{"", 0.5}};
  track.to_make = 0.1;
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) {
    many.push_back(std::to_string(i));
    track.seconds[many.back()] = 0.5 - 0.001 * i;
  }
  const double begin = track.now;
  winner_of(track, many, 10);
  EXPECT_LE(track.now - begin, 10 + 6 * 0.5 + 0.1);  // the final is not cut short
  EXPECT_GE(track.now - begin, 6);

  StubTrack quick;
  quick.seconds = track.seconds;
  for (auto& [settings, seconds] : quick.seconds) seconds *= 1e-4;
  Race race(quick.rules(10, 7), 1);
  int tried = 1;
  for (const std::string& settings : many)
    tried += race.try_out({.settings = settings, .predicted_seconds = 1}) ? 1 : 0;
  EXPECT_EQ(tried, 7);
  EXPECT_EQ(race.trials().size(), 7u);
}

TEST(Race, WhatCannotBeMadeIsPassedOver) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"b", 0.005}};
  Race race(track.rules(), 1);
  EXPECT_TRUE(race.try_out({.settings = "a", .predicted_seconds = 1}));
  EXPECT_TRUE(race.try_out({.settings = "b", .predicted_seconds = 1}));
  EXPECT_TRUE(race.try_out({.settings = "b", .predicted_seconds = 1}));  // again
  race.finish();
  ASSERT_EQ(race.trials().size(), 3u);
  EXPECT_EQ(race.trials()[1].remark, "cannot a");
  EXPECT_EQ(race.trials()[1].seconds, 0);
  EXPECT_EQ(race.best(), "b");
}

TEST(Race, TwoOrThreeAreThereAtATime) {
  StubTrack track;
  track.seconds = {{"", 0.01}, {"a", 0.008}, {"b", 0.006}, {"c", 0.02}};
  winner_of(track, {"a", "b", "c"});
  EXPECT_EQ(track.most_alive, 2);
}

}  // namespace
}  // namespace weft
