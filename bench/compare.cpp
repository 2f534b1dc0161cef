// Times distributed FFT libraries side by side: the same random data, the same clock, rounds
// interleaved (A B C A B C ...), maximum over ranks, median over rounds, and the error of each
// against direct sums. Usage: mpirun -n R compare [--rounds N] [--rigor measure] [--only TEXT]
// [--json FILE] N0xN1xN2[:r2c] ...
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "adapter.hpp"
#include "kind/kind.hpp"
#include "verify/random.hpp"

namespace weft::bench {

namespace {

struct Contestant {
  std::string name;
  std::unique_ptr<Adapter> adapter;
  double plan_seconds = 0;
  double error = 0;
  std::vector<double> forward;
  std::vector<double> backward;
};

struct Settings {
  std::vector<std::string> cases;
  int rounds = 15;
  std::string rigor = "estimate";
  std::string only;
  std::string json;
};

Case parse_case(const std::string& text, const std::string& rigor) {
  Case problem;
  problem.rigor = parse_rigor(rigor);
  const std::size_t colon = text.find(':');
  const std::string kind = colon == std::string::npos ? "c2c" : text.substr(colon + 1);
  if (kind != "c2c" && kind != "r2c") throw Error("case '" + text + "': kind must be c2c or r2c");
  problem.real = kind == "r2c";
  for (const std::string& length : CLI::detail::split(text.substr(0, colon), 'x')) {
    problem.shape.push_back(std::stoll(length));
  }
  if (problem.shape.size() != 3) throw Error("case '" + text + "': three lengths are needed");
  return problem;
}

double slowest(double seconds, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

template <class Work>
double timed(MPI_Comm comm, const Work& work) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  work();
  return slowest(MPI_Wtime() - begin, comm);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::vector<double> pairs(const Contestant& contestant) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < contestant.forward.size(); ++i) {
    sums.push_back(contestant.forward[i] + contestant.backward[i]);
  }
  return sums;
}

Contestant enter(const AdapterEntry& entry, const Case& problem) {
  Contestant contestant;
  contestant.name = entry.name;
  contestant.plan_seconds = timed(problem.comm, [&] { contestant.adapter = entry.make(problem); });
  Adapter& adapter = *contestant.adapter;
  const TransformDescription transform = adapter.describe();
  std::fill_n(static_cast<double*>(adapter.spectral()), 2 * transform.spectral.size,
              std::numeric_limits<double>::quiet_NaN());
  fill_random(transform.physical, transform.shape, 1, 1, adapter.physical());
  // A transform may destroy its input; keep a copy to check against.
  const auto* begin = static_cast<const double*>(adapter.physical());
  const std::vector<double> input(
      begin, begin + transform.physical.size * (transform.physical.type.complex ? 2 : 1));
  adapter.forward();
  contestant.error =
      sampled_error(transform, Direction::forward, input.data(), adapter.spectral()).relative_l2;
  adapter.backward();
  return contestant;
}

void run_round(Contestant& contestant, const Case& problem) {
  Adapter& adapter = *contestant.adapter;
  const TransformDescription transform = adapter.describe();
  fill_random(transform.physical, transform.shape, 1, 1, adapter.physical());
  contestant.forward.push_back(timed(problem.comm, [&] { adapter.forward(); }));
  contestant.backward.push_back(timed(problem.comm, [&] { adapter.backward(); }));
}

void report(const std::vector<Contestant>& contestants, const Case& problem,
            const std::string& json, int ranks) {
  const double bound = rounding_error_bound(Precision::f64, product(problem.shape));
  std::printf("%s %s, %d ranks, rigor %s, %zu rounds; ms\n", to_string(problem.shape).c_str(),
              problem.real ? "r2c" : "c2c", ranks, to_string(problem.rigor).c_str(),
              contestants[0].forward.size());
  std::printf("  %-32s %9s %9s %9s %9s %9s %7s %10s\n", "library", "forward", "backward", "pair",
              "best", "worst", "ratio", "error");
  const double reference = median(pairs(contestants[0]));
  for (const Contestant& contestant : contestants) {
    auto sums = pairs(contestant);
    const auto [best, worst] = std::minmax_element(sums.begin(), sums.end());
    std::printf("  %-32s %9.3f %9.3f %9.3f %9.3f %9.3f %7.2f %10.2e%s\n", contestant.name.c_str(),
                1e3 * median(contestant.forward), 1e3 * median(contestant.backward),
                1e3 * median(sums), 1e3 * *best, 1e3 * *worst, median(sums) / reference,
                contestant.error, contestant.error <= bound ? "" : " WRONG");
    if (json.empty()) continue;
    nlohmann::json line{{"library", contestant.name},
                        {"shape", std::vector<Index>(problem.shape.begin(), problem.shape.end())},
                        {"kind", problem.real ? "r2c" : "c2c"},
                        {"precision", "f64"},
                        {"ranks", ranks},
                        {"rigor", to_string(problem.rigor)},
                        {"plan_seconds", contestant.plan_seconds},
                        {"forward_seconds", contestant.forward},
                        {"backward_seconds", contestant.backward},
                        {"pair_seconds_median", median(sums)},
                        {"forward_error", contestant.error}};
    std::ofstream(json, std::ios::app) << line << "\n";
  }
  std::fflush(stdout);
}

void compare(const Settings& settings) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const std::string& text : settings.cases) {
    const Case problem = parse_case(text, settings.rigor);
    std::vector<Contestant> contestants;
    for (const AdapterEntry& entry : adapters()) {
      if (entry.name.find(settings.only) == std::string::npos) continue;
      contestants.push_back(enter(entry, problem));
    }
    for (int round = 0; round < settings.rounds; ++round) {
      for (Contestant& contestant : contestants) run_round(contestant, problem);
    }
    if (rank == 0 && !contestants.empty()) report(contestants, problem, settings.json, ranks);
  }
}

}  // namespace

}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::bench::Settings settings;
  CLI::App app("Compares distributed FFT libraries");
  app.add_option("cases", settings.cases, "N0xN1xN2 or N0xN1xN2:r2c")->required();
  app.add_option("--rounds", settings.rounds, "interleaved rounds")->check(CLI::PositiveNumber);
  app.add_option("--rigor", settings.rigor, "planning rigor: estimate, measure or patient");
  app.add_option("--only", settings.only, "only libraries whose name contains this");
  app.add_option("--json", settings.json, "append a line per library and case to this file");
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    weft::bench::compare(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare: error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
