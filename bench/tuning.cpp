// How good tuning and the cost model are. Of each problem it times settings drawn from all that the
// tuner may choose, lets the tuner choose, and runs in turn: the best of those drawn, the same
// settings in a second plan (the spread of the machine), the tuned settings, and the defaults.
// Each time is of forward and backward, of the slowest rank.
//
//   weft limits                        # with as many ranks: predictions use its figures
//   mpirun -n 2 tuning [--problems 24] [--settings 60] [--seconds 10] [--first 0] [--json FILE]
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "verify/random.hpp"
#include "weft/weft.hpp"

namespace weft::bench {

namespace {

using Json = nlohmann::ordered_json;

struct Case {
  Extents shape;
  const char* kinds = "c2c";
  const char* input = "slab:0";
  const char* output = "slab:1";
  Precision precision = Precision::f64;
};

const Case cases[] = {
    {{64, 64, 64}},
    {{64, 64, 64}, "r2c"},
    {{64, 64, 64}, "dct2"},
    {{96, 96, 96}},
    {{100, 90, 80}, "r2c"},
    {{81, 125, 49}},
    {{127, 64, 64}},
    {{128, 128, 128}},
    {{128, 128, 128}, "r2c"},
    {{128, 128, 128}, "r2c", "slab:0", "slab:0"},
    {{128, 128, 128}, "c2c", "pencil:0", "pencil:2"},
    {{128, 128, 128}, "c2c", "brick", "brick"},
    {{128, 128, 128}, "c2c", "slab:0", "slab:1", Precision::f32},
    {{144, 150, 139}},
    {{160, 160, 160}, "dct3,r2c,c2c"},
    {{192, 192, 192}, "r2c"},
    {{192, 128, 160}, "c2c", "pencil:2", "pencil:0"},
    {{200, 200, 200}, "r2c"},
    {{101, 103, 107}},
    {{256, 128, 64}},
    {{256, 256, 128}, "r2c"},
    {{256, 256, 256}, "r2c"},
    {{256, 256, 256}},
    {{256, 256, 256}, "c2c", "slab:0", "slab:1", Precision::f32},
};

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Memory that all plans of a problem use.
struct Memory {
  std::vector<std::byte> input, output;
};

class TimedPlan {
 public:
  TimedPlan(const Problem& problem, const std::string& settings, Memory& memory)
      : plan_(MPI_COMM_WORLD, problem, options_of(settings)), memory_(memory) {
    const PlanInfo& info = plan_.info();
    memory_.input.resize(std::max(memory_.input.size(), bytes_of(info.input)));
    memory_.output.resize(std::max(memory_.output.size(), bytes_of(info.output)));
    fill_random(info.input, info.input_points, info.batch, 27, memory_.input.data());
  }

  double run() {
    const detail::AnyArray input = array_in(memory_.input, plan_.info().input);
    const detail::AnyArray output = array_in(memory_.output, plan_.info().output);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    plan_.forward(input, output);
    plan_.backward(output, input);
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
  }
  const PlanInfo& info() const { return plan_.info(); }

 private:
  static Options options_of(const std::string& settings) {
    Options options;
    options.tune = Tune::off;
    return parse_options(settings, options);
  }
  static std::size_t bytes_of(const LocalArray& array) {
    const std::size_t real = array.type.precision == Precision::f32 ? 4 : 8;
    return static_cast<std::size_t>(array.allocation_size) * (array.type.complex ? 2 * real : real);
  }
  static detail::AnyArray array_in(std::vector<std::byte>& memory, const LocalArray& array) {
    return {memory.data(), static_cast<std::size_t>(array.allocation_size), array.type};
  }

  Plan plan_;
  Memory& memory_;
};

struct Timed {
  std::string settings;
  double predicted = 0, seconds = 0;
};

/// Of all combinations of what the tuner may change, as many as are asked for; the same on all
/// ranks.
std::vector<std::string> drawn(int ranks, std::size_t count, std::mt19937_64& random) {
  std::vector<std::string> layouts{"algorithm=slab"};
  for (int rows = 2; rows < ranks; ++rows) {
    if (ranks % rows != 0) continue;
    layouts.push_back("algorithm=pencil, grid=" + std::to_string(rows) + "x" +
                      std::to_string(ranks / rows));
  }
  const std::vector<std::vector<std::string>> choices{
      layouts,
      {"exchange=p2p", "exchange=node_shared:alltoallv", "exchange=ialltoallv",
       "exchange=p2p_pipelined", "exchange=alltoallv", "exchange=neighbor"},
      {"chunks=1", "chunks=2", "chunks=8"},
      {"local=stockham", "local=fftw"},
      {"", "tile_bytes=131072", "tile_bytes=524288"},
      {"", "stream_bytes=0"},
      {"", "reorder=yes", "reorder=no"}};
  std::vector<std::string> all{""};
  for (const auto& choice : choices) {
    std::vector<std::string> longer;
    for (const std::string& begin : all) {
      for (const std::string& one : choice) {
        longer.push_back(begin);
        if (!begin.empty() && !one.empty()) longer.back() += ", ";
        longer.back() += one;
      }
    }
    all = std::move(longer);
  }
  std::shuffle(all.begin(), all.end(), random);
  all.resize(std::min(all.size(), count));
  return all;
}

/// Medians of the ratios to the first of them.
std::vector<double> in_turn(const std::vector<TimedPlan*>& plans, int rounds) {
  std::vector<std::vector<double>> ratios(plans.size());
  for (int round = 0; round < rounds; ++round) {
    const double first = plans.front()->run();
    ratios.front().push_back(1);
    for (std::size_t i = 1; i < plans.size(); ++i) ratios[i].push_back(plans[i]->run() / first);
  }
  std::vector<double> medians;
  for (auto& each : ratios) medians.push_back(median(each));
  return medians;
}

int rounds_in(double seconds, double of_one) {
  return std::clamp(static_cast<int>(seconds / of_one), 5, 41);
}

struct Settings {
  std::size_t problems = std::size(cases), first = 0, settings = 60;
  int seconds = 10;
  std::string json;
};

Json measure(const Case& one, const Settings& asked, std::mt19937_64& random) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Problem problem;
  problem.shape = one.shape;
  problem.kinds = parse_kinds(one.kinds);
  problem.input = parse_layout(one.input);
  problem.output = parse_layout(one.output);
  problem.precision = one.precision;

