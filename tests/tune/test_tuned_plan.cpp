// Plans that are tuned, those that find the settings again, and those that must not look for them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "exchange/agreement.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "weft/wisdom.hpp"
#include "wisdom/known.hpp"
#include "wisdom/record.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

/// A file of wisdom for one test, known to rank 0 alone, as in a job whose ranks have no common
/// file system.
class TunedPlan : public testing::Test {
 protected:
  TunedPlan() {
    folder_ = fs::temp_directory_path() / ("weft-tuned-plan-" + std::to_string(getpid()));
    fs::create_directory(folder_);
    path_ = (folder_ / "wisdom.jsonl").string();
    setenv("WEFT_WISDOM", world_rank() == 0 ? path_.c_str() : "/no/such/folder/file", 1);
  }
  ~TunedPlan() override {
    setenv("WEFT_WISDOM", "", 1);
    fs::remove_all(folder_);
  }

  static std::string why(const Plan& plan, const std::string& option) {
    for (const PlanChoice& choice : plan.info().choices) {
      if (choice.option == option) return choice.why;
    }
    return "there is no such option";
  }
  static std::string used(const Plan& plan, const std::string& option) {
    for (const PlanChoice& choice : plan.info().choices) {
      if (choice.option == option) return choice.value;
    }
    return "there is no such option";
  }
  static void expect_exact(Plan& plan) {
    for (const Direction direction : both) {
      EXPECT_LT(run_error(plan, direction), error_bound(plan));
    }
  }
  Wisdom wisdom() const { return read_wisdom(path_); }
  /// Settings take the place of those that were found; rank 0 writes them.
  void plant(const std::string& settings) const {
    if (world_rank() == 0) {
      WisdomRecord record = wisdom().records.back();
      record.settings = settings;
      add_wisdom({record}, path_);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const Problem problem_{.shape = {12, 10, 14}, .kinds = Kind::r2c};
  /// The number of trials is what ends a search, on a busy machine too.
  Options options_{.tune = Tune::measure, .tune_seconds = 60, .tune_trials = 8};
  fs::path folder_;
  std::string path_;
};

TEST_F(TunedPlan, TriesSettingsAndRemembersTheBest) {
  Plan plan(MPI_COMM_WORLD, problem_, options_);
  const auto& trials = plan.info().trials;
  ASSERT_GE(trials.size(), 2u);
  EXPECT_LE(trials.size(), 8u);
  EXPECT_EQ(trials[0].settings, "");
  EXPECT_GT(trials[0].seconds, 0);
  const std::string first = trials[0].settings + std::to_string(trials[0].seconds);
  EXPECT_EQ(broadcast(Communicator::duplicate(MPI_COMM_WORLD), first, 0), first);
  expect_exact(plan);
  EXPECT_NE(why(plan, "tune").find("settings were tried"), std::string::npos) << why(plan, "tune");
  if (world_rank() == 0) {
    ASSERT_EQ(wisdom().records.size(), 1u);
    const WisdomRecord record = wisdom().records[0];
    EXPECT_NE(record.problem.find("12x10x14"), std::string::npos);
    EXPECT_EQ(record.default_seconds, trials[0].seconds);
    std::string chosen = "none";
    for (const PlanTrial& trial : trials) {
      if (trial.chosen) chosen = trial.settings;
    }
    EXPECT_EQ(record.settings, chosen);
  }
}

TEST_F(TunedPlan, IsFoundAgainWithoutTrials) {
  { const Plan plan(MPI_COMM_WORLD, problem_, options_); }
  plant("exchange=alltoallv, chunks=2");
  for (const Tune tune : {Tune::measure, Tune::wisdom, Tune::frozen}) {
    options_.tune = tune;
    Plan plan(MPI_COMM_WORLD, problem_, options_);
    EXPECT_TRUE(plan.info().trials.empty());
    EXPECT_EQ(used(plan, "exchange"), "alltoallv");
    EXPECT_EQ(why(plan, "exchange"), "wisdom");
    expect_exact(plan);
  }
}

TEST_F(TunedPlan, OptionsThatAreGivenWin) {
  { const Plan plan(MPI_COMM_WORLD, problem_, options_); }
  plant("exchange=alltoallv, chunks=2");
  options_.tune = Tune::off;
  const Plan rules(MPI_COMM_WORLD, problem_, options_);
  EXPECT_NE(why(rules, "exchange"), "wisdom");

  options_.tune = Tune::wisdom;
  options_.exchange = "p2p";  // another question, of which nothing is known
  const Plan given(MPI_COMM_WORLD, problem_, options_);
  EXPECT_EQ(used(given, "exchange"), "p2p");
  EXPECT_EQ(why(given, "exchange"), "given");
  EXPECT_NE(why(given, "chunks"), "wisdom");

  options_.tune = Tune::again;
  options_.tune_trials = 4;
  Plan again(MPI_COMM_WORLD, problem_, options_);
  EXPECT_FALSE(again.info().trials.empty());
  for (const PlanTrial& trial : again.info().trials) {
    EXPECT_EQ(trial.settings.find("exchange"), std::string::npos) << trial.settings;
  }
}

TEST_F(TunedPlan, AgainBeginsWithWhatIsKnown) {
  { const Plan plan(MPI_COMM_WORLD, problem_, options_); }
  plant("exchange=alltoallv, chunks=2");
  options_.tune = Tune::again;
  options_.tune_trials = 2;
  const Plan plan(MPI_COMM_WORLD, problem_, options_);
  ASSERT_EQ(plan.info().trials.size(), 2u);
  EXPECT_EQ(plan.info().trials[1].settings, "exchange=alltoallv, chunks=2");
}

TEST_F(TunedPlan, FrozenNeedsWisdom) {
  options_.tune = Tune::frozen;
  expect_same_error([&] { Plan(MPI_COMM_WORLD, problem_, options_); },
                    {"tune 'frozen', but no settings are known for 12x10x14"});
}

TEST_F(TunedPlan, SettingsThatThisBuildDoesNotHaveAreToldOf) {
  { const Plan plan(MPI_COMM_WORLD, problem_, options_); }
  for (const char* settings : {"exchange=teleport", "chunks=-1", "no settings", "local=magic"}) {
    plant(settings);
    Plan plan(MPI_COMM_WORLD, problem_);
    EXPECT_NE(why(plan, "tune").find("settings that are known cannot be used"), std::string::npos)
        << why(plan, "tune");
    expect_exact(plan);
  }
}

TEST_F(TunedPlan, FilesThatAreNoneAreToldOf) {
  if (world_rank() == 0) std::ofstream(path_) << "{\"rubbish\": [1, 2\n";
  const Plan skipped(MPI_COMM_WORLD, problem_);
  EXPECT_NE(why(skipped, "tune").find("1 lines of"), std::string::npos) << why(skipped, "tune");
  if (world_rank() == 0) {
    fs::remove(path_);
    fs::create_directory(path_);
  }
  options_.tune_trials = 1;
  Plan folder(MPI_COMM_WORLD, problem_, options_);
  EXPECT_NE(why(folder, "tune").find("is not a file"), std::string::npos) << why(folder, "tune");
  EXPECT_NE(why(folder, "tune").find("not remembered"), std::string::npos) << why(folder, "tune");
  expect_exact(folder);
}

TEST_F(TunedPlan, LimitsAreThoseOfTheMachine) {
  const double before = Plan(MPI_COMM_WORLD, problem_).info().predicted_seconds;
  int ranks_on_node = 0;
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks_on_node);
  MPI_Comm_free(&node);
  if (world_rank() == 0) {
    add_wisdom({{.machine = wisdom_node(ranks_on_node),
                 .settings = "memory_bandwidth=8e6, flops=4e6, node.bandwidth=2e6"}},
               path_);
  }
  const Plan plan(MPI_COMM_WORLD, problem_);
  EXPECT_GT(plan.info().predicted_seconds, 100 * before);
  EXPECT_NE(why(plan, "tune").find("`weft limits` has measured this machine"), std::string::npos);
}

TEST_F(TunedPlan, EveryKindOfPlanCanBeTuned) {
  options_.tune_trials = 4;
  const Problem problems[] = {
      {.shape = {30}},
      {.shape = {7, 9}, .kinds = Kind::dct2, .precision = Precision::f32},
      {.shape = {6, 8, 10}, .batch = 3, .interleaved = true, .norm = Norm::none},
      {.shape = {12, 12, 12}, .kinds = Kind::r2c, .output = pencil_along(0), .modes = {8, 8, 8}}};
  for (const Problem& problem : problems) {
    Plan plan(MPI_COMM_WORLD, problem, options_);
    EXPECT_FALSE(plan.info().trials.empty());
    expect_exact(plan);
  }
  for (const std::string& device : usable_devices()) {
    options_.device = device;
    Plan plan(MPI_COMM_WORLD, problem_, options_);
    EXPECT_FALSE(plan.info().trials.empty()) << device;
    EXPECT_EQ(plan.info().device, device);
  }
  options_.device = "host";
  options_.tolerance = 1e-3;
  Plan compressed(MPI_COMM_WORLD, problem_, options_);
  EXPECT_LT(run_error(compressed, Direction::forward), 1e-3);
}

TEST_F(TunedPlan, WorkspaceIsLeftToTheProgramThatWantsIt) {
  options_.allocate_workspace = false;
  Plan plan(MPI_COMM_WORLD, problem_, options_);
  std::vector<std::byte> in(1 << 20), out(1 << 20);
  if (plan.info().workspace_bytes > 0) {
    expect_same_error([&] { execute(plan, Direction::forward, in.data(), out.data()); },
                      {"the plan has no workspace"});
  }
}

}  // namespace
}  // namespace weft::test