  Memory memory;
  TimedPlan defaults(problem, "", memory);
  defaults.run();
  const double of_default = defaults.run();
  std::vector<Timed> list;
  for (const std::string& settings : drawn(ranks, asked.settings, random)) {
    TimedPlan plan(problem, settings, memory);
    plan.run();
    double least = plan.run();
    for (int i = 1; i < 3 && least < 1.5 * of_default; ++i) least = std::min(least, plan.run());
    list.push_back({settings, 2 * plan.info().predicted_seconds, least});
  }
  const auto by_time = [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; };
  std::sort(list.begin(), list.end(), by_time);
  // One quick run may have been luck: the best few once more, in turn.
  const std::size_t few = std::min<std::size_t>(list.size(), 5);
  std::vector<std::unique_ptr<TimedPlan>> best_few;
  std::vector<TimedPlan*> turns;
  for (std::size_t i = 0; i < few; ++i) {
    best_few.push_back(std::make_unique<TimedPlan>(problem, list[i].settings, memory));
    turns.push_back(best_few.back().get());
    turns.back()->run();
  }
  const std::vector<double> again = in_turn(turns, rounds_in(3, of_default * double(few)));
  const auto best = static_cast<std::size_t>(
      std::distance(again.begin(), std::min_element(again.begin(), again.end())));

  Options options;
  options.tune = Tune::again;
  options.tune_seconds = asked.seconds;
  double begin = MPI_Wtime();
  std::string tuned;
  std::size_t trials = 0;
  double predicted_default = 0;
  {
    const Plan plan(MPI_COMM_WORLD, problem, options);
    trials = plan.info().trials.size();
    predicted_default = plan.info().trials.front().predicted_seconds;
    for (const PlanTrial& trial : plan.info().trials) {
      if (trial.chosen) tuned = trial.settings;
    }
  }
  const double tuning = MPI_Wtime() - begin;

  TimedPlan same(problem, list[best].settings, memory), winner(problem, tuned, memory);
  same.run();
  winner.run();
  const std::vector<double> ratios =
      in_turn({turns[best], &same, &winner, &defaults}, rounds_in(6, 4 * of_default));
  const std::vector<double> against_default =
      in_turn({&defaults, &winner}, rounds_in(4, 2 * of_default));

  // Where the model sees no difference, whatever comes first in the list would be tried first.
  std::vector<Timed> by_model = list;
  std::stable_sort(by_model.begin(), by_model.end(),
                   [](const Timed& a, const Timed& b) { return a.predicted < b.predicted; });
  const double third = by_model[std::min<std::size_t>(2, list.size() - 1)].predicted;
  double best_of_first = list.back().seconds;
  for (const Timed& each : list) {
    if (each.predicted <= third) best_of_first = std::min(best_of_first, each.seconds);
  }
  return {{"shape", one.shape},
          {"kinds", one.kinds},
          {"input", one.input},
          {"output", one.output},
          {"precision", one.precision == Precision::f32 ? "f32" : "f64"},
          {"ranks", ranks},
          {"default_seconds", of_default},
          {"predicted_seconds", predicted_default},
          {"tuned", tuned},
          {"trials", trials},
          {"tuning_seconds", tuning},
          {"best_of_list", list[best].settings},
          {"again_over_best", ratios[1]},
          {"tuned_over_best", ratios[2]},
          {"default_over_best", ratios[3]},
          {"tuned_over_default", against_default[1]},
          {"first_three_over_best", best_of_first / list.front().seconds}};
}

void run(const Settings& asked) {
  std::mt19937_64 random(20261125);
  std::vector<double> over_best, over_default;
  for (std::size_t i = asked.first; i < std::min(asked.first + asked.problems, std::size(cases));
       ++i) {
    const Json result = measure(cases[i], asked, random);
    over_best.push_back(result["tuned_over_best"]);
    over_default.push_back(result["tuned_over_default"]);
    if (rank_here() != 0) continue;
    std::printf("%s\n", result.dump().c_str());
    std::fflush(stdout);
    if (!asked.json.empty()) std::ofstream(asked.json, std::ios::app) << result.dump() << '\n';
  }
  if (rank_here() != 0) return;
  std::printf(
      "tuned / best of the list: median %.3f, worst %.3f; tuned / default: median %.3f, "
      "worst %.3f\n",
      median(over_best), *std::max_element(over_best.begin(), over_best.end()),
      median(over_default), *std::max_element(over_default.begin(), over_default.end()));
}

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  weft::bench::Settings settings;
  CLI::App app("How good tuning and the cost model are");
  app.add_option("--problems", settings.problems, "how many of the list")->capture_default_str();
  app.add_option("--first", settings.first, "the first of them")->capture_default_str();
  app.add_option("--settings", settings.settings, "drawn for each")->capture_default_str();
  app.add_option("--seconds", settings.seconds, "the tuner's")->capture_default_str();
  app.add_option("--json", settings.json, "file to append a line for each problem to");
  try {
    app.parse(argc, argv);
    weft::bench::run(settings);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    MPI_Finalize();
    return status;
  }
  MPI_Finalize();
  return 0;
}
